"""What the board's template is given: rows with their geometry, filters with their addresses, the one sentence."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.urls import reverse

from leaderboard import marks
from leaderboard.asked import PAGE_ROWS
from leaderboard.citing import citation
from leaderboard.evidence import counting, evidence_of_run
from leaderboard.filters import AUGMENTATIONS, Filters, Metric, default_filters
from leaderboard.reported_rows import reported_lines
from leaderboard.scores import Score
from leaderboard.selectors import CategoryInfo
from leaderboard.shown import Shown
from leaderboard.standings import Board, Row, errors_of
from verifier.core.augmentation import AUGMENTATION_WORDS
from verifier.core.statistics import ALPHA


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
    here: str = ""  # the problems that it counts, empty where nobody may see them


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
    here: str = ""  # the problems that the score counts, empty where nobody may see them
    failures: str = ""  # what fails in this run, empty where nothing does


@dataclass(frozen=True, slots=True)
class Head:
    """Column head of a category, with the links that sort by it."""

    category: CategoryInfo
    sorts: tuple[Choice, ...]


def board_context(view: Shown) -> dict[str, Any]:
    """Context of the cached part of the board's page."""
    made, benchmark, filters = view.board(), view.benchmark, view.filters
    default = default_filters(benchmark)
    pages = page_choices(filters, default, len(made.rows))
    start = (min(filters.page, len(pages)) - 1) * PAGE_ROWS
    part = made.part(start, start + PAGE_ROWS)
    scale = marks.axis(made)
    ks = view.column_ks
    return {
        "benchmark": benchmark,
        "board": made,
        "filters": filters,
        "query": view.query,
        "total": benchmark.number(filters.category),
        "kept": [pair for pair in filters.pairs(default) if pair[0] not in {"team", "at", "system", "page"}],
        "axis": scale,
        "groups": [(group, [_line(view, row, scale, ks) for row in group.rows]) for group in part],
        "totals": [(row, errors_of(row.entry).missing) for group in part for row in group.rows],
        "greedy": any(row.entry.counts["scoring"] == 0 for row in made.rows),
        "span": (start + 1, min(start + PAGE_ROWS, len(made.rows)), len(made.rows)),
        "pages": pages,
        "heads": [Head(each, _sorts(filters, default, each.name, ks)) for each in benchmark.categories],
        "ks": ks,
        "cite": citation(view),
        "reported": reported_lines(benchmark, filters, scale, ks) if start == 0 else (),
        "width": 6 + len(ks) * len(benchmark.categories),
        "choices": _choices(view, made),
        "orders": _orders(filters, default),
        "lede": lede(made),
        "alpha": ALPHA,
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
    page = reverse("submission", args=[row.entry.submission]) if row.entry.public else ""
    cells = [
        _cell(each.name, place, k, row.scores[each.name, k], strong=k == ks[0], page=page)
        for place, each in enumerate(view.benchmark.categories, start=1)
        for k in ks
    ]
    interval = row.score.interval if row.score else None
    filters, default = view.filters, default_filters(view.benchmark)
    failing = filters.changed(system=row.entry.submission, sort="rank", page=1).query(default)
    return Line(
        row=row,
        value="" if row.value is None else marks.percent(row.value),
        low=marks.percent(interval.low) if interval else "",
        high=marks.percent(interval.high) if interval else "",
        cells=tuple(cells),
        whisker=marks.whisker(row, scale),
        split=marks.split(row.errors),
        here=evidence_of_run(page, filters.category, counting(row.score, filters.k)) if page else "",
        failures=reverse("failures", args=[view.benchmark.pack.slug]) + failing if row.errors.total else "",
    )


def _cell(name: str, place: int, k: int, score: Score | None, *, strong: bool, page: str) -> Cell:
    return Cell(
        label=f"{name} #{k}",
        css=f"{'a' if strong else 'b'}{place}" if place <= 4 else "more",
        strong=strong,
        score=score,
        rate=marks.percent(score.rate) if score else "",
        low=marks.percent(score.interval.low) if score else "",
        high=marks.percent(score.interval.high) if score else "",
        bar=marks.bar(score) if score else None,
        here=evidence_of_run(page, name, counting(score, k)) if page and score else "",
    )


def _sorts(filters: Filters, default: Filters, category: str, ks: tuple[int, ...]) -> tuple[Choice, ...]:
    keys = [f"{category}.{k}" for k in ks]
    return tuple(
        Choice(f"#{k}", _address(filters.changed(sort=key, page=1), default), filters.sort == key)
        for k, key in zip(ks, keys, strict=True)
    )


def _orders(filters: Filters, default: Filters) -> dict[str, Choice]:
    return {
        name: Choice(name, _address(filters.changed(sort=name, page=1), default), filters.sort == name)
        for name in ("rank", "system", "date")
    }


def page_choices(filters: Filters, default: Filters, rows: int) -> list[Choice]:
    """Links to the pages of a view with so many rows; one page where there is nothing."""
    pages = max(-(-rows // PAGE_ROWS), 1)
    here = min(filters.page, pages)
    return [
        Choice(str(number), _address(filters.changed(page=number), default), number == here)
        for number in range(1, pages + 1)
    ]


def choice_of(
    view: Shown, label: str, count: int | None = None, current: str | None = None, **changes: object
) -> Choice:
    """A link of a filter; it keeps the others as they are and goes back to the first page.

    It is the current one where the view has all its values, or where `current` is one of them.
    """
    filters = view.filters
    here = all(getattr(filters, name) == value for name, value in changes.items())
    here |= current is not None and current in changes.values()
    target = filters.changed(page=1, **changes)
    return Choice(label, _address(target, default_filters(view.benchmark)), here, count)


def _choices(view: Shown, board: Board) -> dict[str, list[Choice]]:
    """Links of every filter; each keeps the others as they are."""
    choice = partial(choice_of, view)
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
        "figures": [choice("All", verified=False), choice("Verified", verified=True)],
        "augmentation": [
            choice("Any", augmentation=""),
            choice("none", augmentation="none"),
            *(choice(word, augmentation=name) for name, word in words),
        ],
    }


def _address(filters: Filters, default: Filters) -> str:
    return filters.query(default) or "?"
