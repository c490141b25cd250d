"""A board to take away: CSV and JSON with exactly the rows, order and numbers of the page."""

import csv
import io
import json
from collections.abc import Iterable

from leaderboard.reported_records import reported_records
from leaderboard.scores import Score
from leaderboard.selectors import Benchmark
from leaderboard.standings import Board, Row

DIGITS = 6


def board_records(benchmark: Benchmark, board: Board) -> list[dict[str, object]]:
    """One flat record a row, in the order shown; counts are whole numbers, rates are shares of one."""
    tiers = {row.entry.submission: group.number for group in board.groups for row in group.rows}
    return [_record(benchmark, board, row, tiers[row.entry.submission]) for row in board.rows]


def board_csv(benchmark: Benchmark, board: Board) -> str:
    """RFC 4180 text with a header line; empty fields mean: not uploaded, not ranked, or not reported."""
    target = io.StringIO()
    records = board_records(benchmark, board) + reported_records(benchmark, board)
    columns = _columns(benchmark)
    writer = csv.DictWriter(target, fieldnames=columns, lineterminator="\r\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows({name: _guarded(value) for name, value in record.items()} for record in records)
    return target.getvalue()


def board_json(benchmark: Benchmark, board: Board) -> str:
    """The same records under the names of what they were computed from."""
    return json.dumps(
        {
            "benchmark": benchmark.pack.slug,
            "pack_digest": benchmark.pack.digest,
            "set": benchmark.problem_set.name,
            "set_digest": benchmark.problem_set.digest,
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


def _record(benchmark: Benchmark, board: Board, row: Row, tier: int) -> dict[str, object]:
    entry = row.entry
    record: dict[str, object] = {
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
        "value": None if row.value is None else round(row.value, DIGITS),
        "macro": None if row.macro is None else round(row.macro, DIGITS),
        "attempt": entry.counts["scoring"],
        "samples": entry.counts["samples"],
    }
    for name, score in _named_scores(benchmark, row):
        record.update(_counts(name, score))
    for k in benchmark.k_values:
        value = row.passes[k]
        record[f"pass_{k}"] = None if value is None else round(value, DIGITS)
    errors = row.errors
    record |= {"undefined": errors.undefined, "logic": errors.logic, "other": errors.other, "missing": errors.missing}
    record |= {"proved": row.proved, "confirmed": row.confirmed, "pending": row.pending, "internal": row.internal}
    record |= {"audited": entry.counts.get("audited", 0), "skipped_proofs": entry.skipped}
    return record


def _named_scores(benchmark: Benchmark, row: Row) -> Iterable[tuple[str, Score | None]]:
    names = ["", *(each.name for each in benchmark.categories)]
    for k in benchmark.k_values:
        for name in names:
            yield f"acc{k}_{name or 'all'}", row.scores[name, k]


def _counts(name: str, score: Score | None) -> dict[str, object]:
    if score is None:
        return dict.fromkeys(f"{name}_{part}" for part in ("solved", "total", "low", "high"))
    return {
        f"{name}_solved": score.solved,
        f"{name}_total": score.total,
        f"{name}_low": round(score.interval.low, DIGITS),
        f"{name}_high": round(score.interval.high, DIGITS),
    }


def _columns(benchmark: Benchmark) -> list[str]:
    """Names of all columns, also where the board is empty."""
    first = "standing rank rank_low rank_high tier system model augmentations open_source team submission run published"
    second = "withdrawn environment metric value macro attempt samples"
    scores = [
        f"acc{k}_{name}_{part}"
        for k in benchmark.k_values
        for name in ("all", *(each.name for each in benchmark.categories))
        for part in ("solved", "total", "low", "high")
    ]
    last = "undefined logic other missing proved confirmed pending internal audited skipped_proofs source"
    return [*first.split(), *second.split(), *scores, *(f"pass_{k}" for k in benchmark.k_values), *last.split()]


def _guarded(value: object) -> object:
    """Names come from teams: a leading formula sign would be run by a spreadsheet, so it is quoted."""
    return "'" + value if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
