"""Who works on which slice. A lease is a token and a time; every change of it is one conditional UPDATE.

A worker that lost its lease is refused whatever it still wants to write, so a slice can be given to another one at any
moment without a result being lost or counted twice (design, section 9).
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils import timezone

from submissions.fairness import TAKEABLE, slices_waiting_fairly
from submissions.models import Proof, Run, Slice
from submissions.services.locks import locked

MOST_TRIES = 3  # of one slice: leases lost while no proof ran, and looks that the platform failed


@dataclass(frozen=True, slots=True)
class Claim:
    """A slice in one's hands: whoever writes shows the token."""

    slice_id: int
    run_id: int
    token: str
    worker: str
    kind: str
    unit: str
    tries: int


def slice_claim(*, environment_id: int, worker: str) -> Claim | None:
    """Lease the fairest waiting slice of an environment, or None when nothing waits.

    When another worker takes the same slice first, the next fairest is tried.
    """
    while (row := slices_waiting_fairly(environment_id).first()) is not None:
        token = secrets.token_hex(16)
        with transaction.atomic():
            locked(Run.objects.filter(pk=row.run_id)).first()
            now = timezone.now()
            if _take(row, token, worker, now):
                started = Case(When(started=None, then=Value(now)), default=F("started"))
                Run.objects.filter(pk=row.run_id).update(served=now, started=started)
                Run.objects.filter(pk=row.run_id, state=Run.State.QUEUED).update(state=Run.State.CHECKING)
                return Claim(row.pk, row.run_id, token, worker, row.kind, row.unit, row.tries)
    return None


def _take(row: Slice, token: str, worker: str, now: datetime) -> bool:
    waiting = Slice.objects.filter(TAKEABLE, pk=row.pk, state=Slice.State.WAITING)
    return bool(
        waiting.update(state=Slice.State.LEASED, token=token, worker=worker, running=None, expires=_end(now), rung=None)
    )


def _end(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.LEASE_SECONDS)


def held(claim: Claim) -> QuerySet[Slice]:
    """The slice while this claim on it is good; an UPDATE of it that hits no row means that the lease is gone."""
    return Slice.objects.filter(pk=claim.slice_id, token=claim.token, state=Slice.State.LEASED)


def slice_proofs(slice_id: int) -> QuerySet[Proof]:
    """The proofs that a slice covers."""
    return Proof.objects.filter(pk__in=Slice.proofs.through.objects.filter(slice_id=slice_id).values("proof_id"))


def lease_renew(*, claim: Claim) -> bool:
    """Keep the slice for another term; False when it was cancelled or given to somebody else."""
    return bool(held(claim).update(expires=_end(timezone.now())))


def slice_release(*, claim: Claim) -> bool:
    """Put a slice back untouched, because its worker is told to stop; counts against nobody."""
    return bool(slices_back(held(claim), timezone.now()))


def slice_failed(*, claim: Claim) -> int:
    """Put a slice back because the platform failed, and count it; the third time it stays leased, to be ended.

    How often that was, or 0 when the lease was gone.
    """
    with transaction.atomic():
        if not held(claim).update(tries=F("tries") + 1):
            return 0
        tries = held(claim).values_list("tries", flat=True).get()
        if tries < MOST_TRIES:
            slices_back(held(claim), timezone.now())
    return tries


def slices_rung(slices: QuerySet[Slice]) -> None:
    """Note that somebody was woken for these slices just now."""
    with transaction.atomic():
        keys = list(locked(slices).values_list("pk", flat=True))
        Slice.objects.filter(pk__in=keys).update(rung=timezone.now())


def slices_back(slices: QuerySet[Slice], now: datetime) -> int:
    """Let leased slices wait again; how many there were."""
    return slices.filter(~Q(state=Slice.State.DONE)).update(
        state=Slice.State.WAITING, token="", worker="", expires=None, running=None, waiting_since=now, rung=None
    )
