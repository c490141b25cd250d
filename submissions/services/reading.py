"""Reading large uploads in the background, under leases like slices: a lost reader is replaced, three times at most.

A bell carries nothing: whoever hears one reads whatever waits. A refused upload leaves its report, so that the page
that waits for it can show why; its archive is gone.
"""

import logging
import secrets
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from submissions import queue
from submissions.models import Draft
from submissions.packed import packed
from submissions.services.benchmarks import pack_value, set_value
from verifier import intake, provers
from verifier.core.archive_limits import UploadLimits
from verifier.core.errors import SelenError
from verifier.core.finding import Consequence, Finding
from verifier.selectors import environment_current

logger = logging.getLogger(__name__)
MOST_TRIES = 3
TELL_SECONDS = 0.5  # between two words on how far a reading is


class _LeaseGoneError(Exception):
    """Somebody else reads the draft now, or nobody wants it any more."""


def draft_examine(draft: Draft, data: bytes, progress: Callable[[int, int], None] | None = None) -> intake.Report:
    """The preflight report of an upload against the draft's problem set."""
    pack = pack_value(draft.problem_set.pack)
    limits = UploadLimits(settings.MAX_UPLOAD_BYTES, settings.MAX_INFLATED_BYTES, settings.MAX_MEMBERS)
    prover = provers.REGISTRY[pack.prover]
    environment = environment_current(draft.problem_set.pack)
    if environment is not None:  # else it refuses what is unsafe on any release
        prover = prover.for_release(environment.version)
    return intake.examine(
        pack, prover, set_value(draft.problem_set), data, draft.file_name, limits=limits, progress=progress
    )


def proofs_pack(report: intake.Report) -> bytes:
    """What was read out of an upload, compressed, until it becomes rows."""
    rows = [
        {
            "problem": proof.problem,
            "attempt": proof.attempt,
            "text": proof.text,
            "tokens": proof.tokens,
            "seconds": proof.seconds,
            "reason": str(proof.reason or ""),
            "finding": _finding(proof.finding),
        }
        for proof in report.proofs
    ]
    return packed(rows)


def _finding(finding: Finding | None) -> dict[str, Any]:
    if finding is None:
        return {}
    return {name: getattr(finding, name) for name in ("message", "remedy", "member", "line", "column")}


def draft_read_next() -> bool:
    """Read the draft that waits longest, in whatever process this is; False when none waits."""
    draft = _take()
    if draft is None:
        return False
    mine = Draft.objects.filter(pk=draft.pk, state=Draft.State.READING, token=draft.token)
    try:
        with draft.archive.open("rb") as file:
            report = draft_examine(draft, file.read(), _teller(mine))
        if report.accepted:
            _keep(mine, draft, report)
            return True
    except _LeaseGoneError:
        return True
    except SelenError as fault:
        logger.exception("The draft %s could not be read", draft.public_id)
        report = _refused(str(fault), "Nothing was kept. Upload it again; tell the organisers if it happens twice.")
    except OSError:
        logger.exception("The draft %s could not be read or kept", draft.public_id)
        message = "The upload could not be read or kept: the portal has no room left or cannot write."
        report = _refused(message, "Nothing was kept. Try again later; the organisers see this in the portal's log.")
    _refuse(mine, draft, report)
    return True


def _keep(mine: QuerySet[Draft], draft: Draft, report: intake.Report) -> None:
    """File first, row last; whatever fails takes the file away again."""
    name = f"drafts/{draft.public_id}.{draft.token}"
    expires = timezone.now() + timedelta(minutes=settings.DRAFT_MINUTES)
    kept = 0
    try:
        default_storage.save(name, ContentFile(proofs_pack(report)))
        kept = mine.update(state=Draft.State.OPEN, report=report.to_json(), proofs=name, expires=expires)
    finally:
        if not kept:
            default_storage.delete(name)


def _take() -> Draft | None:
    """Lease the oldest draft that no reader holds and that was not tried too often."""
    waiting = Draft.objects.filter(state=Draft.State.READING, leased=None, tries__lt=MOST_TRIES)
    while (key := waiting.order_by("created", "pk").values_list("pk", flat=True).first()) is not None:
        token = secrets.token_hex(16)
        if waiting.filter(pk=key).update(token=token, leased=_end(), tries=F("tries") + 1, progress=0, total=0):
            return Draft.objects.select_related("problem_set__pack", "team").filter(pk=key, token=token).first()
    return None


def _end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)


def _teller(mine: QuerySet[Draft]) -> Callable[[int, int], None]:
    """Writes how far the reading is, now and then, and keeps the lease with it."""
    told = 0.0

    def tell(read: int, total: int) -> None:
        nonlocal told
        if time.monotonic() - told > TELL_SECONDS:
            told = time.monotonic()
            if not mine.update(progress=read, total=total, leased=_end()):
                raise _LeaseGoneError

    return tell


def _refused(message: str, remedy: str) -> intake.Report:
    return intake.Report(accepted=False, findings=(Finding(Consequence.REFUSED, message, remedy),))


def _refuse(rows: QuerySet[Draft], draft: Draft, report: intake.Report) -> None:
    if rows.update(state=Draft.State.REFUSED, report=report.to_json(), archive="") and draft.archive.name:
        default_storage.delete(draft.archive.name)


def reading_ring(*, rows: QuerySet[Draft]) -> bool:
    """Wake a reader for these drafts; False when Redis is away (the keeper rings again)."""
    return queue.ring_reader() and bool(rows.update(rung=timezone.now()))


def readings_reap(*, now: datetime) -> int:
    """Take drafts back whose reader stopped renewing, and refuse those that were tried three times; how many."""
    lost = list(Draft.objects.filter(state=Draft.State.READING, leased__lt=now))
    for draft in lost:
        rows = Draft.objects.filter(pk=draft.pk, state=Draft.State.READING, token=draft.token, leased__lt=now)
        if draft.tries < MOST_TRIES:
            rows.update(token="", leased=None, rung=None)
            continue
        message = f"The upload could not be read: the process that read it was lost {MOST_TRIES} times."
        remedy = "Nothing was kept. Upload it in two or more parts, or ask the organisers to look into it."
        _refuse(rows, draft, _refused(message, remedy))
    return len(lost)


def readings_wake(*, late: datetime) -> int:
    """Ring for drafts that wait for a reader and were not rung for since `late`; how many bells rang."""
    waiting = Draft.objects.filter(state=Draft.State.READING, leased=None)
    unheard = waiting.filter(Q(rung=None) | Q(rung__lt=late))
    return int(unheard.exists() and reading_ring(rows=unheard))
