"""Working through one leased slice: which proofs go to the judge together, and what is done with each answer.

Who judges is handed in, so that this knows neither a prover nor a sandbox. Three things can end a look at a proof
without a verdict, and each has its own count (design, sections 4 and 9):

* the judge answers `internal` (or nothing): Trial.unknowns; the proof waits for a fresh worker, the third such answer
  is written down as it came;
* the worker is lost while the proof runs: Trial.deaths, counted by the keeper; a proof with a death is judged alone and
  after all others, and after the second death it is given up as `internal` (`worker_lost`), because a worker is never
  supposed to die of a proof: only a death that the engine itself saw inside the sandbox is the proof's own
  (`prover_crash`, `memory`, …) and comes as an ordinary answer;
* the worker is lost while no proof runs, or its platform cannot make a second look: Slice.tries, counted by the keeper
  and by slice_failed; the third time, what is open is given up.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from django.db.models import QuerySet

from submissions.models import Proof, Result, Slice, Trial
from submissions.services.audits import audits_record
from submissions.services.leases import MOST_TRIES, Claim, slice_failed, slice_proofs, slice_release
from submissions.services.results import (
    confirmations_give_up,
    confirmations_record,
    proof_started,
    result_record,
    results_reuse_leased,
    unknown_record,
)
from submissions.services.runs import proofs_unjudged, slice_finish
from verifier.core.errors import PlatformFault
from verifier.core.reason import Reason
from verifier.core.result import ConfirmationResult, ProofResult, ProofTask
from verifier.core.verdict import Audit, Confirmation, Verdict

MOST_LOOKS = 3  # at one proof, before its confirmation is given up
MOST_LIMITS = 2  # of these looks that ended by a limit that the proof passed alone


class Judge(Protocol):
    """Checks proofs of one pack in one environment; raises PlatformFault when it cannot."""

    def check(
        self, tasks: Sequence[ProofTask], on_start: Callable[[ProofTask], None], stopped: Callable[[], bool]
    ) -> Iterable[ProofResult]:
        """Results in any order, each as soon as it is known; `on_start` is called before each proof."""

    def confirm(self, tasks: Sequence[ProofTask]) -> Sequence[ConfirmationResult]:
        """The second look, in fresh processes; answers with the reason `sandbox_failed` where the platform cannot."""

    def audit(self, tasks: Sequence[ProofTask]) -> Sequence[ConfirmationResult]:
        """The independent look, by the prover's own tools."""


@dataclass(frozen=True, slots=True)
class Work:
    """The proofs of a slice that are still to be looked at, by (problem id, attempt)."""

    tasks: tuple[ProofTask, ...]
    proofs: dict[tuple[str, int], int]
    tries: int = 1

    def proof_id(self, found: ProofResult | ConfirmationResult | ProofTask) -> int:
        """Primary key of the proof that a task or an answer is about."""
        return self.proofs[found.problem, found.attempt]


@dataclass(frozen=True, slots=True)
class Looked:
    """How a look at some proofs ended: whether the platform did its part, and whether the lease is still held."""

    sound: bool = True
    held: bool = True


class _LeaseLostError(Exception):
    """The slice was cancelled or given to another worker; nothing more of it is to be begun."""


def slice_judge(*, claim: Claim, judge: Judge, stopped: Callable[[], bool]) -> bool:
    """Work through a slice; False when the platform failed, so that the worker does not try the next one at once.

    Begins no further proof once the lease is gone (cancelled, or given to another worker), and puts the slice back
    when `stopped` says so.
    """
    if claim.kind == Slice.Kind.CONFIRM:
        return _confirm(claim, judge, stopped)
    if claim.kind == Slice.Kind.AUDIT:
        return _audit(claim, judge)
    results_reuse_leased(claim=claim, proof_ids=proofs_unjudged(slice_id=claim.slice_id, run_id=claim.run_id))
    sound = True
    for group in _groups(claim):
        looked = _check(claim, judge, group, stopped)
        sound = sound and looked.sound
        if not looked.held:
            return sound
        if stopped():
            slice_release(claim=claim)
            return sound
    slice_finish(claim=claim, ring=sound)
    return sound


def _groups(claim: Claim) -> list[Work]:
    """Everything without a death in one session, then each suspect alone."""
    open_ids = proofs_unjudged(slice_id=claim.slice_id, run_id=claim.run_id)
    suspects = set(
        Trial.objects.filter(run_id=claim.run_id, proof__in=open_ids, deaths__gt=0).values_list("proof_id", flat=True)
    )
    groups = [_work(Proof.objects.filter(pk__in=[pk for pk in open_ids if pk not in suspects]))]
    groups += [_work(Proof.objects.filter(pk=pk), tries=2) for pk in open_ids if pk in suspects]
    return [group for group in groups if group.tasks]


