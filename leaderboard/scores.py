"""What each run of a view scores, and what it is still owed; from a grid, for all runs at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from leaderboard.filters import Filters, Metric
from leaderboard.grid import Grid
from leaderboard.selectors import Benchmark, Entry
from verifier.core.metrics import has_acc, mean_pass_at_k
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
    values: list[Fraction | float | None]
    solved: NDArray[np.bool_]
    owed: list[int]
    scores: list[dict[tuple[str, int], Score | None]]
    passes: list[dict[int, float | None]]


def view_of(benchmark: Benchmark, grid: Grid, filters: Filters, kept: Sequence[int]) -> View:
    """What the kept rows of the grid score under `filters`."""
    names = np.array(benchmark.members)
    inside = np.flatnonzero((names == filters.category) | (not filters.category))
    entries = tuple(grid.entries[row] for row in kept)
    solved = grid.solved(filters.k)[kept][:, inside]
    owed = grid.owed(filters.k) if filters.metric is Metric.ACC else grid.withheld > 0
    tallies = grid.count[kept]
    values: list[Fraction | float | None] = []
    for place, entry in enumerate(entries):
        samples = entry.counts["samples"]
        if filters.metric is Metric.PASS:
            values.append(mean_pass_at_k(tallies[place, inside].tolist(), samples, filters.k))
        elif len(inside) and has_acc(samples, filters.k):
            values.append(Fraction(int(solved[place].sum()), len(inside)))
        else:
            values.append(None)
    return View(
        entries=entries,
        values=values,
        solved=solved,
        owed=owed[kept][:, inside].sum(axis=1).tolist(),
        scores=_scores(benchmark, grid, kept),
        passes=[
            {k: mean_pass_at_k(tally, entry.counts["samples"], k) for k in benchmark.k_values}
            for entry, tally in zip(entries, tallies.tolist(), strict=True)
        ],
    )


def _scores(benchmark: Benchmark, grid: Grid, kept: Sequence[int]) -> list[dict[tuple[str, int], Score | None]]:
    """ACC#k of every category and of all, for every k of the pack, one dictionary a row kept."""
    names = np.array(benchmark.members)
    inside = {"": np.ones(benchmark.total, dtype=bool)} | {
        each.name: names == each.name for each in benchmark.categories
    }
    found: list[dict[tuple[str, int], Score | None]] = [{} for _ in kept]
    for k in benchmark.k_values:
        solved = grid.solved(k)[kept]
        here = [has_acc(grid.entries[row].counts["samples"], k) for row in kept]
        for name, places in inside.items():
            total = int(places.sum())
            for scores, hits, uploaded in zip(found, solved[:, places].sum(axis=1).tolist(), here, strict=True):
                scores[name, k] = Score(hits, total) if uploaded and total else None
    return found
