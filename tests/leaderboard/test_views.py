"""The views beside the board: what they count, against counting by hand, and what their pages say."""

import base64
import json
import re
from datetime import timedelta
from html import unescape

import numpy as np
import pytest
from django.core.cache import cache

from leaderboard import problem_views
from leaderboard.atlas import cells, difficulties, nearest_solved, order_of, packed
from leaderboard.comparison import compare
from leaderboard.failures import Message, clusters, message_shape, messages_of
from leaderboard.filters import Metric, default_filters
from leaderboard.grid import Grid, grid_at, grid_ever
from leaderboard.selectors import benchmark_get
from leaderboard.standings import board
from leaderboard.timeline import timeline
from submissions.models import BoardEntry, Result, ResultLog, RunSummary, Submission
from submissions.services.results import log_pack
from tests.leaderboard.seed import START, Method, board_make, pack_make, publish
from tests.seed import seed
from verifier.core.metrics import owed, solved
from verifier.core.reason import Reason
from verifier.core.result import ProofResult
from verifier.core.said import first_sentence
from verifier.core.statistics import mcnemar
from verifier.core.verdict import Verdict


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


@pytest.fixture
def toy(db):
    board_make()
    return benchmark_get("toy")


def vectors():
    return [row.run.summary.vectors for row in BoardEntry.objects.order_by("valid_from")]


def test_a_grid_says_what_the_vectors_of_each_run_say(toy):
    grid = grid_at(toy, None)
    for k in (1, 2, 5):
        for row, each in enumerate(vectors()):
            scoring = int(grid.scoring[row])
            assert grid.solved(k)[row].tolist() == solved(each, scoring, k)
            assert grid.owed(k)[row].tolist() == owed(each, scoring, k)


@pytest.mark.parametrize("changes", [{}, {"k": 5, "category": "P1"}, {"metric": Metric.PASS, "k": 5}, {"sort": "D.5"}])
def test_the_order_in_which_runs_are_read_changes_nothing(toy, changes):
    grid, filters = grid_at(toy, None), default_filters(toy).changed(**changes)
    turned = [7, 2, 0, 5, 1, 6, 4, 3]
    fields = {name: getattr(grid, name)[turned] for name in grid.__slots__ if name != "entries"}
    other = Grid(entries=tuple(grid.entries[row] for row in turned), **fields)
    assert board(toy, other, filters) == board(toy, grid, filters)


def test_a_comparison_counts_what_two_vectors_say(toy):
    grid = grid_at(toy, None)
    one, two = (solved(each, 0, 1) for each in vectors()[:2])
    total = compare(toy, grid, 0, 1, 1).rows[-1]
    pairs = list(zip(one, two, strict=True))
    counted = [pairs.count(each) for each in ((True, True), (True, False), (False, True), (False, False))]
    assert [total.both, total.test.gained, total.test.lost, total.neither] == counted
    assert total.test.p == mcnemar(counted[1], counted[2])
    rows = compare(toy, grid, 0, 1, 1).rows
    assert sum(row.both for row in rows[:-1]) == total.both
    assert [row.first.total for row in rows] == [30, 20, 15, 10, 75]


def test_comparing_the_other_way_round_swaps_the_sides(toy):
    grid = grid_at(toy, None)
    there, back = compare(toy, grid, 0, 3, 5), compare(toy, grid, 3, 0, 5)
    assert there.lists["only_first"] == back.lists["only_second"]
    assert there.rows[-1].test.p == back.rows[-1].test.p
    assert there.rows[-1].difference == -back.rows[-1].difference


def test_the_page_of_two_systems_names_counts_test_and_problems(client, toy):
    first, second = (entry.submission for entry in grid_at(toy, None).entries[:2])
    shown = text(client.get(f"/b/toy/compare/?system={first}&other={second}"))
    total = compare(toy, grid_at(toy, None), 0, 1, 1).rows[-1]
    assert f"{total.test.gained} problem" in shown
    assert f"p = {total.test.p:.3f}" in shown
    assert "Choose two different systems" in text(client.get(f"/b/toy/compare/?system={first}&other={first}"))


