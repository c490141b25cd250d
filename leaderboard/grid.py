"""Published runs as matrices, one row a run and one column a problem of the set; read once, kept under the stamp."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard.cache import once
from leaderboard.selectors import Benchmark, Entry, entries_all, entries_at
from verifier.core.metrics import INTERNAL

Whole = NDArray[np.int16]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Grid:
    """`entries` name the rows; the other fields are the vectors of `verifier.core.metrics.Summary`, stacked."""

    entries: tuple[Entry, ...]
    scoring: Whole
    first: Whole
    greedy: Whole
    count: Whole
    withheld: Whole
    error: NDArray[np.bytes_]

    def solved(self, k: int) -> Truths:
        """What ACC#k counts in every run: `verifier.core.metrics.solved` for all rows at once."""
        sampled: Truths = (self.first > 0) & (self.first <= k)
        if k > 1:
            return sampled
        chosen: Truths = np.where(self.scoring[:, np.newaxis] == 0, self.greedy > 0, sampled)
        return chosen

    def owed(self, k: int) -> Truths:
        """Where a verdict is owed that ACC#k waits for: `verifier.core.metrics.owed` for all rows at once."""
        if k == 1:
            letters: Truths = self.error == INTERNAL.encode()
            return letters
        return (self.withheld > 0) & (self.withheld <= k) & ~self.solved(k)

    def attempts(self) -> Whole:
        """First attempt that was proved, greedy before samples; -1 where none was."""
        return np.where(self.greedy > 0, 0, np.where(self.first > 0, self.first, -1)).astype(np.int16)

    def place(self, submission: str) -> int | None:
        """Row of a submission."""
        return next((row for row, entry in enumerate(self.entries) if entry.submission == submission), None)


def grid_at(benchmark: Benchmark, at: datetime | None) -> Grid:
    """What the board counts now, or counted at a past moment."""
    key = f"grid|{benchmark.state}|{at.isoformat() if at else ''}"
    return once(key, lambda: _stacked(benchmark, entries_at(benchmark, at)))


def grid_ever(benchmark: Benchmark) -> Grid:
    """Everything that the board counts or has counted, by the day it was published."""
    return once(f"grid ever|{benchmark.state}", lambda: _stacked(benchmark, entries_all(benchmark)))


def _stacked(benchmark: Benchmark, pairs: Sequence[tuple[Entry, dict[str, Any]]]) -> Grid:
    def stack(name: str) -> Whole:
        return np.array([vectors[name] for _, vectors in pairs], dtype=np.int16).reshape(len(pairs), benchmark.total)

    letters = b"".join(vectors["error"].encode() for _, vectors in pairs)
    return Grid(
        entries=tuple(entry for entry, _ in pairs),
        scoring=np.array([entry.counts["scoring"] for entry, _ in pairs], dtype=np.int16),
        first=stack("first"),
        greedy=stack("greedy"),
        count=stack("count"),
        withheld=stack("withheld"),
        error=np.frombuffer(letters, dtype="S1").reshape(len(pairs), benchmark.total),
    )
