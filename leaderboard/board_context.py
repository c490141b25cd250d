"""What the board's template is given: rows with their geometry, filters with their addresses, the one sentence."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from leaderboard import marks
from leaderboard.choices import Choice, filter_choices, orders, page_choices, sorts
from leaderboard.citing import citation
from leaderboard.evidence_links import counting, evidence_of_run
from leaderboard.filters import Metric, default_filters
from leaderboard.reported_rows import reported_lines
from leaderboard.scores import Score
from leaderboard.selectors import CategoryInfo
from leaderboard.settled_filters import PAGE_ROWS
from leaderboard.shown import Shown
from leaderboard.standings import Board, Row, errors_of


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
        "heads": [Head(each, sorts(filters, default, each.name, ks)) for each in benchmark.categories],
        "ks": ks,
        "cite": citation(view),
        "reported": reported_lines(benchmark, filters, scale, ks) if start == 0 else (),
        "width": 6 + len(ks) * len(benchmark.categories),
        "choices": filter_choices(view, made),
        "orders": orders(filters, default),
        "lede": lede(made),
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
