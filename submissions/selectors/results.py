"""Results of one run as tables and logs. Whoever calls has already decided that the reader may see the run."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from submissions.models import Proof, Result, Run
from submissions.packed import unpacked
from verifier.core.metrics import counted_attempts, scoring_attempt
from verifier.core.reason import REASONS, Reason
from verifier.core.verdict import Verdict
from verifier.models import Problem

MISSING = "missing"
WAITING = "waiting"
SHOWN = ("verdict", "reason", "error_class", "headline", "line", "wall_ms", "confirmation", "reused")  # of a result


@dataclass(frozen=True, slots=True)
class RunFilter:
    """What a table is narrowed to; empty means everything. `text` is looked for in problem ids.

    `k` keeps the problems that ACC#k counts as solved.
    """

    category: str = ""
    verdict: str = ""
    reason: str = ""
    error_class: str = ""
    text: str = ""
    k: int = 0


@dataclass(frozen=True, slots=True)
class AttemptCell:
    """One attempt at one problem. `verdict` is a Verdict, or `missing`, or `waiting`."""

    attempt: int
    verdict: str
    reason: str = ""
    error_class: str = ""
    headline: str = ""
    line: int | None = None
    wall_ms: int = 0
    confirmation: str = ""
    reused: bool = False
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class ProblemLine:
    """One problem of the set with a cell for every attempt that the submission has anywhere."""

    problem: str
    revision: int
    category: str
    unit: str
    cells: tuple[AttemptCell, ...]


@dataclass(frozen=True, slots=True)
class ResultDetail:
    """The log of one proof. `log` holds message, place, command, goals, near, evidence as the engine gave them."""

    run: Run
    problem: Problem
    proof: Proof
    cell: AttemptCell
    sentence: str
    column: int | None = None
    cpu_ms: int = 0
    worker: str = ""
    tries: int = 0
    audit: str = ""
    checked: datetime | None = None
    log: dict[str, Any] = field(default_factory=dict)


def log_unpack(data: bytes | memoryview) -> dict[str, Any]:
    """The log that `submissions.services.results` packed."""
    return dict(unpacked(data))


def run_table(run: Run, filters: RunFilter | None = None) -> tuple[ProblemLine, ...]:
    """One line per problem of the set in its order, in three queries; a line stays when one of its cells fits."""
    wanted = filters or RunFilter()
    members = run.submission.problem_set.members.order_by("index")
    if wanted.category:
        members = members.filter(problem__category=wanted.category)
    if wanted.text:
        members = members.filter(problem__ident__icontains=wanted.text)
    cells = _cells(run)
    attempts = sorted({attempt for _, attempt in cells})
    facts = ("problem_id", "problem__ident", "problem__revision", "problem__category", "problem__unit")
    lines = (
        ProblemLine(
            problem=ident,
            revision=revision,
            category=category,
            unit=unit,
            cells=tuple(cells.get((key, a)) or AttemptCell(a, MISSING) for a in attempts),
        )
        for key, ident, revision, category, unit in members.values_list(*facts)
    )
    counted = counted_attempts(scoring_attempt(attempts), wanted.k) if wanted.k else None
    return tuple(line for line in lines if _fits(line.cells, wanted) and _solved(line.cells, counted))


def _cells(run: Run) -> dict[tuple[int, int], AttemptCell]:
    proofs = Proof.objects.filter(submission_id=run.submission_id).values_list("pk", "problem_id", "attempt", "tokens")
    rows = Result.objects.filter(run=run).values_list("proof_id", *SHOWN)
    results = {proof: dict(zip(SHOWN, values, strict=True)) for proof, *values in rows}
    return {(problem, attempt): _cell(attempt, tokens, results.get(pk)) for pk, problem, attempt, tokens in proofs}


def _cell(attempt: int, tokens: int, result: dict[str, Any] | None) -> AttemptCell:
    if result is None:
        return AttemptCell(attempt, WAITING, tokens=tokens)
    return AttemptCell(attempt, tokens=tokens, **result)


def _solved(cells: Iterable[AttemptCell], counted: range | None) -> bool:
    """Whether one of the attempts counted was proved; all problems where no attempts are asked for."""
    return counted is None or any(cell.verdict == Verdict.PROVED for cell in cells if cell.attempt in counted)


def _fits(cells: Iterable[AttemptCell], wanted: RunFilter) -> bool:
    if not (wanted.verdict or wanted.reason or wanted.error_class):
        return True
    return any(
        wanted.verdict in {"", cell.verdict}
        and wanted.reason in {"", cell.reason}
        and wanted.error_class in {"", cell.error_class}
        for cell in cells
    )


def result_detail(run: Run, problem: str, attempt: int) -> ResultDetail | None:
    """The log of one proof of the run, or None when no such proof was uploaded. While it waits, `log` is empty."""
    proof = (
        Proof.objects.filter(submission_id=run.submission_id, problem__ident=problem, attempt=attempt)
        .select_related("problem")
        .first()
    )
    if proof is None:
        return None
    row = Result.objects.filter(run=run, proof=proof).select_related("log").first()
    cell = _cell(attempt, proof.tokens, {name: getattr(row, name) for name in SHOWN} if row else None)
    if row is None:
        return ResultDetail(run, proof.problem, proof, cell, sentence="")
    return ResultDetail(
        run=run,
        problem=proof.problem,
        proof=proof,
        cell=cell,
        sentence=REASONS[Reason(row.reason)].sentence if row.reason else "",
        column=row.column,
        cpu_ms=row.cpu_ms,
        worker=row.worker,
        tries=row.tries,
        audit=row.audit,
        checked=row.checked,
        log=log_unpack(row.log.data) if hasattr(row, "log") else {},
    )
