"""Published runs as matrices, one row a run and one column a problem of the set; read once, kept under the stamp."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leaderboard.cache import latest, once
from leaderboard.selectors import Benchmark, Entry, Read, entries_all, entries_at
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
    moment = at.isoformat() if at else ""
    return _kept(benchmark, moment, lambda known: entries_at(benchmark, at, known))


def grid_ever(benchmark: Benchmark) -> Grid:
    """Everything that the board counts or has counted, by the day it was published."""
    return _kept(benchmark, "ever", lambda known: entries_all(benchmark, known))


def _kept(benchmark: Benchmark, which: str, read: Callable[[dict[str, Entry]], Read]) -> Grid:
    """The grid of a state; what one before it holds of the same runs is taken over, so a new run costs one row."""
    last = f"grid|{benchmark.pack.slug}|{benchmark.problem_set.digest}|{which}"

    def make() -> Grid:
        earlier = latest(last)
        if not isinstance(earlier, Grid):
            return stacked(benchmark.total, read({}))
        return stacked(benchmark.total, read({entry.run: entry for entry in earlier.entries}), earlier)

    # An earlier grid is there for making the next one of it, and is shown to nobody.
    return once(f"grid|{benchmark.state}|{which}", make, last=last, shows=lambda _: False)


def stacked(total: int, read: Read, earlier: Grid | None = None) -> Grid:
    """The grid of the entries read; rows of runs whose vectors were not read are those of an earlier grid."""
    known = earlier.entries if earlier else ()
    rows = {entry.run: row for row, entry in enumerate(known)}
    rows |= {run: row for row, run in enumerate(read.vectors, start=len(known))}
    order = [rows[entry.run] for entry in read.entries]

    def joined(before: NDArray[Any] | None, new: NDArray[Any]) -> NDArray[Any]:
        new = new.reshape(len(read.vectors), total)
        return (new if before is None else np.concatenate((before, new)))[order]

    def stack(name: str) -> Whole:
        new = np.array([vectors[name] for vectors in read.vectors.values()], dtype=np.int16)
        return joined(getattr(earlier, name, None), new)

    letters = b"".join(vectors["error"].encode() for vectors in read.vectors.values())
    return Grid(
        entries=read.entries,
        scoring=np.array([entry.counts["scoring"] for entry in read.entries], dtype=np.int16),
        first=stack("first"),
        greedy=stack("greedy"),
        count=stack("count"),
        withheld=stack("withheld"),
        error=joined(earlier.error if earlier else None, np.frombuffer(letters, dtype="S1")),
    )
