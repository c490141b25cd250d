"""The tables beside a board: what fails (Selene, Table 3) and how long checking takes (Table 7)."""

from dataclasses import dataclass

from leaderboard.selectors import Benchmark, Entry
from leaderboard.standings import Errors, errors_of
from verifier.core.reason import REASONS, Reason


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """Failures of one category at the scoring attempt."""

    category: str
    total: int
    errors: Errors


@dataclass(frozen=True, slots=True)
class ReasonLine:
    """How often one reason was given at the scoring attempt."""

    code: str
    error_class: str
    sentence: str
    number: int


@dataclass(frozen=True, slots=True)
class TimeRow:
    """Checking time in seconds of the proofs of one category that a prover saw; zeros where it saw none."""

    category: str
    proofs: int
    median: float = 0.0
    mean: float = 0.0
    p95: float = 0.0


@dataclass(frozen=True, slots=True)
class OriginalityRow:
    """Accepted proofs of the scoring attempt beside the host's own, as `verifier.core.originality` counts them.

    `low`, `median`, `high` are quartiles of the similarity of those that are not the same, shares of one.
    """

    category: str
    proofs: int
    same: int
    low: float | None = None
    median: float | None = None
    high: float | None = None


def error_rows(benchmark: Benchmark, entry: Entry) -> tuple[ErrorRow, ...]:
    """One row a category and a last one, named "", for all."""
    rows = [ErrorRow(each.name, each.total, errors_of(entry, each.name)) for each in benchmark.categories]
    return (*rows, ErrorRow("", benchmark.total, errors_of(entry)))


def reason_lines(entry: Entry, category: str = "") -> tuple[ReasonLine, ...]:
    """Reasons of the scoring attempt, of one category or of all, most frequent first."""
    numbers: dict[str, int] = {}
    for name, part in entry.counts["categories"].items():
        for code, number in part["reasons"].items() if category in {"", name} else ():
            numbers[code] = numbers.get(code, 0) + number
    lines = []
    for code, number in sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0])):
        row = REASONS[Reason(code)]
        lines.append(ReasonLine(code, row.error_class.value if row.error_class else "withheld", row.sentence, number))
    return tuple(lines)


def time_rows(benchmark: Benchmark, entry: Entry) -> tuple[TimeRow, ...]:
    """One row a category, in seconds."""
    return tuple(times_of(each.name, entry) for each in benchmark.categories)


def times_of(category: str, entry: Entry) -> TimeRow:
    """Checking time of one category, in seconds."""
    return _time_row(category, entry.counts["categories"][category]["times"])


def originality_rows(benchmark: Benchmark, entry: Entry) -> tuple[OriginalityRow, ...]:
    """One row a category and a last one for all, zeros where nothing was accepted; none where nothing was computed."""
    found = entry.counts.get("originality")
    if found is None:
        return ()
    names = [*(each.name for each in benchmark.categories), ""]
    return tuple(OriginalityRow(category=name, **found.get(name, {"proofs": 0, "same": 0})) for name in names)


def _time_row(name: str, times: dict[str, float]) -> TimeRow:
    if not times["proofs"]:
        return TimeRow(name, 0)
    return TimeRow(name, int(times["proofs"]), times["median_ms"] / 1e3, times["mean_ms"] / 1e3, times["p95_ms"] / 1e3)
