"""What the board's template is given: rows with their geometry, filters with their addresses, the one sentence."""

from dataclasses import dataclass
from typing import Any

from leaderboard import marks
from leaderboard.filters import AUGMENTATIONS, Filters, Metric, default_filters
from leaderboard.selectors import CategoryInfo
from leaderboard.shown import Shown
from leaderboard.standings import Board, Row, Score
from leaderboard.tables import error_rows, reason_lines, time_rows
from verifier.core.statistics import ALPHA

AUGMENTATION_WORDS = {"tryagain": "try again"}


@dataclass(frozen=True, slots=True)
class Choice:
    """One link of a filter."""

    label: str
    query: str
    current: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """ACC#k of one category in one row; `score` is None where nothing was uploaded."""

    label: str
    css: str
    strong: bool
    score: Score | None
    rate: str
    low: str
    high: str
    bar: marks.Bar | None


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the board with everything drawn."""

    row: Row
    value: str
    low: str
    high: str
    cells: tuple[Cell, ...]
    whisker: marks.Whisker | None
    split: marks.Split | None


@dataclass(frozen=True, slots=True)
class Head:
    """Column head of a category, with the links that sort by it."""

    category: CategoryInfo
    sorts: tuple[Choice, ...]


def board_context(view: Shown) -> dict[str, Any]:
    """Context of the cached part of the board's page."""
    made, benchmark, filters = view.board(), view.benchmark, view.filters
    default = default_filters(benchmark)
    scale = marks.axis(made)
    ks = _column_ks(view)
    chosen = made.chosen()
    total = next((each.total for each in benchmark.categories if each.name == filters.category), benchmark.total)
    return {
        "benchmark": benchmark,
        "board": made,
        "filters": filters,
        "query": view.query,
        "total": total,
        "kept": [pair for pair in filters.pairs(default) if pair[0] not in {"team", "at", "system"}],
        "kept_system": [pair for pair in filters.pairs(default) if pair[0] != "system"],
        "axis": scale,
        "groups": [(group, [_line(view, row, scale, ks) for row in group.rows]) for group in made.groups],
        "heads": [Head(each, _sorts(filters, default, each.name, ks)) for each in benchmark.categories],
        "ks": ks,
        "width": 6 + len(ks) * len(benchmark.categories),
        "choices": _choices(view, made),
        "orders": _orders(filters, default),
        "lede": lede(made),
        "alpha": ALPHA,
        "chosen": chosen,
        "errors": [(row, marks.split(row.errors)) for row in error_rows(benchmark, chosen.entry)] if chosen else [],
        "reasons": reason_lines(chosen.entry) if chosen else (),
        "times": time_rows(benchmark, chosen.entry) if chosen else (),
        "exact": filters.metric is Metric.ACC,
    }


def lede(board: Board) -> dict[str, Any] | None:
    """The one sentence of result: leader, and whether the next row can be told from it."""
    if not board.ranked:
        return None
    first = board.ranked[0]
    second = board.ranked[1] if len(board.ranked) > 1 else None
    same_tier = bool(second) and len(board.groups[0].rows) > 1
    behind = first.score.solved - second.score.solved if second and first.score and second.score else None
    return {
        "first": first,
        "percent": marks.percent(first.value or 0.0),
        "low": marks.percent(first.score.interval.low) if first.score else "",
        "high": marks.percent(first.score.interval.high) if first.score else "",
        "second": second,
        "behind": behind,
        "same_tier": same_tier,
    }


def _line(view: Shown, row: Row, scale: marks.Axis, ks: tuple[int, ...]) -> Line:
    cells = [
        _cell(each.name, place, k, row.scores[each.name, k], strong=k == ks[0])
        for place, each in enumerate(view.benchmark.categories, start=1)
        for k in ks
    ]
    interval = row.score.interval if row.score else None
    return Line(
        row=row,
        value="" if row.value is None else marks.percent(row.value),
        low=marks.percent(interval.low) if interval else "",
        high=marks.percent(interval.high) if interval else "",
        cells=tuple(cells),
        whisker=marks.whisker(row, scale),
        split=marks.split(row.errors),
    )


def _cell(name: str, place: int, k: int, score: Score | None, *, strong: bool) -> Cell:
    return Cell(
        label=f"{name} #{k}",
        css=f"{'a' if strong else 'b'}{place}" if place <= 4 else "more",
        strong=strong,
        score=score,
        rate=marks.percent(score.rate) if score else "",
        low=marks.percent(score.interval.low) if score else "",
        high=marks.percent(score.interval.high) if score else "",
        bar=marks.bar(score) if score else None,
    )


def _column_ks(view: Shown) -> tuple[int, ...]:
    """Two columns a category at most: k = 1 and the k asked for, or the largest."""
    asked = view.filters.k if view.filters.k > 1 else max(view.benchmark.k_values)
    return (1,) if asked == 1 else (1, asked)


def _sorts(filters: Filters, default: Filters, category: str, ks: tuple[int, ...]) -> tuple[Choice, ...]:
    keys = [f"{category}.{k}" for k in ks]
    return tuple(
        Choice(f"#{k}", _address(filters.changed(sort=key), default), filters.sort == key)
        for k, key in zip(ks, keys, strict=True)
    )


def _orders(filters: Filters, default: Filters) -> dict[str, Choice]:
    return {
        name: Choice(name, _address(filters.changed(sort=name), default), filters.sort == name)
        for name in ("rank", "system", "date")
    }


def _choices(view: Shown, board: Board) -> dict[str, list[Choice]]:
    """Links of every filter; each keeps the others as they are."""
    filters, default = view.filters, default_filters(view.benchmark)

    def choice(label: str, count: int | None = None, **changes: object) -> Choice:
        current = all(getattr(filters, name) == value for name, value in changes.items())
        return Choice(label, _address(filters.changed(system="", **changes), default), current, count)

    ks = view.benchmark.k_values
    words = [(name, AUGMENTATION_WORDS.get(name, name)) for name in AUGMENTATIONS]
    return {
        "category": [choice("All", category=""), *(choice(c.name, category=c.name) for c in view.benchmark.categories)],
        "metric": [
            *(choice(f"ACC#{k}", k=k, metric=Metric.ACC) for k in ks),
            *(choice(f"pass@{k}", k=k, metric=Metric.PASS) for k in ks if k > 1),
        ],
        "systems": [
            choice("All", board.systems, open_source=False),
            choice("Open", board.open_systems, open_source=True),
        ],
        "augmentation": [
            choice("Any", augmentation=""),
            choice("none", augmentation="none"),
            *(choice(word, augmentation=name) for name, word in words),
        ],
    }


def _address(filters: Filters, default: Filters) -> str:
    return filters.query(default) or "?"
