"""The independent look after a run has ended: which proofs get it, and what becomes of its answer.

All proofs of small sets are looked at, a share of those of larger ones (design, section 7.1). The run is done and may
be on a board meanwhile; an answer that disagrees takes the verdict back wherever it counts.
"""

import logging
import math
import random
from collections.abc import Iterable, Sequence
from functools import partial

from django.conf import settings
from django.core.mail import mail_admins
from django.db import transaction
from django.db.models import QuerySet

from submissions.models import Proof, Result, Run
from submissions.services.leases import Claim, held, slice_proofs
from submissions.services.locks import locked
from submissions.services.results import results_take_back, verdict_columns
from submissions.services.summaries import run_summarise
from verifier import engine
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ConfirmationResult
from verifier.core.verdict import Audit, Confirmation, Verdict

ALL_UP_TO = 100  # problems of a set
logger = logging.getLogger(__name__)


def audit_sample(*, run: Run) -> list[Proof]:
    """The proofs of a finished run that get the independent look, noted as pending; none where the prover has no such.

    Chosen by the run's own id, so that nobody can tell beforehand and everybody can tell afterwards.
    """
    if not engine.has_audit(run.environment.prover):
        return []
    proved = Result.objects.filter(run=run, verdict=Verdict.PROVED, reused=False, audit=Audit.NOT_SAMPLED)
    keys = list(proved.order_by("proof_id").values_list("proof_id", flat=True))
    if run.submission.problem_set.members.count() > ALL_UP_TO:
        count = math.ceil(len(keys) * settings.AUDIT_PERCENT / 100)
        keys = sorted(random.Random(run.public_id).sample(keys, count))  # noqa: S311 - to be told again, not secret
    Result.objects.filter(run=run, proof_id__in=keys).update(audit=Audit.PENDING)
    return list(Proof.objects.filter(pk__in=keys).select_related("problem"))


def audits_record(*, claim: Claim, found: Sequence[tuple[int, ConfirmationResult]]) -> bool:
    """Write what the independent look found, by proof; False, and nothing written, when the lease is gone.

    Where it could not look, the result stays pending. A disagreement takes the verdict back, in every other run that
    holds the same text of the same problem as well, and raises an alarm.
    """
    disagreed = {proof_id: look for proof_id, look in found if look.agreed is False}
    copied: set[int] = set()
    with transaction.atomic():
        runs = _runs_told(claim, disagreed)
        if not held(claim).update(running=None):
            return False
        pending = Result.objects.filter(run_id=claim.run_id, audit=Audit.PENDING)
        agreed = [proof_id for proof_id, look in found if look.agreed]
        pending.filter(proof_id__in=agreed).update(audit=Audit.AGREED)
        for proof_id, look in disagreed.items():
            columns = verdict_columns(Reason.CONFIRMATION_DISAGREED, look.message) | {"audit": Audit.DISAGREED}
            own = pending.filter(proof_id=proof_id)
            if results_take_back(rows=own, columns=columns, message=look.message):
                copied |= _take_back_elsewhere(claim, proof_id, columns)
                _alarm(claim.run_id, look)
        for run in runs:
            run_summarise(run=run)
        # Copies that were committed while this waited for the row that they were made from.
        for run_id in copied - {run.pk for run in runs}:
            transaction.on_commit(partial(_summarise, run_id), robust=True)
    return True


def _take_back_elsewhere(claim: Claim, proof_id: int, columns: dict[str, str]) -> set[int]:
    """Take the same proof back in other runs, until none is left: copies may be made while this waits; the runs.

    What the prover said may quote other proofs of this team, so other teams are told the reason alone.
    """
    sentence = REASONS[Reason.CONFIRMATION_DISAGREED].sentence
    runs: set[int] = set()
    while found := dict(_same_elsewhere(claim, proof_id).values_list("pk", "run_id")):
        rows = locked(Result.objects.filter(pk__in=found))
        results_take_back(rows=rows, columns=columns | {"headline": sentence}, message=sentence)
        runs.update(found.values())
    return runs


def copies_summarise(*, slice_id: int) -> None:
    """Sum up again every run that holds what the audit of a slice took back: its worker was lost before it did."""
    proofs = slice_proofs(slice_id)
    taken = Result.objects.filter(run__slices=slice_id, proof__in=proofs, audit=Audit.DISAGREED)
    runs: set[int] = set()
    for row in taken.select_related("run", "proof"):
        same = _same_text(row.run, row.proof).filter(audit=Audit.DISAGREED)
        runs.update(same.values_list("run_id", flat=True))
    for run_id in sorted(runs):
        _summarise(run_id)


def _summarise(run_id: int) -> None:
    with transaction.atomic():
        rows = Run.objects.filter(pk=run_id, summary__isnull=False).select_related("submission__problem_set")
        for run in locked(rows):
            run_summarise(run=run)


def _runs_told(claim: Claim, disagreed: Iterable[int]) -> list[Run]:
    """Runs with figures that a disagreement may change, locked before anything is written; none without one."""
    keys = {key for proof_id in disagreed for key in _same_elsewhere(claim, proof_id).values_list("run_id", flat=True)}
    if not keys:
        return []
    summed = Run.objects.filter(pk__in=keys | {claim.run_id}, summary__isnull=False)
    return list(locked(summed.select_related("submission__problem_set")))


def _same_elsewhere(claim: Claim, proof_id: int) -> QuerySet[Result]:
    """Accepted results of the very same proof in other runs, most of them copies (`results_reuse`)."""
    run, proof = Run.objects.get(pk=claim.run_id), Proof.objects.get(pk=proof_id)
    accepted = _same_text(run, proof).filter(verdict=Verdict.PROVED, confirmation=Confirmation.CONFIRMED)
    return accepted.exclude(run=run)


def _same_text(run: Run, proof: Proof) -> QuerySet[Result]:
    """Results of the very same proof under the same limits, in this run and others."""
    return Result.objects.filter(
        proof__problem_id=proof.problem_id,
        proof__digest=proof.digest,
        run__environment_id=run.environment_id,
        run__limits_digest=run.limits_digest,
    )


def _alarm(run_id: int, look: ConfirmationResult) -> None:
    subject = f"Two looks disagree: run {run_id}, {look.problem}, attempt {look.attempt}"
    logger.critical("%s: %s", subject, look.message)
    transaction.on_commit(lambda: mail_admins(subject, look.message, fail_silently=True), robust=True)