def _work(proofs: QuerySet[Proof], tries: int = 1) -> Work:
    rows = proofs.select_related("problem").order_by("problem__position", "problem__ident", "attempt")
    return Work(
        tasks=tuple(ProofTask(row.problem.ident, row.attempt, row.text) for row in rows),
        proofs={(row.problem.ident, row.attempt): row.pk for row in rows},
        tries=tries,
    )


def _check(claim: Claim, judge: Judge, work: Work, stopped: Callable[[], bool]) -> Looked:
    """Judge the tasks in one go."""
    answered: set[int] = set()

    def on_start(task: ProofTask) -> None:
        if not proof_started(claim=claim, proof_id=work.proof_id(task)):
            raise _LeaseLostError

    fault, reason, sound = "The judge gave no answer about this proof.", Reason.NO_EVIDENCE, True
    try:
        for result in judge.check(work.tasks, on_start, stopped):
            proof_id = work.proof_id(result)
            record = unknown_record if result.verdict is Verdict.INTERNAL else result_record
            sound = sound and result.reason is not Reason.SANDBOX_FAILED
            if not record(claim=claim, proof_id=proof_id, result=result, tries=work.tries):
                return Looked(sound, held=False)
            answered.add(proof_id)
    except _LeaseLostError:
        return Looked(sound, held=False)
    except PlatformFault as error:
        fault, reason, sound = str(error), Reason.SANDBOX_FAILED, False
    if stopped():
        return Looked(sound)
    silent = [task for task in work.tasks if work.proof_id(task) not in answered]
    return Looked(sound, held=all(_unknown(claim, work, task, reason, fault) for task in silent))


def _unknown(claim: Claim, work: Work, task: ProofTask, reason: Reason, fault: str) -> bool:
    """Count a proof that got no answer; False when the lease is gone."""
    unknown = ProofResult(task.problem, task.attempt, Verdict.INTERNAL, reason, message=fault)
    return unknown_record(claim=claim, proof_id=work.proof_id(task), result=unknown)


def _confirm(claim: Claim, judge: Judge, stopped: Callable[[], bool]) -> bool:
    """Second looks at what the slice holds. After a lost worker each proof is looked at alone.

    What came to no answer is looked at again, alone, and then given up: it was no evidence. When the platform failed,
    the slice waits for another worker, three times at most.
    """
    pending = Result.objects.filter(run_id=claim.run_id, confirmation=Confirmation.PENDING)
    work = _work(slice_proofs(claim.slice_id).filter(results__in=pending))
    waiting = [work.tasks] if claim.tries == 0 else [(task,) for task in work.tasks]
    looks: Counter[int] = Counter()
    limits: Counter[int] = Counter()
    while waiting:
        batch = waiting.pop(0)
        if not batch:
            continue
        found = [(work.proof_id(one), one) for one in judge.confirm(batch)]
        broken = next((one for _, one in found if one.reason is Reason.SANDBOX_FAILED), None)
        if broken is not None:
            if not confirmations_record(claim=claim, found=found):
                return False
            return _confirm_later(claim, work, broken)
        looks.update(proof_id for proof_id, _ in found)
        limits.update(key for key, one in found if one.agreed is None and one.reason is not None)
        silent = [(key, one) for key, one in found if one.agreed is None]
        over = [(key, one) for key, one in silent if looks[key] >= MOST_LOOKS or limits[key] >= MOST_LIMITS]
        if not confirmations_record(claim=claim, found=found) or not confirmations_give_up(claim=claim, found=over):
            return True
        again = {key for key, _ in silent} - {key for key, _ in over}
        waiting += [(task,) for task in batch if work.proof_id(task) in again]
        if stopped():
            slice_release(claim=claim)
            return True
    slice_finish(claim=claim)
    return True


def _confirm_later(claim: Claim, work: Work, fault: ConfirmationResult) -> bool:
    """Leave the slice to another worker; the third time, what has no second look is given up as `internal`."""
    if slice_failed(claim=claim) < MOST_TRIES:
        return False
    found = [(work.proof_id(task), replace(fault, problem=task.problem, attempt=task.attempt)) for task in work.tasks]
    if confirmations_give_up(claim=claim, found=found):
        slice_finish(claim=claim)
    return False


def _audit(claim: Claim, judge: Judge) -> bool:
    """The independent look at what the slice holds; what it could not look at stays pending and counts as before."""
    pending = Result.objects.filter(run_id=claim.run_id, audit=Audit.PENDING)
    work = _work(slice_proofs(claim.slice_id).filter(results__in=pending))
    try:
        found = judge.audit(work.tasks) if work.tasks else ()
    except PlatformFault:
        slice_finish(claim=claim)
        return False
    if audits_record(claim=claim, found=[(work.proof_id(one), one) for one in found]):
        slice_finish(claim=claim)
    return True
