"""Boards made anew: what a change costs, what others read meanwhile; the quick way says what the plain one does."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from django.core.cache import cache
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard import cache as board_cache
from leaderboard.cache import once
from leaderboard.filters import Filters, Metric
from leaderboard.grid import Grid, grid_at, grid_ever, stacked
from leaderboard.scores import view_of
from leaderboard.selectors import Benchmark, CategoryInfo, Entry, Listed, benchmark_get, entries_all, entries_at
from submissions.models import BoardEntry, Result, RunSummary, Submission
from submissions.services.summaries import run_summarise, stamp_bump
from tests.leaderboard.seed import METHODS, START, Method, board_make, publish
from tests.seed import seed
from verifier.core.metrics import has_acc, pass_at_k
from verifier.models import Pack

LATE = Method("late comer", "Sample Lab 9", (0.9, 0.9, 0.9, 0.9))


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


def bumped():
    stamp_bump(pack_id=Pack.objects.get().pk)


@contextmanager
def somebody_else_makes_it(monkeypatch):
    with monkeypatch.context() as patch:
        taken = board_cache._taken
        patch.setattr(board_cache, "_taken", lambda turn: turn != board_cache.TURN and taken(turn))
        yield


def same(one, other):
    assert one.entries == other.entries
    for name in set(Grid.__slots__) - {"entries"}:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
        assert getattr(one, name).dtype == getattr(other, name).dtype, name


def plain(benchmark, read):
    return stacked(benchmark.total, read({}))


def change(made, number):
    """Something that changes a board; the number chooses what."""
    entries = BoardEntry.objects.filter(valid_to=None).order_by("pk")
    if number == 0 and entries:
        entries.filter(pk=entries.first().pk).update(valid_to=START)
    elif number == 1 and entries:
        summary = RunSummary.objects.get(run=entries.last().run)
        summary.vectors["greedy"] = [1 - value for value in summary.vectors["greedy"]]
        summary.counts["judged"] += 1
        summary.save()
    else:
        publish(*made, replace(LATE, name=f"late {BoardEntry.objects.count()}"), day=BoardEntry.objects.count())
    bumped()


@pytest.mark.parametrize("changes", [(2, 2), (0, 2), (1,), (1, 0, 2, 1), (0, 0, 1, 2, 2, 0)])
def test_a_grid_made_of_the_one_before_is_the_one_made_from_nothing(db, changes):
    made = board_make(METHODS[:2])
    for number in (None, *changes):
        if number is not None:
            change(made, number)
        found = benchmark_get("toy")
        same(grid_at(found, None), plain(found, lambda known, on=found: entries_at(on, None, known)))
        same(grid_ever(found), plain(found, lambda known, on=found: entries_all(on, known)))


def test_a_new_run_is_the_only_one_whose_vectors_are_read(db):
    made = board_make()
    known = {entry.run: entry for entry in grid_at(benchmark_get("toy"), None).entries}
    added = publish(*made, LATE, day=30)
    read = entries_at(benchmark_get("toy"), None, known)
    assert set(read.vectors) == {added.run.public_id}
    assert len(read.entries) == len(known) + 1


@settings(max_examples=30)
@given(st.data())
def test_scores_of_all_runs_at_once_are_those_of_each_run_counted_by_itself(data):
    total, samples = 6, data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
    counts = np.array([data.draw(st.lists(st.integers(0, n), min_size=total, max_size=total)) for n in samples])
    zeros, first = np.zeros_like(counts, dtype=np.int16), (counts > 0).astype(np.int16)
    entries = tuple(entry_of(str(row), number) for row, number in enumerate(samples))
    blank = np.full(counts.shape, b"-")
    grid = Grid(entries, np.ones(len(samples), dtype=np.int16), first, zeros, counts.astype(np.int16), zeros, blank)
    names = ("A", "A", "A", "A", "B", "B")
    benchmark = Benchmark(
        pack=None, problem_set=None, categories=(CategoryInfo("A", "", 4), CategoryInfo("B", "", 2)),
        listed=Listed(names), k_values=(1, 5), primary_k=1, state="",
    )  # fmt: skip
    acc = view_of(benchmark, grid, Filters(category="A"), range(len(samples)))
    mean = view_of(benchmark, grid, Filters(k=5, metric=Metric.PASS), range(len(samples)))
    for row, n in enumerate(samples):
        assert acc.values[row] == float(Fraction(int(first[row, :4].sum()), 4))
        assert acc.scores[row]["B", 1].solved == first[row, 4:].sum()
        assert (acc.scores[row]["", 5] is None) == (not has_acc(n, 5))
        expected = np.mean([pass_at_k(n, int(c), 5) for c in counts[row]]) if n >= 5 else None
        assert mean.values[row] == mean.passes[row][5] == (None if n < 5 else pytest.approx(expected, abs=1e-12))


def entry_of(name, samples):
    return Entry(
        submission=name, run=name, system=name, system_id=name, model="", team="", team_id="", augmentations=(),
        open_source=False, reference=False, public=True, since=START, environment="", version="",
        counts={"samples": samples, "scoring": 1},
    )  # fmt: skip


def test_a_late_page_says_as_of_when_and_is_the_newest_afterwards(client, db, monkeypatch):
    made = board_make()
    pages = ["leaderboard/", "history/", "failures/", "atlas/", "problems/", "problems/lemma_0001/"]
    for page in pages:
        assert "Reload it for the newest" not in client.get(f"/b/toy/{page}").content.decode(), page
    publish(*made, LATE, day=30)
    bumped()
    with somebody_else_makes_it(monkeypatch):
        for page in pages:
            late = client.get(f"/b/toy/{page}")
            assert "This page shows the board as of" in late.content.decode(), page
            assert late.headers["Last-Modified"], page
    for page in pages:
        fresh = client.get(f"/b/toy/{page}")
        assert "Reload it for the newest" not in fresh.content.decode(), page
        assert "Last-Modified" not in fresh.headers, page


def asked_meanwhile(*questions):
    """What other threads get that ask while one value is made anew."""
    with ThreadPoolExecutor(1) as other:

        def make():
            return [other.submit(question).result() for question in questions]

        once("one|1", lambda: 1, last="one")
        return once("one|2", make, last="one")


def test_only_one_of_the_values_that_have_an_earlier_one_is_made_anew_at_a_time():
    once("two|1", lambda: 1, last="two")
    two, three = asked_meanwhile(
        lambda: once("two|2", lambda: 2, last="two"),
        lambda: once("three|2", lambda: 3, last="three"),  # nothing to show meanwhile, so it is made
    )
    assert (two, three) == (1, 3)
    assert once("two|2", lambda: 2, last="two") == 2


def test_of_the_values_that_are_asked_for_the_oldest_is_made_first(monkeypatch):
    for name in ("old", "young"):
        once(f"{name}|1", lambda: 1, last=name)
    anew = lambda name: once(f"{name}|2", lambda: 2, last=name)  # noqa: E731
    with somebody_else_makes_it(monkeypatch):
        assert anew("old") == 1
    assert [anew(name) for name in ("young", "old", "young")] == [1, 2, 2]
    with somebody_else_makes_it(monkeypatch):
        assert once("old|3", lambda: 3, last="old") == 2
    monkeypatch.setattr(board_cache, "ASKED_SECONDS", -1)  # whoever asked has gone
    assert once("young|3", lambda: 3, last="young") == 3


def test_an_earlier_value_that_is_old_or_may_not_be_shown_any_more_is_not(monkeypatch):
    once("quote|1", lambda: "said", last="quote")
    hidden = lambda: once("quote|2", lambda: "", last="quote", shows=lambda earlier: earlier != "said")  # noqa: E731
    assert asked_meanwhile(hidden) == [""]
    cache.clear()
    once("quote|1", lambda: "said", last="quote")
    monkeypatch.setattr(board_cache, "LATE_SECONDS", -1)
    assert asked_meanwhile(lambda: once("quote|2", lambda: "new", last="quote")) == ["new"]


def test_what_is_made_of_other_values_is_made_of_the_newest():
    once("part|1", lambda: 1, last="part")
    once("whole|1", lambda: 1, last="whole")
    assert once("whole|2", lambda: once("part|2", lambda: 2, last="part"), last="whole") == 2


def test_whoever_waited_in_vain_takes_no_turn_away(monkeypatch):
    monkeypatch.setattr(board_cache, "REBUILD_SECONDS", 0.01)
    monkeypatch.setattr(board_cache, "_taken", lambda _: False)
    given = []
    monkeypatch.setattr(board_cache, "_given_back", given.append)
    assert once("alone", lambda: 1) == 1
    assert given == []


def test_what_is_withdrawn_is_quoted_by_no_late_page(client, db, monkeypatch):
    made = seed(lemmas=8)
    results = Result.objects.filter(run__submission=made.published)
    failed = results.filter(proof__attempt=0).exclude(error_class="").first()
    proved = results.filter(verdict="proved").first().proof.problem.ident
    pages = {f"problems/{proved}/": "inversion Hstep", "failures/": f"/{failed.proof.problem.ident}/0/"}
    Submission.objects.filter(pk=made.published.pk).update(proofs_public=True)

    def late(page):
        shown = client.get(f"/b/{made.pack.slug}/{page}").content.decode()
        return "Reload it for the newest" in shown, pages[page] in shown

    assert [late(page) for page in pages] == [(False, True)] * 2
    stamp_bump(pack_id=made.pack.pk)
    with somebody_else_makes_it(monkeypatch):
        assert [late(page) for page in pages] == [(True, True)] * 2
        Submission.objects.filter(pk=made.published.pk).update(proofs_public=False)
        assert [late(page) for page in pages] == [(False, False)] * 2


def test_a_value_is_forgotten_with_the_cache_and_little_enough_is_remembered(monkeypatch):
    calls = []
    for _ in range(2):
        once("kept", lambda: calls.append(1))
    cache.clear()
    once("kept", lambda: calls.append(1))
    assert len(calls) == 2
    monkeypatch.setattr(board_cache, "MEMORY_BYTES", 5000)
    for number in range(20):
        once(f"big|{number}", lambda: "x" * 1000)
    assert sum(size for _, size in board_cache._memory.values()) <= 5000
    assert once("big|0", lambda: "made again") == "x" * 1000


def test_a_summary_written_anew_changes_also_boards_that_counted_its_run_once(db):
    made = seed(lemmas=8)
    entry = BoardEntry.objects.filter(run__submission=made.published).first()
    BoardEntry.objects.filter(pk=entry.pk).update(valid_to=START)
    before = benchmark_get(made.pack.slug).state
    run_summarise(run=entry.run)
    assert benchmark_get(made.pack.slug).state != before
