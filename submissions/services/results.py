"""Writing down what was found about one proof: once, under a lease that is still held, with its log."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from submissions.models import Proof, Result, ResultLog, Run, Trial
from submissions.packed import packed, unpacked
from submissions.services.leases import Claim, held
from submissions.services.locks import locked
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ConfirmationResult, Place, ProofResult
from verifier.core.said import first_sentence
from verifier.core.verdict import Confirmation, Verdict

CHUNK = 400  # ids per query, under SQLite's limit of variables
MOST_UNKNOWNS = 3
REUSABLE = (Verdict.PROVED, Verdict.FAILED, Verdict.REJECTED)
SETTLED = {Confirmation.NOT_NEEDED, Confirmation.CONFIRMED}


def log_pack(result: ProofResult) -> bytes:
    """Everything a log page shows beyond the row, compressed."""
    data = {
        "message": result.message,
        "verbatim": result.verbatim,
        "place": asdict(result.place) if result.place else None,
        "command": result.command,
        "goals": result.goals,
        "near": [asdict(fact) for fact in result.near],
        "evidence": dict(result.evidence),
    }
    return packed(data)


def proof_started(*, claim: Claim, proof_id: int) -> bool:
    """Note which proof is about to run, so that a death can be laid at its door; False when the lease is gone."""
    return bool(held(claim).update(running=proof_id))


def result_record(*, claim: Claim, proof_id: int, result: ProofResult, tries: int = 1) -> bool:
    """Write the verdict of one proof with its log; False, and nothing written, when the lease is gone.

    Row and log are one transaction that begins by touching the leased slice: a keeper that takes the lease away at the
    same moment either comes first, and the writer is refused, or later, and finds the result there.
    """
    with transaction.atomic():
        if not held(claim).update(running=None):
            return False
        if not Result.objects.filter(run_id=claim.run_id, proof_id=proof_id).exists():
            result_write(run_id=claim.run_id, proof_id=proof_id, result=result, worker=claim.worker, tries=tries)
    return True


def result_write(*, run_id: int, proof_id: int, result: ProofResult, worker: str = "", tries: int = 1) -> None:
    """Insert row and log. The caller is inside a transaction that made sure that nobody else writes them."""
    row = Result.objects.create(run_id=run_id, proof_id=proof_id, worker=worker, tries=tries, **_columns(result))
    ResultLog.objects.create(result=row, data=log_pack(result))


def results_write(*, run_id: int, found: Sequence[tuple[int, ProofResult]]) -> None:
    """The same for many proofs that no worker looked at."""
    rows = [Result(run_id=run_id, proof_id=proof_id, **_columns(result)) for proof_id, result in found]
    Result.objects.bulk_create(rows, batch_size=CHUNK)
    logs = [ResultLog(result=row, data=log_pack(result)) for row, (_, result) in zip(rows, found, strict=True)]
    ResultLog.objects.bulk_create(logs, batch_size=CHUNK)


def _columns(result: ProofResult) -> dict[str, Any]:
    return {
        "verdict": str(result.verdict),
        "reason": str(result.reason or ""),
        "error_class": str(result.error_class or ""),
        "headline": first_sentence(result.message),
        "line": result.place.line if result.place else None,
        "column": result.place.column if result.place else None,
        "wall_ms": result.wall_ms,
        "cpu_ms": result.cpu_ms,
        "confirmation": str(Confirmation.PENDING if result.verdict is Verdict.PROVED else Confirmation.NOT_NEEDED),
    }


def unknown_record(*, claim: Claim, proof_id: int, result: ProofResult, tries: int = 1) -> bool:
    """Count an `internal` answer; the third one about a proof is written down. False when the lease is gone.

    The proof stays without a result until then, so that its slice waits again for a fresh worker (design, section 4).
    A fault of the benchmark itself is written at once: no other worker would see it differently.
    """
    with transaction.atomic():
        if not held(claim).update(running=None):
            return False
        trial, _ = Trial.objects.get_or_create(run_id=claim.run_id, proof_id=proof_id)
        Trial.objects.filter(pk=trial.pk).update(unknowns=F("unknowns") + 1)
        if trial.unknowns + 1 >= MOST_UNKNOWNS or result.reason is Reason.PACK_BROKEN:
            return result_record(claim=claim, proof_id=proof_id, result=result, tries=tries + trial.unknowns)
    return True


def results_reuse(*, run: Run, proofs: Iterable[Proof]) -> set[int]:
    """Copy what is known already of identical proofs; the proofs that now have a result.

    Identical means: same revision of the problem (and so the same statement), same canonical text, same limits, same
    environment. Only proved and confirmed, failed and rejected results are taken, and none for a re-judging. The copy
    says `reused` and nothing of where it came from. Two runs that check the same text at the same moment both check
    it, which costs time and nothing else. The caller is inside a transaction.
    """
    if run.kind == Run.Kind.REJUDGE:
        return set()
    wanted: dict[tuple[int, str], list[int]] = defaultdict(list)  # several attempts may hold the very same text
    for proof in proofs:
        wanted[proof.problem_id, proof.digest].append(proof.pk)
    digests = sorted({digest for _, digest in wanted})
    chosen: dict[int, int] = {}
    rows: dict[int, Result] = {}
    for start in range(0, len(digests), CHUNK):
        known = Result.objects.filter(
            run__environment_id=run.environment_id,
            run__limits_digest=run.limits_digest,
            proof__digest__in=digests[start : start + CHUNK],
            verdict__in=REUSABLE,
            confirmation__in=SETTLED,
        ).exclude(run=run)
        pairs = known.filter(log__isnull=False).values_list("pk", "proof__problem_id", "proof__digest")
        for pk, problem, digest in pairs:
            chosen.update(dict.fromkeys(wanted.get((problem, digest), ()), pk))
    keys = sorted(set(chosen.values()))
    for start in range(0, len(keys), CHUNK):
        # Read again under a lock, which an audit that takes a verdict back waits for, and then finds the copy; whoever
        # comes after it finds another verdict here.
        fit = locked(Result.objects.filter(verdict__in=REUSABLE, confirmation__in=SETTLED).select_related("log"))
        rows.update(fit.in_bulk(keys[start : start + CHUNK]))
    sources = {proof_id: rows[pk] for proof_id, pk in chosen.items() if pk in rows}
    _copy(run, sources)
    return set(sources)


def results_reuse_leased(*, claim: Claim, proof_ids: Sequence[int]) -> None:
    """The same for proofs of a leased slice, for whatever another run found since they were queued."""
    run = Run.objects.get(pk=claim.run_id)
    with transaction.atomic():
        if held(claim).update(running=None):
            results_reuse(run=run, proofs=Proof.objects.filter(pk__in=proof_ids))


def _copy(run: Run, sources: dict[int, Result]) -> None:
    kept = ("verdict", "reason", "error_class", "headline", "line", "column", "wall_ms", "cpu_ms", "confirmation")
    rows = [
        Result(run=run, proof_id=proof_id, reused=True, **{name: getattr(row, name) for name in kept})
        for proof_id, row in sources.items()
    ]
    Result.objects.bulk_create(rows, batch_size=CHUNK)
    logs = [ResultLog(result=new, data=old.log.data) for new, old in zip(rows, sources.values(), strict=True)]
    ResultLog.objects.bulk_create(logs, batch_size=CHUNK)


def confirmations_record(*, claim: Claim, found: Sequence[tuple[int, ConfirmationResult]]) -> bool:
    """Write what second looks found, by proof; False, and nothing written, when the lease is gone.

    A disagreement takes the verdict back: the result becomes `internal` and never scores (design, section 7.1). Where
    the look found a fault of the proof itself, that is its verdict, as if the judge had seen it at once.
    """
    with transaction.atomic():
        if not held(claim).update(running=None):
            return False
        pending = Result.objects.filter(run_id=claim.run_id, confirmation=Confirmation.PENDING)
        agreed = [proof_id for proof_id, look in found if look.agreed]
        for start in range(0, len(agreed), CHUNK):
            part = agreed[start : start + CHUNK]
            pending.filter(proof_id__in=part).update(confirmation=Confirmation.CONFIRMED)
        for proof_id, look in found:
            if look.agreed is False:
                rows = pending.filter(proof_id=proof_id)
                results_take_back(rows=rows, columns=_taken_back(look), message=look.message)
    return True


def confirmations_give_up(*, claim: Claim, found: Sequence[tuple[int, ConfirmationResult]]) -> bool:
    """End second looks that never came to an answer, by proof; False, and nothing written, when the lease is gone.

    A proof that cannot be replayed within its own limits is no evidence: the limit is its verdict. Where the platform
    could not look, the result is `internal`. Neither stays pending, which would count for ever.
    """
    with transaction.atomic():
        if not held(claim).update(running=None):
            return False
        for proof_id, look in found:
            confirmation_end(run_id=claim.run_id, proof_id=proof_id, look=look)
    return True


def confirmation_end(*, run_id: int, proof_id: int, look: ConfirmationResult) -> None:
    """Take one pending verdict back for want of a second look. The caller is inside a transaction and made sure."""
    message = f"The second look came to no answer. {look.message}"
    columns = _taken_back(replace(look, reason=look.reason or Reason.NO_EVIDENCE, message=message))
    pending = Result.objects.filter(run_id=run_id, proof_id=proof_id, confirmation=Confirmation.PENDING)
    results_take_back(rows=pending, columns=columns, message=message)


def results_take_back(*, rows: QuerySet[Result], columns: dict[str, Any], message: str) -> int:
    """Let a later look decide: its columns, and its message in the log instead of the evidence; how many rows.

    The caller is inside a transaction.
    """
    keys = list(rows.values_list("pk", flat=True))
    for log in ResultLog.objects.filter(result_id__in=keys):
        told = unpacked(log.data) | {"message": message, "verbatim": False, "evidence": {}}
        ResultLog.objects.filter(pk=log.pk).update(data=packed(told))
    return Result.objects.filter(pk__in=keys).update(**columns)


def _taken_back(look: ConfirmationResult) -> dict[str, Any]:
    columns = verdict_columns(look.reason or Reason.CONFIRMATION_DISAGREED, look.message)
    return columns | {"confirmation": Confirmation.DISAGREED if look.reason is None else Confirmation.NOT_NEEDED}


def verdict_columns(reason: Reason, message: str) -> dict[str, str]:
    """What stands in a row in place of `proved` once a later look found this reason against it."""
    row = REASONS[reason]
    return {
        "verdict": row.verdict,
        "reason": reason,
        "error_class": row.error_class or "",
        "headline": first_sentence(message) or row.sentence,
    }


def rejection_result(proof: Proof) -> ProofResult:
    """The result of a proof that preflight rejected: no worker sees it, its finding is its log."""
    reason = Reason(proof.reason)
    return ProofResult(
        problem=proof.problem.ident,
        attempt=proof.attempt,
        verdict=REASONS[reason].verdict,
        reason=reason,
        message=str(proof.finding.get("message", "")),
        place=Place(proof.finding["line"], proof.finding.get("column") or 1) if proof.finding.get("line") else None,
    )
