"""What each run of a view scores, and what it is still owed; from a grid, for all runs at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leaderboard.filters import Filters, Metric
from leaderboard.grid import Grid, Whole
from leaderboard.selectors import Benchmark, Entry
from verifier.core.metrics import has_acc, mean_pass_of_tally
from verifier.core.statistics import Interval, wilson


@dataclass(frozen=True)  # without slots: thousands of them are pickled three times as fast
class Score:
    """Problems solved out of all."""

    solved: int
    total: int

    @property
    def interval(self) -> Interval:
        """The 95 % Wilson interval."""
        return wilson(self.solved, self.total)

    @property
    def rate(self) -> float:
        """Share of one."""
        return self.solved / self.total


@dataclass(frozen=True, slots=True)
class View:
    """The rows kept, in the grid's order: what each is ranked by, what it solves of the category, what it is owed."""

    entries: tuple[Entry, ...]
    values: list[float | None]
    solved: NDArray[np.bool_]
    owed: list[int]
    scores: list[dict[tuple[str, int], Score | None]]
    passes: list[dict[int, float | None]]


def view_of(benchmark: Benchmark, grid: Grid, filters: Filters, kept: Sequence[int]) -> View:
    """What the kept rows of the grid score under `filters`."""
    names = np.array(benchmark.listed.categories)
    inside = np.flatnonzero((names == filters.category) | (not filters.category))
    entries = tuple(grid.entries[row] for row in kept)
    solved = grid.solved(filters.k)[kept][:, inside]
    owed = grid.owed(filters.k) if filters.metric is Metric.ACC else grid.withheld > 0
    tallies = grid.count[kept]
    samples = [entry.counts["samples"] for entry in entries]
    if filters.metric is Metric.PASS:
        values = _passes(tallies[:, inside], samples, filters.k)
    else:
        hits = solved.sum(
            axis=1
        ).tolist()  # over one number of problems for all, so that shares are equal where they are
        shown = [bool(len(inside)) and has_acc(number, filters.k) for number in samples]
        values = [number / len(inside) if there else None for number, there in zip(hits, shown, strict=True)]
    passes = {k: _passes(tallies, samples, k) for k in benchmark.k_values}
    return View(
        entries=entries,
        values=values,
        solved=solved,
        owed=owed[kept][:, inside].sum(axis=1).tolist(),
        scores=_scores(benchmark, grid, kept),
        passes=[{k: column[place] for k, column in passes.items()} for place in range(len(entries))],
    )


def _passes(counts: Whole, samples: Sequence[int], k: int) -> list[float | None]:
    """`verifier.core.metrics.mean_pass_of_tally` of every row."""
    numbers = range(int(counts.max(initial=0)) + 1)
    tallies = np.stack([(counts == number).sum(axis=1) for number in numbers], axis=1).tolist()
    return [mean_pass_of_tally(tally, sent, k) for tally, sent in zip(tallies, samples, strict=True)]


def _scores(benchmark: Benchmark, grid: Grid, kept: Sequence[int]) -> list[dict[tuple[str, int], Score | None]]:
    """ACC#k of every category and of all, for every k of the pack, one dictionary a row kept."""
    names = np.array(benchmark.listed.categories)
    inside = {"": np.ones(benchmark.total, dtype=bool)} | {
        each.name: names == each.name for each in benchmark.categories
    }
    found: list[dict[tuple[str, int], Score | None]] = [{} for _ in kept]
    for k in benchmark.k_values:
        solved = grid.solved(k)[kept]
        here = [has_acc(grid.entries[row].counts["samples"], k) for row in kept]
        for name, places in inside.items():
            total = int(places.sum())
            made = [Score(hits, total) for hits in range(total + 1)]  # few, and shared by many rows
            for scores, hits, uploaded in zip(found, solved[:, places].sum(axis=1).tolist(), here, strict=True):
                scores[name, k] = made[hits] if uploaded and total else None
    return found
