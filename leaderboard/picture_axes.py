"""Axes of static pictures: from values to pixels."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Final

from leaderboard.ticks import day_ticks, day_words, linear_ticks, log_ticks, number_words

DAY: Final = 24 * 3600


@dataclass(frozen=True, slots=True)
class Axis:
    """`at` gives the pixel of a value; `ticks` are values with what is written there."""

    at: Callable[[float], float]
    ticks: tuple[tuple[float, str], ...]


def linear(highest: float, start: float, end: float, *, whole: bool = False) -> Axis:
    """From 0 to the next tick at or above `highest`, between two pixels."""
    values = linear_ticks(highest, whole=whole)
    return Axis(lambda value: start + (end - start) * value / values[-1], _written(values))


def logarithmic(values: Sequence[float], start: float, end: float) -> Axis:
    """From tick to tick around all values, with a little room; values must be above 0."""
    ticks = log_ticks(values)
    low, high = math.log10(ticks[0]) - 0.05, math.log10(ticks[-1]) + 0.05
    return Axis(lambda value: start + (end - start) * (math.log10(value) - low) / (high - low), _written(ticks))


def dates(values: Sequence[float], start: float, end: float) -> Axis:
    """From the first day to the last moment (seconds since 1970); a single day stands in the middle."""
    first, last = (datetime.fromtimestamp(pick(values), UTC).date() for pick in (min, max))
    low, high = datetime.combine(first, time(), UTC).timestamp(), max(values)
    if last == first:
        low, high = low - DAY, low + 2 * DAY
    days = day_ticks(first, last)
    moments = (datetime.combine(day, time(), UTC).timestamp() for day in days)
    return Axis(
        lambda value: start + (end - start) * (value - low) / (high - low),
        tuple(zip(moments, day_words(days), strict=True)),
    )


def seconds(written: str) -> float:
    """A date or moment as a figure holds it, in seconds since 1970; without a zone it is UTC."""
    moment = datetime.fromisoformat(written)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _written(values: Sequence[float]) -> tuple[tuple[float, str], ...]:
    return tuple(zip(values, number_words(values), strict=True))
