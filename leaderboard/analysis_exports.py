"""What the views beside the board show, to take away: one line a system and category, every system of the view.

The columns before say whose figures they are, the last ones what they were computed from, as in the board's own file.
"""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Final

from leaderboard.analysis_contexts import families_of, timeline_of
from leaderboard.citing import state_of
from leaderboard.comparison import PairRow
from leaderboard.exports import Record, csv_text, rounded
from leaderboard.selectors import Entry
from leaderboard.shown import Shown
from leaderboard.tables import error_rows, originality_rows, time_rows

ALL: Final = "all"
WHOSE: Final = ["system", "model", "augmentations", "team", "submission", "run", "environment", "attempt"]


def failures_csv(view: Shown) -> str:
    """Failures of the attempt that ACC#1 counts by class; `other` includes `missing`."""
    return _file(view, ["problems", "failed", "undefined", "logic", "other", "missing"], _failures(view))


def times_csv(view: Shown) -> str:
    """Checking times in seconds of the proofs that a prover saw, of the attempt that ACC#1 counts."""
    return _file(view, ["proofs", "mean_seconds", "median_seconds", "p95_seconds"], _times(view))


def originality_csv(view: Shown) -> str:
    """Accepted proofs beside the host's own; the quartiles are those of the similarity of the others."""
    return _file(view, ["proofs", "same", "low", "median", "high"], _originality(view))


def history_csv(view: Shown) -> str:
    """Every published run in the order of publishing, of the category and score asked for."""
    names = ["metric", "published", "until", "incomplete", "solved", "total", "rate", "low", "high"]
    return _file(view, names, _history(view))


def augmentations_csv(view: Shown) -> str:
    """Augmented systems beside the bare one of their model by ACC#1; `p` is that of the exact paired McNemar test."""
    names = ["bare_submission", "solved", "bare_solved", "total", "difference", "gained", "lost", "p"]
    return _file(view, names, _augmentations(view))


def _file(view: Shown, names: list[str], lines: Iterable[tuple[Entry, str, Record]]) -> str:
    """Lines of the category asked for, or of all of them."""
    wanted = view.filters.category
    records = [
        _whose(entry) | {"category": category or ALL} | figures
        for entry, category, figures in lines
        if wanted in {"", category}
    ]
    return csv_text([*WHOSE, "category", *names], records, view.benchmark, state_of(view))


def _whose(entry: Entry) -> Record:
    facts: list[Any] = [entry.system, entry.model, " ".join(entry.augmentations), entry.team, entry.submission]
    return dict(zip(WHOSE, [*facts, entry.run, entry.environment, entry.counts["scoring"]], strict=True))


def _failures(view: Shown) -> Iterable[tuple[Entry, str, Record]]:
    for row in view.board().rows:
        for line in error_rows(view.benchmark, row.entry):
            figures = {"problems": line.total, "failed": line.errors.total, **asdict(line.errors)}
            yield row.entry, line.category, figures


def _times(view: Shown) -> Iterable[tuple[Entry, str, Record]]:
    for row in view.board().rows:
        for line in time_rows(view.benchmark, row.entry):
            times = {"mean_seconds": line.mean, "median_seconds": line.median, "p95_seconds": line.p95}
            yield row.entry, line.category, {"proofs": line.proofs, **(times if line.proofs else {})}


def _originality(view: Shown) -> Iterable[tuple[Entry, str, Record]]:
    for row in view.board().rows:
        for line in originality_rows(view.benchmark, row.entry):
            quartiles = {"low": line.low, "median": line.median, "high": line.high}
            yield row.entry, line.category, {"proofs": line.proofs, "same": line.same, **quartiles}


def _history(view: Shown) -> Iterable[tuple[Entry, str, Record]]:
    filters = view.filters
    for point in timeline_of(view).points:
        entry, score, interval = point.entry, point.score, point.score.interval
        yield (
            entry,
            filters.category,
            {
                "metric": f"ACC#{filters.k}",
                "published": entry.since.isoformat(timespec="seconds"),
                "until": entry.until.isoformat(timespec="seconds") if entry.until else None,
                "incomplete": point.owed,
                "solved": score.solved,
                "total": score.total,
                "rate": rounded(score.rate),
                "low": rounded(interval.low),
                "high": rounded(interval.high),
            },
        )


def _augmentations(view: Shown) -> Iterable[tuple[Entry, str, Record]]:
    for family in families_of(view):
        for effect in family.effects:
            for row in effect.rows:
                yield effect.entry, row.category, {"bare_submission": family.base.submission, **_pair(row)}


def _pair(row: PairRow) -> Record:
    return {
        "solved": row.first.solved,
        "bare_solved": row.second.solved,
        "total": row.first.total,
        "difference": rounded(row.difference),
        "gained": row.test.gained,
        "lost": row.test.lost,
        "p": rounded(row.test.p),
    }
