"""What pages show and hide: rules from the table, texts of others as text, cells that no spreadsheet runs."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from submissions.forms import SystemForm, TeamForm
from submissions.models import Proof, Result, ResultLog, Run
from submissions.selectors.logs import counts_words
from submissions.selectors.reports import report_page
from submissions.selectors.submissions import submission_lines
from submissions.services.results import log_pack
from submissions.views.answers import table_file
from tests.seed import Seed, report, seed
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ProofResult
from verifier.core.verdict import Verdict


@pytest.fixture
def made(db) -> Seed:
    return seed(lemmas=8)


def opened(made: Seed, user=None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


@pytest.mark.django_db
def test_help_shows_every_reason_and_every_verdict_of_the_table():
    page = Client().get(reverse("help")).content.decode()
    for reason, row in REASONS.items():
        assert f'id="reason-{reason}"' in page
        assert escape(row.sentence) in page
    assert all(f"#s-{verdict}" in page for verdict in Verdict)


def test_a_live_run_polls_and_an_ended_one_stops_the_polling(made):
    client = opened(made, made.owner)
    live = client.get(reverse("submission_progress", args=[made.running.public_id]))
    ended = client.get(reverse("submission_progress", args=[made.private.public_id]))
    assert (live.status_code, ended.status_code) == (200, 286)
    assert "hx-trigger" in client.get(reverse("submission", args=[made.running.public_id])).content.decode()
    assert "hx-trigger" not in client.get(reverse("submission", args=[made.private.public_id])).content.decode()


def test_the_poll_takes_the_button_away_with_which_an_ended_run_could_be_cancelled(made):
    client = opened(made, made.owner)
    live = client.get(reverse("submission_progress", args=[made.running.public_id])).content.decode()
    ended = client.get(reverse("submission_progress", args=[made.private.public_id])).content.decode()
    cancel = reverse("submission_cancel", args=[made.running.public_id])
    assert cancel in live
    assert "csrfmiddlewaretoken" in live
    assert 'id="cancel" hx-swap-oob="true"></div>' in ended
    page = client.get(reverse("submission", args=[made.running.public_id])).content.decode()
    assert page.count('id="cancel"') == 1
    assert cancel in page


def test_a_swap_gets_the_table_alone_a_browser_the_page_and_caches_are_told_of_both(made):
    client = opened(made, made.owner)
    target = reverse("submission", args=[made.private.public_id])
    page, part = client.get(target), client.get(target, headers={"HX-Request": "true"})
    back = client.get(target, headers={"HX-Request": "true", "HX-History-Restore-Request": "true"})
    assert (page.status_code, part.status_code, back.status_code) == (200, 286, 200)
    assert ["<html" in answer.content.decode() for answer in (page, part, back)] == [True, False, True]
    assert all("HX-Request" in answer.headers["Vary"] for answer in (page, part, back))


def test_the_table_keeps_to_the_filters_of_its_address(made):
    client = opened(made, made.owner)
    target = reverse("submission", args=[made.private.public_id])
    whole = client.get(target).context["lines"].paginator.count
    one = client.get(target, {"category": "P1", "q": made.problems[0].ident})
    assert whole == len(made.problems)
    assert [line.problem for line in one.context["lines"]] == [made.problems[0].ident]
    proved = client.get(target, {"verdict": "proved"}).context["lines"].object_list
    assert all(any(cell.verdict == "proved" for cell in line.cells) for line in proved)
    slowest = client.get(target, {"sort": "-seconds"}).context["lines"].object_list
    times = [line.cells[0].wall_ms for line in slowest]
    assert times == sorted(times, reverse=True)


def test_a_run_whose_proofs_are_gone_still_has_a_page(made):
    Result.objects.filter(proof__submission=made.private).delete()
    Proof.objects.filter(submission=made.private).delete()
    answer = opened(made, made.owner).get(reverse("submission", args=[made.private.public_id]))
    assert answer.status_code == 200
    assert "not uploaded" in answer.content.decode()


def test_a_hostile_text_is_shown_as_text_and_handed_out_as_text(made):
    proof = Proof.objects.filter(submission=made.private).first()
    Proof.objects.filter(pk=proof.pk).update(text="<script>alert(1)</script>\u202e\nQed.")
    client = opened(made, made.owner)
    arguments = [made.private.public_id, proof.problem.ident, proof.attempt]
    page = client.get(reverse("log", args=arguments)).content.decode()
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "\\u{202e}" in page
    raw = client.get(reverse("proof_text", args=arguments))
    assert raw["Content-Type"] == "text/plain; charset=utf-8"
    assert raw["X-Content-Type-Options"] == "nosniff"
    assert raw["Content-Disposition"].startswith("attachment")


def test_the_log_marks_the_failing_line_and_ticks_those_before_it(made):
    result = Result.objects.filter(run__submission=made.private, reason="undefined_fact").first()
    arguments = [made.private.public_id, result.proof.problem.ident, result.proof.attempt]
    page = opened(made, made.owner).get(reverse("log", args=arguments)).context["page"]
    assert [line.state for line in page.lines] == ["ok", "ok", "ok", "ok", "bad", "unread"]
    assert page.found == "caps_of_mint"
    assert page.headline == "Line 5 uses a fact that does not exist at this point"


def test_a_proof_that_ran_out_of_time_nobody_knows_where_has_no_line_ticked_and_is_told_by_the_judge(made):
    result = Result.objects.filter(run__submission=made.private, reason="undefined_fact").first()
    stopped = ProofResult("", 0, Verdict.TIMEOUT, Reason.WALL_TIME, message="The proof was still running after 10 s.")
    Result.objects.filter(pk=result.pk).update(
        verdict="timeout", reason="wall_time", error_class="other", line=None, column=None
    )
    ResultLog.objects.filter(result=result).update(data=log_pack(stopped))
    arguments = [made.private.public_id, result.proof.problem.ident, result.proof.attempt]
    answer = opened(made, made.owner).get(reverse("log", args=arguments))
    assert {line.state for line in answer.context["page"].lines} == {"plain"}
    body = answer.content.decode()
    assert "How far the prover came is not known." in body
    assert "What the judge says" in body
    assert "verbatim" not in body


@pytest.mark.parametrize("verbatim", [False, True])
def test_only_the_words_of_the_prover_are_called_its_own(made, verbatim):
    result = Result.objects.filter(run__submission=made.private, reason="undefined_fact").first()
    said = ProofResult("", 0, Verdict.FAILED, Reason.GOALS_LEFT, message="Goals are left.", verbatim=verbatim)
    ResultLog.objects.filter(result=result).update(data=log_pack(said))
    arguments = [made.private.public_id, result.proof.problem.ident, result.proof.attempt]
    body = opened(made, made.owner).get(reverse("log", args=arguments)).content.decode()
    assert ("What Rocq said" in body, "What the judge says" in body) == (verbatim, not verbatim)


def test_a_log_says_for_which_scores_a_lemma_counts():
    greedy = "ACC#1 is taken from the greedy answer, attempt 0."
    assert counts_words([1], 0, [1, 5]).endswith(f"counts for ACC#5 (samples 1 to 5); {greedy}")
    assert counts_words([0], 0, [1, 5]).endswith("so the lemma counts for ACC#1.")
    assert counts_words([1, 3], 1, [1, 5]).endswith("counts for ACC#1 and ACC#5 (samples 1 to 5).")
    assert counts_words([6], 0, [1, 5]).endswith(f"which no score of this benchmark counts; {greedy}")


def test_texts_of_a_published_run_stay_with_the_team_unless_it_chose_otherwise(made):
    run = Run.objects.get(submission=made.published)
    failed = Result.objects.filter(run=run, reason="undefined_fact").first()
    arguments = [made.published.public_id, failed.proof.problem.ident, failed.proof.attempt]
    table = reverse("submission_csv", args=[made.published.public_id])
    anonymous = opened(made)
    assert "This proof is not public" in anonymous.get(reverse("log", args=arguments)).content.decode()
    assert anonymous.get(reverse("proof_text", args=arguments)).status_code == 404
    assert "caps_of_mint" not in anonymous.get(table).content.decode()
    made.published.proofs_public = True
    made.published.save()
    assert anonymous.get(reverse("proof_text", args=arguments)).status_code == 200
    assert "caps_of_mint" in anonymous.get(table).content.decode()


def test_no_cell_of_a_table_can_be_run_as_a_formula():
    answer = table_file(["a"], [["=1+1"], ["@x"], ["-2"], ["+3"], ["plain"], [-4]], "../x\r\n.csv")
    assert answer.content.decode().split("\r\n")[1:-1] == ["'=1+1", "'@x", "'-2", "'+3", "plain", "-4"]
    assert answer["Content-Disposition"] == 'attachment; filename=".._x__.csv"'


def test_the_report_groups_equal_findings_and_counts_what_is_missing(made):
    page = report_page(report(made.problems))
    rejected = next(group for group in page.groups if group.consequence == "rejected")
    assert (len(rejected.lines), rejected.count) == (1, 2)
    assert (page.proofs, page.rejected, page.missing, page.checked) == (14, 2, 2, 12)


def test_proofs_that_will_fail_are_counted_among_what_to_look_at_and_not_as_rejected(made):
    stored = report(made.problems)
    one = next(finding for finding in stored["findings"] if finding["consequence"] == "rejected")
    page = report_page({**stored, "findings": [*stored["findings"], {**one, "consequence": "failing"}]})
    assert (page.failing, page.rejected, page.to_look_at) == (1, 2, 4)
    assert [group.title for group in page.groups] == ["Will be rejected", "Unfinished", "Missing", "Left out", "Tidied"]


def test_a_report_of_endless_findings_is_shown_in_part_and_counted_whole(made):
    stored = report(made.problems)
    one = next(finding for finding in stored["findings"] if finding["consequence"] == "rejected")
    same, other = [{**one, "line": at} for at in range(1000)], [{**one, "message": f"m{at}"} for at in range(500)]
    group = next(one for one in report_page({**stored, "findings": same + other}).groups if one.lines)
    assert (group.count, group.proofs, group.untold) == (1500, 2, 401)
    assert (len(group.lines), len(group.lines[0].places), group.lines[0].untold) == (100, 50, 950)


def test_the_report_counts_rejected_proofs_and_not_their_findings(made):
    made.draft.report["findings"] += [one for one in made.draft.report["findings"] if one["consequence"] == "rejected"]
    made.draft.save()
    text = opened(made, made.owner).get(reverse("draft", args=[made.draft.public_id])).content.decode()
    assert "Will be rejected: 2 proofs, with 4 findings" in text


def test_an_expired_draft_says_so(made):
    made.draft.expires = made.draft.created
    made.draft.save()
    answer = opened(made, made.owner).get(reverse("draft", args=[made.draft.public_id]))
    assert answer.status_code == 410
    assert "Drafts are kept for an hour" in answer.content.decode()


@pytest.mark.parametrize("name", ["a\u202eb", "a\u200bb", "a\x07b"])
def test_names_with_characters_that_hide_or_reorder_are_refused(name):
    assert "cannot be seen" in str(TeamForm({"name": name}).errors)


def test_links_are_web_addresses_alone():
    assert "link" in SystemForm({"name": "x", "link": "javascript:alert(1)"}).errors
    assert not SystemForm({"name": "x", "link": "https://example.org/"}).errors


def test_a_poll_draws_no_table_of_lemmas_and_asks_the_database_at_most_fifteen_times(
    made, django_assert_max_num_queries
):
    client = opened(made, made.owner)
    with django_assert_max_num_queries(15):
        page = client.get(reverse("submission_progress", args=[made.running.public_id])).content.decode()
    assert 'id="tally"' in page
    assert "lemmas stack" not in page


def test_a_run_is_withdrawn_in_two_steps_without_any_script(made):
    page = opened(made, made.owner).get(reverse("submission", args=[made.published.public_id])).content.decode()
    step = page.split("<details><summary>Withdraw this run</summary>")[1].split("</details>")[0]
    assert step.count('name="withdraw"') == page.count('name="withdraw"') == 1


def test_a_run_says_for_how_many_of_the_lemmas_it_has_proofs(made):
    some = Proof.objects.filter(submission=made.published).values("problem").order_by("problem")[:3]
    Proof.objects.filter(submission=made.published).exclude(
        problem__in=list(some.values_list("problem", flat=True))
    ).delete()
    page = opened(made, made.owner).get(reverse("submission", args=[made.published.public_id])).content.decode()
    assert re.search(r", for [1-3] of 8 lemmas, attempts", page)


def test_augmentations_are_said_as_words_wherever_one_chooses_or_reads_them(made):
    made.published.system.augmentations = ["tryagain"]
    made.published.system.save()
    assert dict(SystemForm().fields["augmentations"].choices)["tryagain"].startswith("try again: ")
    page = opened(made, made.owner).get(reverse("system", args=[made.published.system.public_id])).content.decode()
    assert "try again" in page
    assert "tryagain" not in page


def test_a_log_names_no_hosts_to_tell_where_the_benchmark_gives_no_address_of_theirs(made):
    result = Result.objects.filter(run__submission=made.private).first()
    address = reverse("log", args=[made.private.public_id, result.proof.problem.ident, result.proof.attempt])
    pack = made.private.problem_set.pack
    for homepage in ("", "https://hosts.example.org/"):
        pack.manifest["homepage"] = homepage
        pack.save()
        page = opened(made, made.owner).get(address).content.decode()
        assert ("hosts of the benchmark" in page) is bool(homepage)


@pytest.mark.parametrize("states", [("cancelled", "cancelled"), ("done", "cancelled"), ("cancelled", "done")])
def test_the_list_shows_the_run_that_the_submissions_page_shows(made, states):
    made.private.runs.all().delete()
    runs = [
        Run.objects.create(submission=made.private, environment=made.environment, total=0, state=state)
        for state in states
    ]
    wanted = next((run for run in runs if run.state == "done"), runs[-1])
    page = opened(made, made.owner).get(reverse("submission", args=[made.private.public_id]))
    assert page.context["run"] == wanted
    (line,) = submission_lines([made.private])
    assert line.run == wanted


def test_a_role_that_nobody_chose_changes_nothing_and_is_told(made):
    client = opened(made, made.owner)
    before = made.team.memberships.get(user=made.member).role
    address = reverse("member_role", args=[made.team.public_id, made.member.public_id])
    page = client.post(address, {"role": "king"}, follow=True).content.decode()
    assert "No role was chosen" in page
    assert made.team.memberships.get(user=made.member).role == before
