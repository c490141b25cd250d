"""Axes of static pictures: from values to pixels, with ticks that people would choose."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

TICKS = 6


@dataclass(frozen=True, slots=True)
class Axis:
    """`at` gives the pixel of a value; `ticks` are values with what is written there."""

    at: Callable[[float], float]
    ticks: tuple[tuple[float, str], ...]


def linear(highest: float, start: float, end: float) -> Axis:
    """From 0 to the next tick at or above `highest`, between two pixels."""
    step = _nice(max(highest, 1e-9) / TICKS)
    top = step * math.ceil(round(max(highest, 1e-9) / step, 9))
    values = [step * number for number in range(round(top / step) + 1)]
    return Axis(lambda value: start + (end - start) * value / top, tuple((value, f"{value:g}") for value in values))


def logarithmic(values: Sequence[float], start: float, end: float) -> Axis:
    """Over all values with a little room, ticks at 1, 2 and 5 times powers of ten; values must be above 0."""
    low, high = math.log10(min(values)) - 0.1, math.log10(max(values)) + 0.1
    powers = range(math.floor(low) - 1, math.ceil(high) + 1)
    ticks = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
    kept = tuple((value, f"{value:g}") for value in ticks if low <= math.log10(value) <= high)
    return Axis(lambda value: start + (end - start) * (math.log10(value) - low) / (high - low), kept)


def dates(values: Sequence[float], start: float, end: float) -> Axis:
    """Over all moments (seconds since 1970) and at least a day, at most six days written."""
    first = datetime.fromtimestamp(min(values), UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    last = datetime.fromtimestamp(max(values), UTC)
    days = max((last - first).days + 1, 1)
    step = max(1, math.ceil(days / TICKS))
    moments = [first + timedelta(days=day) for day in range(0, days + 1, step)]
    low, high = first.timestamp(), (first + timedelta(days=days)).timestamp()
    ticks = tuple((moment.timestamp(), f"{moment.day} {moment:%b %Y}") for moment in moments)
    return Axis(lambda value: start + (end - start) * (value - low) / (high - low), ticks)


def seconds(written: str) -> float:
    """A date or moment as a figure holds it, in seconds since 1970; without a zone it is UTC."""
    moment = datetime.fromisoformat(written)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _nice(step: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * (1 - 1e-9))
