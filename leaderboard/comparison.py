"""Two systems over the same problems: what both prove, what one proves alone, and whether chance explains it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from leaderboard.grid import Grid, Truths
from leaderboard.scores import Score
from leaderboard.selectors import Benchmark, Entry
from verifier.core.augmentation import Augmentation
from verifier.core.statistics import ALPHA, Paired, paired

PARTS: Final = ("only_first", "only_second", "both", "neither")


@dataclass(frozen=True, slots=True)
class PairRow:
    """The fourfold table of one category, or of all where `category` is empty; `test` is the exact McNemar test."""

    category: str
    first: Score
    second: Score
    both: int
    neither: int
    test: Paired

    @property
    def difference(self) -> float:
        """Score of the first less that of the second, a share of one."""
        return self.first.rate - self.second.rate

    @property
    def differs(self) -> bool:
        """Whether chance alone hardly explains the difference."""
        return self.test.p < ALPHA


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that the page of two systems shows; `lists` holds places of problems by part."""

    first: Entry
    second: Entry
    rows: tuple[PairRow, ...]
    lists: dict[str, tuple[int, ...]]
    owed: int


def compare(benchmark: Benchmark, grid: Grid, first: int, second: int, k: int) -> Comparison:
    """Rows `first` and `second` of the grid by ACC#k; `owed` counts verdicts of either that are still open."""
    solved, names = grid.solved(k), np.array(benchmark.listed.categories)
    one, two = solved[first], solved[second]
    rows = [_row(each.name, one, two, names == each.name) for each in benchmark.categories]
    everywhere: Truths = np.ones(benchmark.total, dtype=bool)
    parts = dict(zip(PARTS, (one & ~two, two & ~one, one & two, ~one & ~two), strict=True))
    return Comparison(
        first=grid.entries[first],
        second=grid.entries[second],
        rows=(*rows, _row("", one, two, everywhere)),
        lists={name: tuple(np.flatnonzero(places).tolist()) for name, places in parts.items()},
        owed=int(grid.owed(k)[[first, second]].sum()),
    )


def _row(category: str, one: Truths, two: Truths, inside: Truths) -> PairRow:
    first, second, total = one[inside], two[inside], int(inside.sum())
    return PairRow(
        category=category,
        first=Score(int(first.sum()), total),
        second=Score(int(second.sum()), total),
        both=int((first & second).sum()),
        neither=int((~first & ~second).sum()),
        test=paired(first.tolist(), second.tolist()),
    )


@dataclass(frozen=True, slots=True)
class Effect:
    """One model with one set of augmentations beside the same model without: a row per category and one for all."""

    entry: Entry
    rows: tuple[PairRow, ...]  # first: with, second: without


@dataclass(frozen=True, slots=True)
class Family:
    """All published systems of one team's model, the bare one first; `scores` by category and "" for all."""

    model: str
    base: Entry
    scores: tuple[Score, ...]
    effects: tuple[Effect, ...]


def families(benchmark: Benchmark, grid: Grid, kept: Sequence[int]) -> list[Family]:
    """Models that were published bare and with some augmentation, by ACC#1 (Selene, Tables 4 and 6).

    Of several systems with the same model and augmentations the last published one counts. A system that does not say
    its model is in no family.
    """
    found: dict[tuple[str, str], dict[tuple[str, ...], int]] = {}
    for row in kept:
        entry = grid.entries[row]
        if entry.model and not entry.reference:
            found.setdefault((entry.team_id, entry.model), {})[tuple(sorted(entry.augmentations))] = row
    made = []
    for (_, model), members in sorted(found.items(), key=lambda pair: (pair[0][1].casefold(), pair[0][0])):
        base = members.get(())
        if base is None or len(members) == 1:
            continue
        others = sorted((names for names in members if names), key=lambda names: (len(names), _order(names)))
        effects = [
            Effect(grid.entries[members[names]], compare(benchmark, grid, members[names], base, 1).rows)
            for names in others
        ]
        scores = tuple(row.second for row in effects[0].rows)
        made.append(Family(model, grid.entries[base], scores, tuple(effects)))
    return made


def _order(names: Sequence[str]) -> list[int]:
    order = list(map(str, Augmentation))
    return [order.index(name) if name in order else len(order) for name in names]
