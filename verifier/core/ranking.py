"""Who stands where: equal score, equal rank; what is incomplete, a reference or only reported holds no rank.

Ranks are computed from scores as they are, never from rounded ones: fractions for ACC#k, floats for averages.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Standing(StrEnum):
    """What a row of a board is, in the order in which groups of rows are shown."""

    RANKED = "ranked"
    UNSCORED = "unscored"  # has no value of the metric that the board is ranked by
    INCOMPLETE = "incomplete"  # a result is withheld because the platform failed
    REPORTED = "reported"  # a figure of a paper, not checked here
    REFERENCE = "reference"  # ground truth or baseline of the host


ORDER = tuple(Standing)


@dataclass(frozen=True, slots=True)
class Contender:
    """A row before ranking. `score` is not rounded; `since` (an ISO date) and `key` order equal scores."""

    key: str
    score: Fraction | float | None
    since: str
    incomplete: bool = False
    reference: bool = False
    reported: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands; `rank` is None for everything that is not ranked."""

    key: str
    standing: Standing
    rank: int | None


def standing(row: Contender) -> Standing:
    """The one group a row belongs to; being a reference or reported weighs more than its score."""
    if row.reference:
        return Standing.REFERENCE
    if row.reported:
        return Standing.REPORTED
    if row.incomplete:
        return Standing.INCOMPLETE
    return Standing.UNSCORED if row.score is None else Standing.RANKED


def rank(rows: Iterable[Contender]) -> list[Place]:
    """All rows, best first within each group, ranked ones first and references last.

    A rank is one more than the number of ranked rows with a strictly higher score, so equal scores share it and the
    next one is skipped. Equal scores are listed by earlier date, then by key.
    """
    ordered = sorted(rows, key=lambda row: (ORDER.index(standing(row)), _descending(row.score), row.since, row.key))
    places: list[Place] = []
    shared, last = 0, None
    for number, row in enumerate(ordered, start=1):
        group = standing(row)
        if group is Standing.RANKED and row.score != last:
            shared, last = number, row.score
        places.append(Place(key=row.key, standing=group, rank=shared if group is Standing.RANKED else None))
    return places


def _descending(score: Fraction | float | None) -> tuple[int, Fraction | float]:
    """Sort key: higher scores first, rows without one last."""
    return (1, 0) if score is None else (0, -score)