def test_a_single_system_is_compared_with_nothing(client, db):
    publish(*pack_make(), Method("alone", "Team", (1, 1, 1, 1)))
    assert "Two published systems are needed" in text(client.get("/b/toy/compare/"))


def test_packed_cells_are_read_back_and_ordered_by_difficulty(toy):
    grid = grid_at(toy, None)
    states = cells(grid, [0, 5, 6])
    raw = base64.b64decode(packed(states))
    read = [(raw[place >> 2] >> 2 * (place & 3)) & 3 for place in range(states.size)]
    assert read == states.ravel().tolist()
    assert (states[0] == 1).tolist() == grid.solved(1)[0].tolist()
    assert set(np.flatnonzero(states[1] == 3)) == {0, 1, 2}  # missing
    assert set(np.flatnonzero(states[2] == 3)) == {0, 1}  # withheld
    counted = [(grid.attempts()[:-1, place] >= 0).sum() for place in order_of(grid)]  # the last one is a reference
    assert counted == sorted(counted, reverse=True)


def test_the_atlas_has_a_cell_for_every_problem_and_shown_system_and_a_table_without_scripts(client, toy):
    made = json.loads(client.get("/b/toy/atlas.json").content)
    assert len(made["problems"]) == 75
    assert len(base64.b64decode(made["cells"])) == -(-75 * len(made["systems"]) // 4)
    shown = text(client.get("/b/toy/atlas/"))
    assert "of 75 problems proved by none" in shown
    assert "no system" in shown


def test_history_holds_the_best_of_each_day_and_what_was_withdrawn(client, toy):
    entry = BoardEntry.objects.order_by("valid_from").first()
    BoardEntry.objects.filter(pk=entry.pk).update(valid_to=START + timedelta(days=3, hours=1))
    made = timeline(toy, grid_ever(toy), default_filters(toy))
    points = {point.entry.submission: point.score.solved for point in made.points}
    assert len(points) == 7  # all but the reference
    assert entry.run.submission.public_id in points
    assert made.days[0].better
    for day in made.days:
        there = [p for p in made.points if p.entry.since.date() <= day.day and not p.owed]
        there = [p for p in there if p.entry.until is None or p.entry.until.date() > day.day]
        assert day.best.score.solved == max(p.score.solved for p in there)
    assert "until 4 Oct 2026" in text(client.get("/b/toy/history/"))


def test_augmentations_stand_beside_the_bare_model_of_the_same_team(client, db):
    made = pack_make()
    skill = (0.5, 0.4, 0.3, 0.2)
    publish(*made, Method("bare", "Lab", skill, model="m-1"), day=1)
    publish(*made, Method("with similar", "Lab", (0.9, 0.8, 0.3, 0.2), model="m-1", augmentations=("similar",)), day=2)
    publish(*made, Method("other team", "Lab 2", skill, model="m-1", augmentations=("fixing",)), day=3)
    publish(*made, Method("no model", "Lab", skill, augmentations=("fixing",)), day=4)
    shown = text(client.get("/b/toy/augmentations/"))
    assert "with similar" in shown
    assert "other team" not in shown
    assert "no model" not in shown
    bare, similar = vectors()[:2]
    pairs = list(zip(solved(similar, 0, 1), solved(bare, 0, 1), strict=True))
    gained, lost = pairs.count((True, False)), pairs.count((False, True))
    assert f"+{gained} −{lost}" in shown


def test_a_result_that_the_platform_owes_unranks_only_the_views_that_count_it(client, db):
    made = pack_make()
    publish(*made, Method("whole", "Lab 1", (1, 1, 1, 1)), day=1)
    entry = publish(*made, Method("owed", "Lab 2", (1, 1, 1, 1)), day=2)
    summary = RunSummary.objects.get(run=entry.run)
    summary.vectors["error"] = "i" + summary.vectors["error"][1:]
    summary.vectors["greedy"][0] = 0
    summary.save()

    def standing(query):
        cache.clear()
        rows = json.loads(client.get("/b/toy/leaderboard.json" + query).content)["rows"]
        return next(row["standing"] for row in rows if row["system"] == "owed")

    assert standing("") == standing("?category=P1") == "incomplete"
    assert standing("?category=D") == standing("?k=5") == standing("?metric=pass&k=5") == "ranked"


def test_evidence_beyond_the_first_sample_counts_the_proofs_that_the_score_counts(client, db):
    made = pack_make(sizes=(2, 1))
    publish(*made, Method("sure", "Lab", (2, 2), attempts=(0, 1, 2, 3)))

    def proved(query):
        rows = json.loads(client.get("/b/toy/leaderboard.json" + query).content)["rows"]
        return rows[0]["proved"], rows[0]["confirmed"]

    assert proved("") == (3, 3)
    assert proved("?category=P1") == (2, 2)
    assert proved("?category=P1&k=5") == (6, 6)  # three samples of two problems, the greedy answers left out


def test_messages_that_differ_in_names_alone_fall_together():
    assert message_shape('Undefined fact: "foo_def"') == message_shape('Undefined fact: "bar.baz_1"')
    assert message_shape("Unable to unify x1 with 3.") == message_shape("Unable to unify y_2 with 17.")
    assert message_shape("No more subgoals") != message_shape("Failed to apply proof method")
    made = [Message(f"p{n}", "P1", 0, "undefined_fact", "undefined", f'Undefined fact: "f{n}"') for n in range(3)]
    made.append(Message("p9", "P1", 0, "method_failed", "logic", "Failed to apply proof method"))
    found = clusters(made)
    assert [(each.number, each.error_class) for each in found] == [(3, "undefined"), (1, "logic")]
    assert found[0].example.problem == "p0"


def test_a_message_broken_at_another_place_falls_into_the_same_cluster(client, db):
    made = seed(lemmas=8)
    rows = Result.objects.filter(run__submission=made.published, proof__attempt=0).exclude(error_class="")
    texts = [
        "Error: The reference a_1 was not\nfound in the environment.",
        "The reference b.c was not found in\nthe environment.",
    ]
    for row, text_said in zip(rows, texts, strict=False):
        Result.objects.filter(pk=row.pk).update(reason="undefined_fact", headline=text_said.split("\n")[0])
        log = ProofResult("p", 0, Verdict.FAILED, Reason.UNDEFINED_FACT, message=text_said)
        ResultLog.objects.update_or_create(result=row, defaults={"data": log_pack(log)})
    found = clusters(messages_of(rows[0].run.public_id, 0))
    assert ("The reference … was not found in the environment.", 2) in [(each.shape, each.number) for each in found]


def test_messages_and_proofs_are_shown_where_the_team_made_them_public_and_nowhere_else(client, db):
    made = seed(lemmas=8)
    address = f"/b/{made.pack.slug}/failures/"
    result = Result.objects.filter(run__submission=made.published, proof__attempt=0).exclude(error_class="").first()
    problem = Result.objects.filter(run__submission=made.published, verdict="proved").first().proof.problem.ident
    Submission.objects.filter(pk=made.published.pk).update(proofs_public=False)
    hidden, page = client.get(address), client.get(f"/b/{made.pack.slug}/problems/{problem}/")
    said = message_shape(first_sentence(result.headline))[:20]
    assert said not in unescape(text(hidden))
    assert "seen by Sample Lab 3 and organisers" in text(hidden)
    assert "inversion Hstep" not in text(page)
    Submission.objects.filter(pk=made.published.pk).update(proofs_public=True)
    cache.clear()
    shown, page = client.get(address), client.get(f"/b/{made.pack.slug}/problems/{problem}/")
    assert said in unescape(text(shown))
    log = f"/submissions/{made.published.public_id}/{result.proof.problem.ident}/0/"
    assert log in shown.content.decode()
    assert "inversion Hstep" in text(page)
    assert "1 distinct text," in text(page)
    Submission.objects.filter(pk=made.published.pk).update(visibility="withdrawn")
    cache.clear()
    assert "inversion Hstep" not in text(client.get(f"/b/{made.pack.slug}/problems/{problem}/"))


def test_a_problem_names_its_nearest_proved_neighbours_of_the_same_unit(toy):
    grid = grid_at(toy, None)
    units = ["A"] * 40 + ["B"] * 35
    proved = (grid.attempts()[:-1] >= 0).any(axis=0)
    found = nearest_solved(grid, units, 41)
    assert found
    assert all(units[place] == "B" and proved[place] and place != 41 for place in found)
    skipped = [p for p in range(40, 75) if p != 41 and proved[p] and abs(p - 41) < abs(found[-1] - 41)]
    assert set(skipped) <= set(found)


def test_originality_is_shown_where_it_was_computed(client, toy):
    assert "Nothing compared yet" in text(client.get("/b/toy/originality/"))
    summary = RunSummary.objects.first()
    figures = {"proofs": 20, "same": 5, "low": 0.25, "median": 0.5, "high": 0.75}
    summary.counts["originality"] = {"": figures, "P1": figures}
    summary.save()
    cache.clear()
    shown = text(client.get("/b/toy/originality/"))
    assert "20 5 25.0 0.25 0.50 0.75" in shown
    assert "not computed" in shown
    assert "0 0 – – – –" not in shown


def test_a_system_without_an_accepted_proof_of_a_category_stands_there_with_nothing(client, toy):
    first, second = RunSummary.objects.order_by("pk")[:2]
    first.counts["originality"] = {"": {"proofs": 4, "same": 1, "low": None, "median": None, "high": None}}
    second.counts["originality"] = {}
    RunSummary.objects.bulk_update([first, second], ["counts"])
    assert text(client.get("/b/toy/originality/?category=P3")).count("0 0 – – – –") == 2
    shown = text(client.get("/b/toy/originality/"))
    assert "4 1 25.0 – – –" in shown
    assert shown.count("0 0 – – – –") == 1


def test_every_view_is_reached_from_every_other_and_says_so_without_runs(client, db):
    pack_make()
    for name in ("leaderboard", "history", "failures", "times", "augmentations", "originality", "compare", "atlas"):
        page = client.get(f"/b/toy/{name}/")
        assert page.status_code == 200, name
        assert "empty" in text(page), name
        for other in ("history", "failures", "times", "augmentations", "originality", "compare", "atlas", "problems"):
            assert f'href="/b/toy/{other}/"' in page.content.decode(), (name, other)


def test_a_long_board_is_read_page_by_page_with_its_ranks_and_tiers_unchanged(client, db):
    made = pack_make(sizes=(12, 8))
    for number in range(101):
        publish(*made, Method(f"s{number:03d}", "Lab", (number / 100, number / 150), attempts=(0,)))
    rows = json.loads(client.get("/b/toy/leaderboard.json").content)["rows"]
    first, second = (client.get(f"/b/toy/leaderboard/?page={page}").content.decode() for page in (1, 2))
    assert len(rows) == 101
    for place, row in enumerate(rows):
        link = f"/submissions/{row['submission']}/"
        assert (link in first, link in second) == (place < 100, place >= 100)
    assert "Rows 101 to 101 of 101" in text(client.get("/b/toy/leaderboard/?page=2"))


@pytest.mark.parametrize(
    ("systems", "bins"),
    [
        (0, ["no system"]),
        (1, ["no system", "1 system"]),
        (2, ["no system", "1 system", "2 systems"]),
        (4, ["no system", "1 system", "2 to 3 systems", "4 systems"]),
        (9, ["no system", "1 system", "2 to 3 systems", "4 to 7 systems", "8 to 9 systems"]),
    ],
)
def test_bins_of_difficulty_end_with_the_number_of_systems_and_hold_every_problem(db, systems, bins):
    made = pack_make()
    for number in range(systems):
        publish(*made, Method(f"System {number}", f"Team {number}", (0.5, 0.4, 0.3, 0.2), attempts=(0,)))
    benchmark = benchmark_get("toy")
    found = difficulties(benchmark, grid_at(benchmark, None))
    assert [each.words for each in found] == bins
    assert sum(each.numbers[-1] for each in found) == benchmark.total


def test_categories_that_do_not_exist_are_kept_as_one_page(toy, client, monkeypatch):
    keys, once = set(), problem_views.once

    def told(key, make, last=""):
        keys.add(key)
        return once(key, make, last=last)

    monkeypatch.setattr(problem_views, "once", told)
    pages = [text(client.get(f"/b/toy/problems/?category={name}")) for name in ("P1", "nothing", "x" * 50)]
    assert len(keys) == 2
    assert ["No problem of this category" in page for page in pages] == [False, True, True]
