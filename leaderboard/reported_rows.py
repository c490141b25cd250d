"""Grey rows under a board: what papers report, under the filters of the view, drawn with the board's own axis.

They hold no rank and no tier, and nothing that was checked here is computed from them.
"""

from dataclasses import dataclass

from leaderboard.filters import Filters, Metric
from leaderboard.marks import Axis, percent
from leaderboard.reported import CLASSES, Figure, ReportedRow, lines_of, reported_rows
from leaderboard.selectors import Benchmark


@dataclass(frozen=True, slots=True)
class Mark:
    """Low, score and high on an axis as per cent of its width; `beyond` where the score lies past the end."""

    low: str
    at: str
    high: str
    width: str
    beyond: bool


@dataclass(frozen=True, slots=True)
class ReportedCell:
    """One figure with what is known of it; `printed` is empty where the papers give none."""

    label: str
    css: str
    strong: bool
    printed: str
    solved: int | None
    total: int | None
    low: str
    high: str
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class ReportedLine:
    """A grey row: the figure that the board is ranked by, one cell a category and k, failures where they are told."""

    row: ReportedRow
    main: ReportedCell
    cells: tuple[ReportedCell, ...]
    failures: tuple[int, ...]


def reported_shown(benchmark: Benchmark, filters: Filters) -> tuple[ReportedRow, ...]:
    """Reported rows that the filters leave: none where only verified ones, one team or open sources are asked for.

    Papers say neither team nor licence in a form that could be filtered by.
    """
    if filters.verified or filters.team or filters.open_source:
        return ()
    rows = reported_rows(lines_of(benchmark.pack.manifest), _names(benchmark))
    if filters.augmentation == "none":
        return tuple(row for row in rows if not row.augmentations)
    return tuple(row for row in rows if not filters.augmentation or filters.augmentation in row.augmentations)


def reported_lines(
    benchmark: Benchmark, filters: Filters, scale: Axis, ks: tuple[int, ...]
) -> tuple[ReportedLine, ...]:
    """The rows with everything drawn; `ks` are the columns of each category."""
    return tuple(_line(row, benchmark, filters, scale, ks) for row in reported_shown(benchmark, filters))


def _names(benchmark: Benchmark) -> list[str]:
    """All categories of the pack, also those that the set shown has no problem of."""
    return [str(each["name"]) for each in benchmark.pack.manifest.get("categories", [])]


def _line(row: ReportedRow, benchmark: Benchmark, filters: Filters, scale: Axis, ks: tuple[int, ...]) -> ReportedLine:
    asked = row.scores.get((filters.category, filters.k)) if filters.metric is Metric.ACC else None
    failures = row.failures.get(filters.category) if filters.k == 1 else None
    return ReportedLine(
        row=row,
        main=_cell(asked, filters.label, "all", scale.end, strong=True),
        cells=tuple(
            _cell(
                row.scores.get((each.name, k)),
                f"{each.name} #{k}",
                f"{'a' if k == ks[0] else 'b'}{place}" if place <= 4 else "more",
                100,
                strong=k == ks[0],
            )
            for place, each in enumerate(benchmark.categories, start=1)
            for k in ks
        ),
        failures=tuple(failures[name] for name in CLASSES) if failures else (),
    )


def _cell(figure: Figure | None, label: str, css: str, end: int, *, strong: bool) -> ReportedCell:
    if figure is None:
        return ReportedCell(label, css, strong, "", None, None, "", "", None)
    interval = figure.interval
    low, high = (interval.low, interval.high) if interval else (float(figure.printed) / 100,) * 2
    return ReportedCell(
        label=label,
        css=css,
        strong=strong,
        printed=figure.printed,
        solved=figure.solved,
        total=figure.total,
        low=percent(low) if interval else "",
        high=percent(high) if interval else "",
        mark=_mark(low, float(figure.printed) / 100, high, end),
    )


def _mark(low: float, value: float, high: float, end: int) -> Mark:
    full = end / 100
    return Mark(
        low=_at(low / full),
        at=_at(value / full),
        high=_at(min(high / full, 1.0)),
        width=_at(min(high / full, 1.0) - low / full),
        beyond=value > full,
    )


def _at(share: float) -> str:
    return f"{100 * share:.2f}%"
