"""What the public pages show, answer and cost."""

import csv
import io
import json
import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leaderboard.marks import axis
from submissions.models import BoardEntry, Submission
from submissions.selectors.site import home
from tests.leaderboard.seed import METHODS, START, Method, board_make, pack_make, publish
from verifier.models import Environment, Pack, Problem

pytestmark = pytest.mark.django_db
BOARD = "/b/toy/leaderboard/"
VIEWS = ("history", "failures", "times", "augmentations", "originality", "compare", "atlas")


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


@pytest.fixture
def toy():
    return board_make()


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def addresses():
    digest = Environment.objects.get().digest
    demonstration = Problem.objects.filter(split="demonstration").first().ident
    pages = ["/b/toy/", BOARD, BOARD + "?k=5&category=P1", BOARD + "?metric=pass&k=5", BOARD + "?at=2026-10-04"]
    pages += [
        "/b/toy/leaderboard.csv",
        "/b/toy/leaderboard.json",
        *(f"/b/toy/{name}.csv" for name in ("failures", "times", "originality", "history", "augmentations")),
        "/b/toy/plots/errors.json",
        "/b/toy/plots/times.json",
        "/b/toy/plots/history.json",
        "/b/toy/atlas.json",
    ]
    pages += [f"/b/toy/{name}/" for name in VIEWS]
    pages += ["/b/toy/problems/", "/b/toy/problems/lemma_0001/", f"/b/toy/problems/{demonstration}/"]
    return [*pages, f"/environments/{digest}/", f"/environments/{digest[:8]}/"]


def test_every_page_answers_with_at_most_ten_queries_and_nothing_inline(client, toy):
    for address in addresses():
        cache.clear()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            response = client.get(address)
        assert response.status_code == 200, address
        assert len(queries) <= 10, (address, len(queries))
        assert b" style=" not in response.content, address
        assert not re.search(rb"<script(?![^>]* src=)", response.content), address


def test_a_warm_board_needs_two_queries(client, toy):
    client.get(BOARD)
    with CaptureQueriesContext(connection) as queries:
        client.get(BOARD)
    assert len(queries) == 2


def test_no_page_needs_more_queries_on_a_larger_board(client, toy):
    def queries():
        found = {}
        for address in addresses():
            cache.clear()
            with CaptureQueriesContext(connection) as seen:
                client.get(address)
            found[address] = len(seen)
        return found

    few = queries()
    for number in range(12):
        publish(*toy, Method(f"more {number}", f"Team {number}", (0.5, 0.4, 0.3, 0.2)), day=20)
    assert queries() == few


def test_pages_are_the_same_each_time_they_are_made(client, toy):
    for address in addresses():
        first = client.get(address).content
        cache.clear()
        assert client.get(address).content == first, address


def test_a_reader_who_holds_the_page_gets_304_until_the_board_changes(client, toy):
    for address in addresses():
        if address in {"/b/toy/", "/b/toy/leaderboard/?at=2026-10-04"} or "environments" in address:
            continue
        tag = client.get(address).headers["ETag"]
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
        Pack.objects.update(stamp=Pack.objects.get().stamp + 1)
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_a_board_is_made_anew_when_its_stamp_is_bumped(client, toy):
    assert "late comer" not in text(client.get(BOARD))
    publish(*toy, Method("late comer", "Sample Lab 9", (0.9, 0.9, 0.9, 0.9)), day=30)
    Pack.objects.update(stamp=2)
    assert "late comer" in text(client.get(BOARD))


def test_while_a_board_is_made_anew_others_read_the_last_one_and_keep_it_nowhere(client, toy, monkeypatch):
    client.get(BOARD)
    client.get("/b/toy/leaderboard.json")
    publish(*toy, Method("late comer", "Sample Lab 9", (0.9, 0.9, 0.9, 0.9)), day=30)
    Pack.objects.update(stamp=2)
    with monkeypatch.context() as patch:
        patch.setattr("leaderboard.cache._taken", lambda turn: False)  # somebody else is making it
        for address in (BOARD, "/b/toy/leaderboard.json"):
            late = client.get(address)
            assert "late comer" not in late.content.decode()
            assert "ETag" not in late.headers
    fresh = client.get(BOARD)
    assert "late comer" in fresh.content.decode()
    assert "ETag" in fresh.headers


