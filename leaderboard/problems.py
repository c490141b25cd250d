"""Who proves which problem, computed from the vectors of published runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.atlas import solved_by
from leaderboard.grid import Grid
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
    reference: bool
    solved: bool
    attempt: int | None
    proved: int
    failure: str


def lines(grid: Grid, rows: Sequence[Problem], places: Mapping[int, int]) -> list[Line]:
    """All problems with the number of systems that prove them; references are not counted."""
    numbers, systems = solved_by(grid).tolist(), sum(not entry.reference for entry in grid.entries)
    found = []
    for row in rows:
        index = places.get(row.pk)
        found.append(Line(row, index is not None, 0 if index is None else numbers[index], systems))
    return found


def proved_by(grid: Grid, index: int) -> int:
    """How many systems prove the problem at this place; references are not counted."""
    return int(solved_by(grid)[index])


def solvers(grid: Grid, index: int) -> list[Solver]:
    """Every published system and what it did with the problem at this place; provers first, references last."""
    attempts = grid.attempts()[:, index].tolist()
    proved = (grid.count[:, index] + grid.greedy[:, index]).tolist()
    letters = [letter.decode() for letter in grid.error[:, index].tolist()]
    found = [
        Solver(
            submission=entry.submission,
            system=entry.system,
            team=entry.team,
            public=entry.public,
            reference=entry.reference,
            solved=attempts[row] >= 0,
            attempt=None if attempts[row] < 0 else attempts[row],
            proved=proved[row],
            failure="" if attempts[row] >= 0 else WORDS.get(letters[row], ""),
        )
        for row, entry in enumerate(grid.entries)
    ]
    return sorted(found, key=lambda each: (each.reference, not each.solved, each.attempt or 0, each.system.casefold()))
