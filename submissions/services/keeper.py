"""What the keeper does every few seconds: it picks up whatever a dead process left behind, from the database alone.

Nothing depends on the keeper being alive at any moment, only on one being alive again later; two of them at once do no
harm, since every step is a conditional UPDATE.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from submissions import queue
from submissions.models import Invitation, Result, Run, Slice, Trial, WorkerRow
from submissions.models.runs import MOVING, OPEN, WORKER_DEAD_AFTER
from submissions.services.audits import copies_summarise
from submissions.services.drafts import drafts_expire
from submissions.services.leases import MOST_TRIES, slices_back, slices_rung
from submissions.services.locks import locked
from submissions.services.mail import invitation_mail, mails_due, run_mail
from submissions.services.reading import readings_reap, readings_wake
from submissions.services.results import confirmation_end, result_write
from submissions.services.runs import MOST_BELLS, proofs_unjudged, run_advance
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ConfirmationResult, ProofResult
from verifier.core.verdict import Verdict

RING_AFTER = timedelta(seconds=60)  # of silence; whoever should have moved it had time to
MAIL_WITHIN = timedelta(days=1)  # later a mail would be no news
MOST_DEATHS = 2  # of workers, over one proof
_LOST = REASONS[Reason.WORKER_LOST].sentence


@dataclass(frozen=True, slots=True)
class Swept:
    """What one round found, for the keeper's log."""

    leases: int
    bells: int
    workers: int
    drafts: int
    mails: int


def keeper_sweep() -> Swept:
    """One round: expired leases, runs that stand still, bells nobody heard, dead workers, old drafts, unsent mails."""
    now = timezone.now()
    leases = leases_reap(now=now) + readings_reap(now=now)
    runs_wake(now=now)
    return Swept(
        leases=leases,
        bells=bells_ring(now=now) + readings_wake(late=now - RING_AFTER),
        workers=WorkerRow.objects.filter(dead=None, heartbeat__lt=now - WORKER_DEAD_AFTER).update(
            dead=now, judging=False
        ),
        drafts=drafts_expire(now=now),
        mails=_mails(now),
    )


def leases_reap(*, now: datetime) -> int:
    """Take back every slice whose worker stopped renewing; how many there were."""
    rows = Slice.objects.filter(state=Slice.State.LEASED, expires__lt=now)
    for slice_id in rows.filter(kind=Slice.Kind.AUDIT).values_list("pk", flat=True):
        copies_summarise(slice_id=slice_id)  # before the slice is taken back, so that a keeper that dies does it again
    return sum(_reap(pk, token, now) for pk, token in rows.values_list("pk", "token"))


def _reap(slice_id: int, token: str, now: datetime) -> bool:
    """Take one slice back, and lay the death at the door of the proof that was running, if any.

    Two deaths of one proof: it is given up as `internal`, `worker_lost`, and the slice goes on without it. Three leases
    lost while no proof was running: whatever has no verdict is given up. Deaths that the engine saw inside the sandbox
    never come here; they are verdicts about the proof.
    """
    with transaction.atomic():
        run_id = Slice.objects.values_list("run_id", flat=True).get(pk=slice_id)
        locked(Run.objects.all()).get(pk=run_id)
        expired = Slice.objects.filter(pk=slice_id, token=token, state=Slice.State.LEASED, expires__lt=now)
        row = locked(expired.select_related("environment")).first()
        if row is None:
            return False
        if row.running_id is None:
            expired.update(tries=F("tries") + 1)
        else:
            _death(row, row.running_id)
        given_up = row.running_id is None and row.tries + 1 >= MOST_TRIES
        if given_up and row.kind == Slice.Kind.CHECK:
            for proof_id in proofs_unjudged(slice_id=row.pk, run_id=row.run_id):
                _give_up(row, proof_id)
        if given_up and row.kind == Slice.Kind.CONFIRM:
            for proof in row.proofs.select_related("problem"):
                look = ConfirmationResult(proof.problem.ident, proof.attempt, None, _LOST, reason=Reason.WORKER_LOST)
                confirmation_end(run_id=row.run_id, proof_id=proof.pk, look=look)
        if given_up or (row.kind == Slice.Kind.CHECK and not proofs_unjudged(slice_id=row.pk, run_id=row.run_id)):
            expired.update(state=Slice.State.DONE, running=None, expires=None, token="")
            run_advance(run_id=row.run_id)
        else:
            slices_back(expired, now)
            transaction.on_commit(partial(queue.ring, row.environment.digest), robust=True)
    return True


def _death(row: Slice, proof_id: int) -> None:
    trial, _ = Trial.objects.get_or_create(run_id=row.run_id, proof_id=proof_id)
    Trial.objects.filter(pk=trial.pk).update(deaths=F("deaths") + 1)
    if trial.deaths + 1 >= MOST_DEATHS:
        _give_up(row, proof_id)


def _give_up(row: Slice, proof_id: int) -> None:
    if Result.objects.filter(run_id=row.run_id, proof_id=proof_id).exists():
        return
    proof = row.proofs.select_related("problem").get(pk=proof_id)
    lost = ProofResult(proof.problem.ident, proof.attempt, Verdict.INTERNAL, Reason.WORKER_LOST, message=_LOST)
    result_write(run_id=row.run_id, proof_id=proof_id, result=lost, worker=row.worker, tries=MOST_DEATHS)


def runs_wake(*, now: datetime) -> int:
    """Move on runs that have nothing open in their stage and that nobody moved; how many there were."""
    moving = Run.objects.filter(state__in=MOVING)
    still = moving.exclude(slices__state__in=OPEN).filter(created__lt=now - RING_AFTER)
    ids = list(still.values_list("pk", flat=True))
    for run_id in ids:
        run_advance(run_id=run_id)
    return len(ids)


def bells_ring(*, now: datetime) -> int:
    """Ring again for whatever waited a minute since it was last rung for; how many bells rang."""
    late = now - RING_AFTER
    waiting = Slice.objects.filter(state=Slice.State.WAITING, waiting_since__lt=late)
    unheard = waiting.filter(Q(rung=None) | Q(rung__lt=late))
    rung = 0
    for digest in set(unheard.order_by().values_list("environment__digest", flat=True)):
        rows = unheard.filter(environment__digest=digest)
        bells = min(rows.count(), MOST_BELLS)
        if all(queue.ring(digest) for _ in range(bells)):
            slices_rung(rows)
            rung += bells
    return rung


def _mails(now: datetime) -> int:
    ended = Run.objects.filter(state=Run.State.DONE, finished__range=(now - MAIL_WITHIN, now - RING_AFTER))
    invited = Invitation.objects.filter(accepted=None, created__range=(now - MAIL_WITHIN, now - RING_AFTER))
    sent = sum(run_mail(run_id=pk) for pk in mails_due(ended).values_list("pk", flat=True))
    return sent + sum(invitation_mail(invitation_id=pk) for pk in mails_due(invited).values_list("pk", flat=True))