def test_the_board_says_rank_counts_interval_and_evidence(client, toy):
    rows = json.loads(client.get("/b/toy/leaderboard.json").content)["rows"]
    shown = text(client.get(BOARD))
    first = rows[0]
    assert f"{first['acc1_all_solved']}/75" in shown
    assert f"{100 * first['acc1_all_low']:.1f}–{100 * first['acc1_all_high']:.1f}" in shown
    assert f"confirmed {first['confirmed']}/{first['proved']}" in shown
    assert "incomplete 2 open" in shown
    assert "confirming" in shown
    assert "exact McNemar, Holm, p" in shown
    assert Environment.objects.get().digest[:8] in shown


def test_incomplete_and_reference_rows_hold_no_rank_and_references_come_last(client, toy):
    rows = json.loads(client.get("/b/toy/leaderboard.json").content)["rows"]
    assert [row["standing"] for row in rows] == ["ranked"] * 6 + ["incomplete", "reference"]
    assert rows[-1]["acc1_all_solved"] == 75
    assert all(row["rank"] is None for row in rows[6:])


def test_csv_and_json_hold_the_same_rows_in_the_order_of_the_page(client, toy):
    query = "?category=P1&k=5&open=1"
    lines = list(csv.DictReader(io.StringIO(client.get("/b/toy/leaderboard.csv" + query).content.decode())))
    rows = json.loads(client.get("/b/toy/leaderboard.json" + query).content)["rows"]
    page = client.get(BOARD + query).content.decode()
    assert [line["submission"] for line in lines] == [row["submission"] for row in rows]
    assert [line["acc5_P1_solved"] for line in lines] == [str(row["acc5_P1_solved"] or "") for row in rows]
    assert sorted(page.index(f"/submissions/{row['submission']}/") for row in rows) == [
        page.index(f"/submissions/{row['submission']}/") for row in rows
    ]


def test_an_export_never_hands_a_formula_to_a_spreadsheet(client, toy):
    publish(*toy, Method("=1+1", "@home", (0.5, 0.5, 0.5, 0.5)), day=9)
    lines = list(csv.DictReader(io.StringIO(client.get("/b/toy/leaderboard.csv").content.decode())))
    assert {("'=1+1", "'@home")} <= {(line["system"], line["team"]) for line in lines}


def test_an_empty_board_exports_its_columns_and_says_what_would_be_here(client):
    pack_make()
    assert client.get("/b/toy/leaderboard.csv").content.decode().startswith("standing,rank,")
    assert "No published run yet" in text(client.get(BOARD))
    assert client.get("/b/toy/plots/times.json").status_code == 200


def test_filters_choose_rows_and_categories_and_are_kept_in_every_link(client, toy):
    shown = text(client.get(BOARD + "?open=1"))
    assert "fastforce" in shown
    assert "Model B, fixing" not in shown
    only = json.loads(client.get("/b/toy/leaderboard.json?augmentation=fixing").content)["rows"]
    assert [row["augmentations"] for row in only] == ["similar fixing", "fixing"]
    team = json.loads(client.get("/b/toy/leaderboard.json?team=Sample+Lab+2").content)["rows"]
    assert {row["team"] for row in team} == {"Sample Lab 2"}
    page = client.get(BOARD + "?category=P2&open=1").content.decode()
    assert "?category=P2&amp;k=5&amp;open=1" in page
    assert "n = 20, 95 %" in text(client.get(BOARD + "?category=P2"))


def test_every_filter_marks_the_one_choice_that_the_page_shows(client, toy):
    for view in ("leaderboard", "failures", "times", "history", "originality"):
        page = client.get(f"/b/toy/{view}/?category=P2&augmentation=fixing&k=5&open=0").content.decode()
        groups = re.findall(r'<div class="seg" role="group".*?</div>', page, re.DOTALL)
        assert {group.count('aria-current="true"') for group in groups} == {1}, view


def test_the_head_of_the_board_counts_the_teams_of_the_systems_it_ranks(client, toy):
    assert "Ranked systems 2 of 1 team" in text(client.get(BOARD + "?team=Sample+Lab+2"))
    assert "Ranked systems 6 of 4 teams" in text(client.get(BOARD))


