"""Who proves which problem, computed from the vectors of published runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.cache import once
from leaderboard.selectors import Benchmark, Entry, entries_at
from verifier.models import Problem

WORDS = {"u": "undefined", "l": "logic", "o": "other", "m": "missing", "i": "withheld"}


@dataclass(frozen=True, slots=True)
class Line:
    """A problem in the list: in the set or not, and how many of `systems` prove it at some attempt."""

    problem: Problem
    in_set: bool
    solved: int
    systems: int


@dataclass(frozen=True, slots=True)
class Solver:
    """What one system did with one problem. `attempt` is the first that was proved; `failure` the class, if none."""

    submission: str
    system: str
    team: str
    public: bool
    solved: bool
    attempt: int | None
    proved: int
    uploaded: int
    failure: str


def lines(benchmark: Benchmark, rows: Sequence[Problem], places: Mapping[int, int]) -> list[Line]:
    """All problems with the number of systems that prove them; references are not counted."""
    entries = _systems(benchmark)
    numbers = [sum(_attempt(entry, index) is not None for entry in entries) for index in range(benchmark.total)]
    found = []
    for row in rows:
        index = places.get(row.pk)
        found.append(Line(row, index is not None, 0 if index is None else numbers[index], len(entries)))
    return found


def solvers(benchmark: Benchmark, index: int | None) -> list[Solver]:
    """Every published system and what it did with the problem at this place; those that prove it first."""
    if index is None:
        return []
    found = [_solver(entry, index) for entry in entries_at(benchmark, None)]
    return sorted(found, key=lambda each: (not each.solved, each.attempt or 0, each.system.casefold()))


def _systems(benchmark: Benchmark) -> list[Entry]:
    def make() -> list[Entry]:
        return [entry for entry in entries_at(benchmark, None) if not entry.reference]

    return once(f"entries|{benchmark.state}", make)


def _solver(entry: Entry, index: int) -> Solver:
    attempt = _attempt(entry, index)
    return Solver(
        submission=entry.submission,
        system=entry.system,
        team=entry.team,
        public=entry.public,
        solved=attempt is not None,
        attempt=attempt,
        proved=entry.vectors["count"][index] + entry.vectors["greedy"][index],
        uploaded=entry.vectors["samples"][index],
        failure="" if attempt is not None else WORDS.get(entry.vectors["error"][index], ""),
    )


def _attempt(entry: Entry, index: int) -> int | None:
    """First attempt that was proved, greedy before samples."""
    if entry.vectors["greedy"][index]:
        return 0
    return entry.vectors["first"][index] or None
