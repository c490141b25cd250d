"""A board to take away: CSV and JSON with exactly the rows, order and numbers of the page.

Counts are whole numbers, rates are shares of one. Grey rows of papers come last, under the same names; they hold counts
where the print leaves one whole number, and no run of this site.
"""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Final

from leaderboard.addresses import State
from leaderboard.filters import Metric
from leaderboard.reported import Figure, ReportedRow
from leaderboard.reported_rows import reported_shown
from leaderboard.scores import Score
from leaderboard.selectors import Benchmark
from leaderboard.standings import Board, Row

DIGITS: Final = 6
PARTS: Final = ("solved", "total", "rate", "low", "high")  # of each score; the ends are those of the 95 % interval
FIRST: Final = [
    "standing", "rank", "rank_low", "rank_high", "tier", "system", "model", "augmentations", "open_source", "team",
    "submission", "run", "published", "withdrawn", "environment", "metric", "category", "value", "macro", "attempt",
    "samples",
]  # fmt: skip
LAST: Final = [
    "undefined", "logic", "other", "missing", "proved", "confirmed", "pending", "internal", "audited",
    "skipped_proofs", "source",
]  # fmt: skip
ORIGIN: Final = ["set", "set_digest", "pack_digest", "address"]

Record = dict[str, object]


def board_records(benchmark: Benchmark, board: Board) -> list[Record]:
    """One flat record a row, in the order shown, each with every column."""
    tiers = {row.entry.submission: group.number for group in board.groups for row in group.rows}
    empty = dict.fromkeys(_columns(benchmark))
    return [empty | _record(benchmark, board, row, tiers[row.entry.submission]) for row in board.rows]


def reported_records(benchmark: Benchmark, board: Board) -> list[Record]:
    """The same of each grey row; `acc<k>_<category>_printed` is the per cent as printed, `source` names the tables."""
    empty = dict.fromkeys(_columns(benchmark))
    return [empty | _reported(benchmark, board, row) for row in reported_shown(benchmark, board.filters)]


def board_csv(benchmark: Benchmark, board: Board, state: State) -> str:
    """One line a row; empty fields mean: not uploaded, not ranked, or not reported."""
    records = board_records(benchmark, board) + reported_records(benchmark, board)
    return csv_text(_columns(benchmark), records, benchmark, state)


def csv_text(columns: Sequence[str], records: Iterable[Record], benchmark: Benchmark, state: State) -> str:
    """RFC 4180 text with a header line; every line ends with what it was computed from, to be copied alone."""
    target = io.StringIO()
    writer = csv.DictWriter(target, [*columns, *ORIGIN], lineterminator="\r\n", extrasaction="ignore")
    writer.writeheader()
    origin = _origin(benchmark, state)
    for record in records:
        writer.writerow({name: _guarded(value) for name, value in (record | origin).items()})
    return target.getvalue()


def board_json(benchmark: Benchmark, board: Board, state: State) -> str:
    """The same records under the names of what they were computed from."""
    return json.dumps(
        {
            "benchmark": benchmark.pack.slug,
            **_origin(benchmark, state),
            "problems": {each.name: each.total for each in benchmark.categories},
            "metric": board.filters.label,
            "category": board.filters.category or None,
            "at": board.filters.at.isoformat() if board.filters.at else None,
            "rows": board_records(benchmark, board),
            "reported": reported_records(benchmark, board),
        },
        indent=1,
        ensure_ascii=False,
    )


def _origin(benchmark: Benchmark, state: State) -> Record:
    problem_set = benchmark.problem_set
    return dict(zip(ORIGIN, (problem_set.name, problem_set.digest, benchmark.pack.digest, state.address), strict=True))


def _record(benchmark: Benchmark, board: Board, row: Row, tier: int) -> Record:
    entry, errors = row.entry, row.errors
    record: Record = {
        "standing": row.standing.value,
        "rank": row.rank,
        "rank_low": row.rank_interval[0] if row.rank_interval else None,
        "rank_high": row.rank_interval[1] if row.rank_interval else None,
        "tier": tier or None,
        "system": entry.system,
        "model": entry.model,
        "augmentations": " ".join(entry.augmentations),
        "open_source": entry.open_source,
        "team": entry.team,
        "submission": entry.submission,
        "run": entry.run,
        "published": entry.since.isoformat(timespec="seconds"),
        "withdrawn": not entry.public,
        "environment": entry.environment,
        "metric": board.filters.label,
        "category": board.filters.category or "all",
        "value": rounded(row.value),
        "macro": rounded(row.macro),
        "attempt": entry.counts["scoring"],
        "samples": entry.counts["samples"],
    }
    for name, column in _scores(benchmark):
        record |= _counted(column, row.scores[name])
    record |= {f"pass_{k}": rounded(row.passes[k]) for k in benchmark.k_values}
    record |= {"undefined": errors.undefined, "logic": errors.logic, "other": errors.other, "missing": errors.missing}
    record |= {"proved": row.proved, "confirmed": row.confirmed, "pending": row.pending, "internal": row.internal}
    return record | {"audited": entry.counts.get("audited", 0), "skipped_proofs": entry.skipped}


def _reported(benchmark: Benchmark, board: Board, row: ReportedRow) -> Record:
    filters = board.filters
    asked = row.scores.get((filters.category, filters.k)) if filters.metric is Metric.ACC else None
    record: Record = {
        "standing": "reported",
        "system": row.system,
        "augmentations": " ".join(row.augmentations),
        "metric": filters.label,
        "category": filters.category or "all",
        "value": _share(asked) if asked else None,
        "source": "; ".join(row.sources),
    }
    for name, column in _scores(benchmark):
        if figure := row.scores.get(name):
            record |= {f"{column}_printed": figure.printed, f"{column}_rate": _share(figure)}
            if figure.solved is not None and figure.total:
                record |= _counted(column, Score(figure.solved, figure.total))
    return record | row.failures.get(filters.category, {})


def _scores(benchmark: Benchmark) -> Iterable[tuple[tuple[str, int], str]]:
    """Every score, as rows hold it and as columns begin."""
    for k in benchmark.k_values:
        for name in ("", *(each.name for each in benchmark.categories)):
            yield (name, k), f"acc{k}_{name or 'all'}"


def _counted(column: str, score: Score | None) -> Record:
    if score is None:
        return {}
    interval = score.interval
    numbers = (score.solved, score.total, score.rate, interval.low, interval.high)
    return {f"{column}_{part}": rounded(number) for part, number in zip(PARTS, numbers, strict=True)}


def _share(figure: Figure) -> float:
    """Share of one: of whole numbers where they are known, else what is printed."""
    if figure.solved is not None and figure.total:
        return round(figure.solved / figure.total, DIGITS)
    return round(float(figure.printed) / 100, DIGITS)


def _columns(benchmark: Benchmark) -> list[str]:
    """Names of all columns, also where the board is empty."""
    scores = [f"{column}_{part}" for _, column in _scores(benchmark) for part in PARTS]
    return [*FIRST, *scores, *(f"pass_{k}" for k in benchmark.k_values), *LAST]


def rounded(value: float | None) -> float | None:
    """As it stands in files; whole numbers stay whole."""
    return round(value, DIGITS) if isinstance(value, float) else value


def _guarded(value: object) -> object:
    """Names come from teams: a leading formula sign would be run by a spreadsheet, so it is quoted."""
    return "'" + value if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