@pytest.mark.parametrize(
    "query",
    [
        "k=7",
        "category=P9",
        "metric=x",
        "at=yesterday",
        "sort=luck",
        "colour=red",
        "page=0",
        "at=0001-01-01T00:00:00%2B14:00",
        "at=9999-12-31T23:59:59-14:00",
        "at=9999-12-31",
    ],
)
def test_a_filter_that_names_nothing_is_answered_with_what_would_do(client, toy, query):
    response = client.get(f"{BOARD}?{query}")
    assert response.status_code == 400
    assert query.split("=")[0] in text(response)
    assert client.get(f"/b/toy/leaderboard.json?{query}").status_code == 400


def test_a_past_board_shows_what_was_valid_then(client, toy):
    entry = BoardEntry.objects.order_by("valid_from").first()
    BoardEntry.objects.filter(pk=entry.pk).update(valid_to=START + timedelta(days=5))
    Submission.objects.filter(runs=entry.run).update(visibility="withdrawn")
    name = METHODS[0].name
    now, then = client.get(BOARD), client.get(BOARD + "?at=2026-10-03")
    assert name not in text(now)
    assert name in text(then)
    assert "withdrawn since" in text(then)
    assert entry.run.submission.public_id not in then.content.decode().split("<select")[0]
    assert "as it stood from 3 October 2026, 12:00 until its next change" in text(then)
    rows = json.loads(client.get("/b/toy/leaderboard.json?at=2026-10-03").content)["rows"]
    assert len(rows) == 3


def test_files_of_a_past_board_mark_what_was_withdrawn_since(client, toy):
    entry = BoardEntry.objects.order_by("valid_from").first()
    BoardEntry.objects.filter(pk=entry.pk).update(valid_to=START + timedelta(days=5))
    Submission.objects.filter(runs=entry.run).update(visibility="withdrawn")
    rows = json.loads(client.get("/b/toy/leaderboard.json?at=2026-10-03").content)["rows"]
    assert {row["system"] for row in rows if row["withdrawn"]} == {METHODS[0].name}
    lines = csv.DictReader(io.StringIO(client.get("/b/toy/leaderboard.csv?at=2026-10-03").content.decode()))
    assert {line["system"] for line in lines if line["withdrawn"] == "True"} == {METHODS[0].name}
    printed = client.get("/b/toy/leaderboard.tex?at=2026-10-03").content.decode()
    assert [METHODS[0].team in line for line in printed.splitlines() if "withdrawn since" in line] == [True]
    assert "withdrawn since" not in client.get("/b/toy/leaderboard.tex").content.decode()


def test_equal_systems_share_rank_and_tier(client, toy):
    twin = Method("Model B, dependency", "Twins", METHODS[1].skill, augmentations=("dependency",))
    publish(*toy, twin, day=15)
    rows = json.loads(client.get("/b/toy/leaderboard.json").content)["rows"]
    pair = [row for row in rows if row["system"] == twin.name]
    assert pair[0]["rank"] == pair[1]["rank"]
    assert pair[0]["tier"] == pair[1]["tier"]


def test_a_name_is_shown_as_text_and_never_as_markup(client, toy):
    publish(*toy, Method("<script>alert(1)</script>", "<b>team</b>", (0.5, 0.5, 0.5, 0.5)), day=9)
    for address in (BOARD, "/b/toy/", "/b/toy/problems/lemma_0001/"):
        assert b"<script>alert" not in client.get(address).content
    assert b"<b>team" not in client.get(BOARD).content


def test_a_problem_page_says_who_proves_it_and_at_which_attempt(client, toy):
    shown = text(client.get("/b/toy/problems/lemma_0001/"))
    assert "forall n, n + 0 = n." in shown
    assert "ground truth" in shown
    assert "greedy" in shown
    assert "missing" in shown


def test_an_environment_page_names_faults_refusals_and_recipe(client, toy):
    shown = text(client.get(f"/environments/{Environment.objects.get().digest}/"))
    for wanted in ("rocq-prover/rocq 20413", "refused words", "lemma_0000", "options.universe-polymorphism", "8.16.1"):
        assert wanted in shown


def test_drafts_and_unknown_things_are_not_found(client, toy):
    Problem.objects.filter(ident="lemma_0002").update(status="draft")
    for address in ("/b/none/", "/b/toy/problems/nothing/", "/b/toy/problems/lemma_0002/", "/environments/abc/"):
        assert client.get(address).status_code == 404, address


