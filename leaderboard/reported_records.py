"""Reported rows as flat records under the column names of a board's own export."""

from leaderboard.filters import Metric
from leaderboard.reported import Figure
from leaderboard.reported_rows import reported_shown
from leaderboard.selectors import Benchmark
from leaderboard.standings import Board

DIGITS = 6
PARTS = ("solved", "total", "low", "high")


def reported_records(benchmark: Benchmark, board: Board) -> list[dict[str, object]]:
    """One record a grey row, in the order shown; counts are there where the print leaves one whole number.

    `acc<k>_<category>_printed` is the per cent as printed, and `source` names the tables.
    """
    names = ["", *(each.name for each in benchmark.categories)]
    records = []
    for row in reported_shown(benchmark, board.filters):
        asked = row.scores.get((board.filters.category, board.filters.k))
        value = asked if board.filters.metric is Metric.ACC else None
        record: dict[str, object] = {
            "standing": "reported",
            "system": row.system,
            "augmentations": " ".join(row.augmentations),
            "metric": board.filters.label,
            "value": _value(value),
            "source": "; ".join(row.sources),
        }
        for k in benchmark.k_values:
            for name in names:
                record |= _counts(f"acc{k}_{name or 'all'}", row.scores.get((name, k)))
        records.append(record | row.failures.get(board.filters.category, {}))
    return records


def _value(figure: Figure | None) -> float | None:
    """Share of one: of whole numbers where they are known, else what is printed."""
    if figure is None:
        return None
    exact = figure.solved / figure.total if figure.solved is not None and figure.total else float(figure.printed) / 100
    return round(exact, DIGITS)


def _counts(name: str, figure: Figure | None) -> dict[str, object]:
    if figure is None:
        return {}
    interval = figure.interval
    values: dict[str, object] = {f"{name}_printed": figure.printed}
    if interval:
        numbers = (figure.solved, figure.total, round(interval.low, DIGITS), round(interval.high, DIGITS))
        values |= {f"{name}_{part}": number for part, number in zip(PARTS, numbers, strict=True)}
    return values
