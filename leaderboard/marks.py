"""Numbers as the site writes and draws them: one decimal, percent coordinates in attributes, never a style."""

import math
from dataclasses import dataclass

from leaderboard.comparison import PairRow
from leaderboard.scores import Score
from leaderboard.standings import Board, Errors, Row


@dataclass(frozen=True, slots=True)
class Tick:
    """A gridline of the forest plot: where it stands and what it says."""

    x: str
    label: str
    anchor: str
    odd: bool


@dataclass(frozen=True, slots=True)
class Axis:
    """Shared axis from 0 to `end` percent."""

    end: int
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval on 0 to 100 %: band and tick."""

    x: str
    width: str
    tick: str


@dataclass(frozen=True, slots=True)
class Whisker:
    """Dot and whiskers on the shared axis; `beyond` where the dot lies past its end."""

    low: str
    high: str
    dot: str
    interval: bool
    beyond: bool


@dataclass(frozen=True, slots=True)
class Split:
    """The three parts of an error bar."""

    undefined: str
    logic_x: str
    logic: str
    other_x: str
    other: str


@dataclass(frozen=True, slots=True)
class Fourfold:
    """The four parts of a comparison's bar."""

    both: str
    first_x: str
    first: str
    second_x: str
    second: str
    neither_x: str
    neither: str


def percent(share: float) -> str:
    """A rate with one decimal, without the sign."""
    return f"{100 * share:.1f}"


def axis(board: Board) -> Axis:
    """Ends at the next ten above the highest ranked interval, beyond 50 at the next twenty; six labels at most.

    `odd` labels are left out where there is little room: every other one, or all between the ends.
    """
    highs = [row.score.interval.high if row.score else row.value or 0.0 for row in board.ranked]
    end = min(100, max(10, 10 * math.ceil(round(10 * max(highs, default=1.0), 9))))
    step = 10 if end <= 50 else 20
    end = step * math.ceil(end / step)
    values = range(0, end + 1, step)
    lines = len(values) - 1
    ticks = []
    for number, value in enumerate(values):
        anchor = "start" if value == 0 else "end" if value == end else "middle"
        ticks.append(
            Tick(
                _at(value / end),
                str(value) if value else "0 %",  # the unit stands where the next label is far
                anchor,
                0 < number < lines and bool(number % 2 or lines % 2),
            )
        )
    return Axis(end, tuple(ticks))


def bar(score: Score) -> Bar:
    """A small interval bar."""
    low, high = score.interval.low, score.interval.high
    return Bar(_at(low), _at(high - low), _at(score.rate))


def whisker(row: Row, scale: Axis) -> Whisker | None:
    """The row's mark in the forest plot, None where it has no value."""
    if row.value is None:
        return None
    full = scale.end / 100
    low, high = (row.score.interval.low, row.score.interval.high) if row.score else (row.value, row.value)
    return Whisker(
        low=_at(low / full),
        high=_at(min(high / full, 1.0)),
        dot=_at(row.value / full),
        interval=row.score is not None,
        beyond=row.value > full,
    )


def split(errors: Errors) -> Split | None:
    """An error bar; parts keep half a percent between open and solid."""
    if not errors.total:
        return None
    undefined, logic = errors.undefined / errors.total, errors.logic / errors.total
    gap = 0.005 if errors.other and errors.total > errors.other else 0.0
    start = undefined + logic + gap
    return Split(
        _at(undefined), _at(undefined), _at(logic), _at(start), _at(max(1 - start, 0.0) if errors.other else 0)
    )


def fourfold_bar(row: PairRow) -> Fourfold:
    """Both, first alone, second alone, neither: parts of all problems, in this order."""
    total = row.first.total or 1
    ends = [row.both, row.both + row.test.gained, row.both + row.test.gained + row.test.lost]
    widths = [row.both, row.test.gained, row.test.lost, row.neither]
    both, first, second, neither = (_at(width / total) for width in widths)
    return Fourfold(both, _at(ends[0] / total), first, _at(ends[1] / total), second, _at(ends[2] / total), neither)


def _at(share: float) -> str:
    return f"{100 * share:.2f}%"
