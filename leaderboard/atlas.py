"""Problems by systems as one picture: packed cells for a canvas, and counts for a table."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from leaderboard.grid import Grid, Whole
from leaderboard.selectors import Benchmark
from leaderboard.standings import Row

NOT_PROVED, AT_FIRST, LATER, UNKNOWN = range(4)
LOWS: Final = (0, 1, 2, 4, 8, 16, 32, 64)  # where the bins of difficulty begin


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How many problems of one category are proved by so many systems, `low` to `high`."""

    low: int
    high: int
    numbers: tuple[int, ...]  # one a category, the last for all

    @property
    def words(self) -> str:
        """The bin as it is read."""
        if self.high == 0:
            return "no system"
        number = str(self.low) if self.low == self.high else f"{self.low} to {self.high}"
        return f"{number} system{'' if self.high == 1 else 's'}"


def cells(grid: Grid, rows: Sequence[int]) -> Whole:
    """State of each problem in each row: not proved, at the scoring attempt, at another one, missing or withheld."""
    first = grid.solved(1)[rows]
    later = (grid.attempts()[rows] >= 0) & ~first
    unknown = np.isin(grid.error[rows], [b"m", b"i"]) & ~first & ~later
    return np.select([first, later, unknown], [AT_FIRST, LATER, UNKNOWN], NOT_PROVED).astype(np.int16)


def order_of(grid: Grid) -> list[int]:
    """Places of problems from the one that most systems prove to those that none does; equal ones in set order."""
    return [int(place) for place in np.argsort(-solved_by(grid), kind="stable")]


def solved_by(grid: Grid) -> Whole:
    """How many systems prove each problem at some attempt; references are not counted."""
    kept = [row for row, entry in enumerate(grid.entries) if not entry.reference]
    found: Whole = (grid.attempts()[kept] >= 0).sum(axis=0, dtype=np.int16)
    return found


def packed(states: Whole) -> str:
    """Four cells a byte, first cell in the lowest bits, rows one after the other, as base64."""
    flat = states.astype(np.uint8).ravel()
    padded = np.zeros(-(-flat.size // 4) * 4, dtype=np.uint8)
    padded[: flat.size] = flat
    quads = padded.reshape(-1, 4)
    return base64.b64encode(
        (quads << np.array([0, 2, 4, 6], dtype=np.uint8)).sum(axis=1, dtype=np.uint8).tobytes()
    ).decode()


def picture(benchmark: Benchmark, grid: Grid, rows: Sequence[Row], idents: Sequence[str]) -> dict[str, Any]:
    """What the canvas draws: problems by difficulty, systems in the order of the board, packed cells."""
    places = {entry.submission: place for place, entry in enumerate(grid.entries)}
    kept, order = [places[row.entry.submission] for row in rows], order_of(grid)
    return {
        "problems": [idents[place] for place in order],
        "categories": [benchmark.listed.categories[place] for place in order],
        "systems": [f"{row.entry.system}, {row.entry.team}" for row in rows],
        "submissions": [row.entry.submission if row.entry.public else "" for row in rows],
        "cells": packed(cells(grid, kept)[:, order]) if kept else "",
    }


def difficulties(benchmark: Benchmark, grid: Grid) -> list[Difficulty]:
    """Problems counted by how many systems prove them, per category; references are not counted."""
    systems = sum(not entry.reference for entry in grid.entries)
    proved = solved_by(grid)
    names = np.array(benchmark.listed.categories)
    found = []
    lows = [low for low in LOWS if low <= systems]
    for low, high in zip(lows, [*(low - 1 for low in lows[1:]), systems], strict=True):
        inside = (proved >= low) & (proved <= high)
        numbers = [int((inside & (names == each.name)).sum()) for each in benchmark.categories]
        found.append(Difficulty(low, high, (*numbers, int(inside.sum()))))
    return found


def nearest_solved(grid: Grid, units: Sequence[str], index: int, limit: int = 3) -> list[int]:
    """Places of the nearest problems of the same unit, in set order, that some system proves; nearest first."""
    proved = solved_by(grid).tolist()
    near = [place for place, unit in enumerate(units) if place != index and unit == units[index] and proved[place]]
    return sorted(near, key=lambda place: (abs(place - index), place))[:limit]
