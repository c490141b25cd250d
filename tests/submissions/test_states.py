"""States that are no success: each says what is so, whose doing it is, and what comes next."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from submissions.models import QuotaUse, Result, Run, Submission, WorkerRow
from tests.seed import Seed, seed
from verifier.core.reason import REASONS
from verifier.models import Pack


@pytest.fixture
def made(db) -> Seed:
    return seed(lemmas=6)


def page_of(client, name, *arguments, status=200):
    answer = client.get(reverse(name, args=arguments))
    assert answer.status_code == status
    return answer.content.decode()


def test_a_run_that_was_public_is_gone_and_one_that_never_was_does_not_exist(client, made):
    Submission.objects.filter(pk=made.published.pk).update(visibility="withdrawn", withdrawn=timezone.now())
    gone = page_of(client, "submission", made.published.public_id, status=410)
    assert "This run was withdrawn" in gone
    assert made.published.system.name not in gone.split("<main")[1]
    assert "There is nothing" in page_of(client, "submission", made.private.public_id, status=404)
    Submission.objects.filter(pk=made.private.pk).update(visibility="withdrawn")
    page_of(client, "submission", made.private.public_id, status=404)
    client.force_login(made.member)
    assert "Withdrawn on" in page_of(client, "submission", made.published.public_id)


def test_without_submissions_left_today_the_upload_page_says_when_the_next_one_can_be_sent(client, made):
    client.force_login(made.owner)
    assert 'type="file"' in page_of(client, "submit", made.pack.slug)
    QuotaUse.objects.update_or_create(
        team=made.team, pack=made.pack, day=timezone.now().date(), defaults={"used": made.pack.daily_quota}
    )
    page = page_of(client, "submit", made.pack.slug)
    assert "No submission is left for today" in page
    assert "after midnight UTC" in page
    assert 'type="file"' not in page


@pytest.mark.parametrize(("opens", "closes", "words"), [(1, None, "opens later"), (None, -1, "has closed")])
def test_before_and_after_a_campaign_the_upload_page_says_when_it_is(client, made, opens, closes, words):
    days = {name: timezone.now() + timedelta(days=day) for name, day in (("opens", opens), ("closes", closes)) if day}
    Pack.objects.filter(pk=made.pack.pk).update(**days)
    client.force_login(made.owner)
    page = page_of(client, "submit", made.pack.slug)
    assert words in page
    assert 'type="file"' not in page


def test_every_verdict_and_reason_has_a_log_that_shows_it(client, made):
    result = Result.objects.filter(run__submission=made.private).select_related("proof__problem").first()
    address = (made.private.public_id, result.proof.problem.ident, result.proof.attempt)
    client.force_login(made.owner)
    for reason, row in REASONS.items():
        Result.objects.filter(pk=result.pk).update(
            verdict=str(row.verdict), reason=str(reason), error_class=str(row.error_class or "")
        )
        finding = page_of(client, "log", *address).split('<section class="finding')[1].split("</section>")[0]
        assert f"#s-{row.verdict}" in finding, reason
        assert row.error_class is None or f"counts as {row.error_class}" in finding, reason
        assert "None" not in finding, reason


def test_a_cancelled_run_says_so_and_keeps_what_was_found(client, made):
    Run.objects.filter(submission=made.private).update(state="cancelled", cancelled=timezone.now(), finished=None)
    client.force_login(made.owner)
    page = page_of(client, "submission", made.private.public_id)
    assert "This run was cancelled" in page
    assert "until it was cancelled" in page
    assert "<dt>Estimate</dt>" not in page


def test_status_says_that_nobody_is_checking_while_no_worker_answers(client, made, monkeypatch):
    monkeypatch.setattr("submissions.queue.bell_answers", lambda: True)
    WorkerRow.objects.update(heartbeat=timezone.now() - timedelta(hours=1), dead=timezone.now())
    assert "No worker answers at the moment" in page_of(client, "status")
