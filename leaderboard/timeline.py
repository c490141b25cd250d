"""How scores moved: every published run on its day, and the best that stood on the board after each day of change."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

from leaderboard.filters import Filters
from leaderboard.grid import Grid
from leaderboard.scores import Score, view_of
from leaderboard.selectors import Benchmark, Entry


@dataclass(frozen=True, slots=True)
class Point:
    """One published run with what it scores; `owed` while the platform owes it a verdict."""

    entry: Entry
    score: Score
    owed: bool


@dataclass(frozen=True, slots=True)
class Day:
    """The best run on the board at the end of a day, None where none was; `better` where it beats all days before."""

    day: date
    best: Point | None
    better: bool
    systems: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """All points in the order of publishing, and the days on which the board changed."""

    points: tuple[Point, ...]
    days: tuple[Day, ...]


def timeline(benchmark: Benchmark, grid: Grid, filters: Filters) -> Timeline:
    """Scores over time by ACC#k, of one category or of all; references are left out."""
    kept = [row for row, entry in enumerate(grid.entries) if not entry.reference]
    view = view_of(benchmark, grid, filters, kept)
    points = []
    for place, row in enumerate(kept):
        score = view.scores[place][filters.category, filters.k]
        if score is not None:
            points.append(Point(grid.entries[row], score, bool(view.owed[place])))
    return Timeline(tuple(points), tuple(_days(points)))


def _days(points: list[Point]) -> list[Day]:
    moments = [point.entry.since for point in points]
    moments += [point.entry.until for point in points if point.entry.until]
    days, highest = [], -1
    for day in sorted({_day(moment) for moment in moments}):
        there = [point for point in points if _day(point.entry.since) <= day and _stands(point.entry.until, day)]
        scored = [point for point in there if not point.owed]
        best = max(scored, key=lambda point: point.score.solved, default=None)  # of equal ones the earliest
        better = best is not None and best.score.solved > highest
        highest = max(highest, best.score.solved if best else -1)
        days.append(Day(day, best, better, len({point.entry.system_id for point in there})))
    return days


def _day(moment: datetime) -> date:
    return moment.astimezone(UTC).date()


def _stands(until: datetime | None, day: date) -> bool:
    return until is None or _day(until) > day
