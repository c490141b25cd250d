"""Which values an axis names: few and round ones, and something even where there is little to show."""

import math
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

TICKS: Final = 6
DAYS: Final = 5  # dates are long words
LOG_TICKS: Final = 7
_DAY_STEPS: Final = (1, 2, 3, 7, 14)
_MONTH_STEPS: Final = (1, 2, 3, 6, 12, 24, 60, 120, 600)


def linear_ticks(highest: float, *, whole: bool = False) -> list[float]:
    """From 0 to the next tick at or above `highest`; in whole numbers where values are counts."""
    step = _nice(max(highest, 1e-9) / TICKS)
    if whole:
        step = max(1.0, step)
    return [step * number for number in range(max(math.ceil(round(highest / step, 9)), 1) + 1)]


def log_ticks(values: Sequence[float]) -> list[float]:
    """From the last tick at or below all values to the first at or above them, at 1, 2, 5 times powers of ten.

    Powers of ten alone where that would be too many; values must be above 0.
    """
    low, high = min(values), max(values)
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    for factors in ((1, 2, 5), (1,)):
        every = [factor * 10.0**power for power in powers for factor in factors]
        first = max(place for place, tick in enumerate(every) if tick <= low * (1 + 1e-9))
        last = min(place for place, tick in enumerate(every) if tick >= high * (1 - 1e-9))
        ticks = every[first : max(last, first + 1) + 1]
        if len(ticks) <= LOG_TICKS:
            break
    return ticks


def day_ticks(first: date, last: date) -> list[date]:
    """Days of a span: every day, every week or two, or beginnings of months, at most five."""
    span = (last - first).days
    for step in _DAY_STEPS:
        if span // step < DAYS:
            return [first + timedelta(days=day) for day in range(0, span + 1, step)]
    months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    starts = [(month, date(month // 12, month % 12 + 1, 1)) for month in months]
    inside = [(month, day) for month, day in starts if day >= first]
    for step in _MONTH_STEPS:
        ticks = [day for month, day in inside if month % step == 0]
        if len(ticks) <= DAYS:
            break
    return ticks or [first]


def day_words(days: Sequence[date], before_year: str = " ") -> list[str]:
    """Days as they are written under an axis, the year where it is new."""
    years = [None, *(day.year for day in days[:-1])]
    return [
        f"{day.day} {day:%b}" + (f"{before_year}{day.year}" if day.year != year else "")
        for day, year in zip(days, years, strict=True)
    ]


def number_words(values: Sequence[float]) -> list[str]:
    """Values as they are written under an axis."""
    return [f"{value:,g}" for value in values]


def _nice(step: float) -> float:
    """The next of 1, 2, 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * (1 - 1e-9))