def test_after_a_withdrawal_the_board_and_its_citation_name_one_moment(client, toy):
    entry = BoardEntry.objects.order_by("valid_from").first()
    BoardEntry.objects.filter(pk=entry.pk).update(valid_to=START + timedelta(days=40, minutes=4))
    page = client.get(BOARD)
    assert "Last change 10 Nov 2026, 12:04" in text(page)
    assert "at=2026-11-10T12:04:00Z" in page.content.decode()
    past = text(client.get(BOARD + "?at=2026-10-03"))
    assert "Last change 3 Oct 2026, 12:00" in past


def test_totals_are_those_of_all_categories_under_a_filter_by_category_too(client, toy):
    publish(*toy, Method("Sender of few", "Few", (0.5,) * 4, missing=9), day=12)

    def totals(query):
        page = client.get(BOARD + query).content.decode()
        return re.findall(r"<td.*?</td>", page.split('id="numbers"')[1].split("Sender of few")[1].split("</tr>")[0])

    assert totals("?category=P3") == totals("")


def test_a_board_on_which_nothing_is_proved_names_no_leader(client):
    made = pack_make()
    publish(*made, Method("Kestrel", "Team A", (0, 0, 0, 0)), day=2)
    publish(*made, Method("Writer", "Team B", (0, 0, 0, 0)), day=3)
    said = text(client.get(BOARD + "?category=P3"))
    assert "No ranked system proves any of the 15 P3 problems at the first attempt." in said
    assert "shares this score" not in said


def test_the_board_says_what_of_the_failures_was_never_sent(client, toy):
    publish(*toy, Method("Sender of few", "Few", (0.5,) * 4, missing=9), day=12)
    row = text(client.get(BOARD)).split("Sender of few")[1]
    assert re.search(r"other: \d+ not sent", row)


def test_a_note_tells_where_acc_5_leaves_the_greedy_answer_out(client):
    made = pack_make()
    publish(*made, Method("Samples", "Team A", (0.5,) * 4, attempts=(1, 2, 3, 4, 5)), day=2)
    assert "leaves the greedy answer out" not in text(client.get(BOARD))
    publish(*made, Method("Greedy", "Team B", (0.5,) * 4), day=3)
    assert "leaves the greedy answer out, so ACC#5 can be lower than ACC#1" in text(client.get(BOARD))


def test_a_row_says_where_fewer_samples_were_sent_than_acc_5_counts(client):
    made = pack_make()
    publish(*made, Method("Two", "Team A", (0.5,) * 4, attempts=(0, 1, 2)), day=2)
    publish(*made, Method("Five", "Team B", (0.5,) * 4), day=3)
    board = text(client.get(BOARD))
    assert board.count("2 of 5 samples") == 1
    assert "Samples that were not sent count as not solved" in board


@pytest.mark.parametrize(
    ("share", "labels", "narrow"),
    [
        (0.25, "0 % 10 20 30", "0 % 30"),
        (0.35, "0 % 10 20 30 40", "0 % 20 40"),
        (0.45, "0 % 10 20 30 40 50", "0 % 50"),
        (0.65, "0 % 20 40 60 80", "0 % 40 80"),
        (0.95, "0 % 20 40 60 80 100", "0 % 100"),
    ],
)
def test_an_axis_names_every_line_in_even_steps(share, labels, narrow):
    scale = axis(SimpleNamespace(ranked=[SimpleNamespace(score=None, value=share)]))
    assert " ".join(tick.label for tick in scale.ticks) == labels
    assert " ".join(tick.label for tick in scale.ticks if not tick.odd) == narrow


def test_home_counts_as_the_boards_do(client, toy):
    publish(*toy, Method("Owed", "Team O", (0.5,) * 4, internal=3), day=12)
    publish(*toy, Method("Truth", "Hosts", (1,) * 4, reference=True), day=13)
    board = text(client.get(BOARD))
    ranked = int(re.search(r"Ranked systems (\d+)", board)[1])
    checked = int(re.search(r"Proofs checked ([0-9,]+)", board)[1].replace(",", ""))
    found = home()
    assert found.proofs == checked > 0
    assert found.problems == int(re.search(r"Problems ([0-9,]+) in", board)[1].replace(",", ""))
    assert (found.systems, [line.systems for line in found.benchmarks]) == (ranked, [ranked])
