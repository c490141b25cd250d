"""Uploads that wait for a word: read at once or in the background, kept an hour, at most three per team.

Nothing of a draft is counted or queued. A refused upload is not kept; one that was read in the background leaves its
report, so that the page that waits for it can show why.
"""

import json
import logging
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.db import OperationalError, transaction
from django.utils import timezone

from submissions import queue
from submissions.models import Draft, System, Team, User
from submissions.models.people import public_id
from submissions.services.benchmarks import pack_value, set_value
from submissions.services.locks import locked
from submissions.services.refusal import Refusal, Why
from submissions.services.standing import member_required
from verifier import intake, provers
from verifier.core.archive_limits import UploadLimits
from verifier.core.digest import digest_bytes
from verifier.core.errors import SelenError
from verifier.core.finding import Consequence, Finding
from verifier.models import Pack, ProblemSet

logger = logging.getLogger(__name__)
MOST_OPEN = 3
READ_AT_ONCE_BYTES = 2_000_000  # above, reading takes longer than a page may
WAITING = (Draft.State.READING, Draft.State.OPEN)
PROGRESS_EVERY = 200  # members


@dataclass(frozen=True, slots=True)
class Preflight:
    """What came of an upload: the report, and the draft when it was kept (its report is empty while it is read)."""

    report: dict[str, Any]
    draft: Draft | None


def draft_create(*, user: User, system: System, problem_set: ProblemSet, upload: "UploadedFile[Any]") -> Preflight:
    """Read an upload and keep it as a draft when preflight accepts it. Raises Refusal; then nothing is stored."""
    member_required(user=user, team=system.team)
    benchmark_open(problem_set.pack, timezone.now())
    _room_required(system.team)
    if (upload.size or 0) > settings.MAX_UPLOAD_BYTES:
        most = settings.MAX_UPLOAD_BYTES // 1_000_000
        raise Refusal(
            Why.TOO_LARGE,
            f"The file has {(upload.size or 0) / 1_000_000:.1f} MB; {most} MB are the limit.",
            "Upload proofs alone, as a zip; leave out logs and build products.",
        )
    data = upload.read()
    draft = _draft(user, system, problem_set, upload, data)
    if len(data) > READ_AT_ONCE_BYTES:
        draft.state = Draft.State.READING
        _store(draft, data, None)
        return Preflight({}, draft)
    report = _examine(draft, data, None)
    draft.report = report.to_json()
    if not report.accepted:
        return Preflight(draft.report, None)
    _store(draft, data, report)
    return Preflight(draft.report, draft)


def benchmark_open(pack: Pack, now: datetime) -> None:
    """Raise Refusal before a benchmark opens and after it closes."""
    if pack.opens and now < pack.opens:
        when = f"{pack.opens:%-d %B %Y, %H:%M} UTC"
        raise Refusal(Why.NOT_OPEN, f"{pack.title} opens on {when}.", "Upload after that.")
    if pack.closes and now >= pack.closes:
        when = f"{pack.closes:%-d %B %Y, %H:%M} UTC"
        raise Refusal(Why.CLOSED, f"{pack.title} closed on {when}.", "It takes no more submissions.")


def _room_required(team: Team) -> None:
    if Draft.objects.filter(team=team, state__in=WAITING, expires__gt=timezone.now()).count() >= MOST_OPEN:
        raise Refusal(
            Why.TOO_MANY_DRAFTS,
            f"{team} has {MOST_OPEN} drafts already.",
            "Confirm or discard one of them; each ends by itself after an hour.",
        )


def _draft(user: User, system: System, problem_set: ProblemSet, upload: "UploadedFile[Any]", data: bytes) -> Draft:
    return Draft(
        public_id=public_id(),
        team=system.team,
        user=user,
        system=system,
        problem_set=problem_set,
        file_name=(upload.name or "upload")[:200],
        sha256=digest_bytes(data),
        size=len(data),
        expires=timezone.now() + timedelta(minutes=settings.DRAFT_MINUTES),
    )


def _examine(draft: Draft, data: bytes, progress: Callable[[int, int], None] | None) -> intake.Report:
    pack = pack_value(draft.problem_set.pack)
    limits = UploadLimits(settings.MAX_UPLOAD_BYTES, settings.MAX_INFLATED_BYTES, settings.MAX_MEMBERS)
    prover = provers.REGISTRY[pack.prover]
    return intake.examine(
        pack, prover, set_value(draft.problem_set), data, draft.file_name, limits=limits, progress=progress
    )


def _store(draft: Draft, data: bytes, report: intake.Report | None) -> None:
    """Files first, row last; whatever fails takes the files away again."""
    names = [f"drafts/{draft.public_id}", f"drafts/{draft.public_id}.proofs"]
    try:
        draft.archive.name = default_storage.save(names[0], ContentFile(data))
        if report is not None:
            draft.proofs.name = default_storage.save(names[1], ContentFile(_pack_proofs(report)))
        with transaction.atomic():
            locked(Team.objects.all()).get(pk=draft.team_id)
            _room_required(draft.team)
            draft.save(force_insert=True)
            if draft.state == Draft.State.READING:
                transaction.on_commit(partial(queue.ring_reader, draft.public_id), robust=True)
    except Exception as error:
        _remove(*names)
        if isinstance(error, OSError) or (isinstance(error, OperationalError) and "full" in str(error)):
            logger.exception("An upload could not be stored")
            raise _storage_full() from error
        raise


def _storage_full() -> Refusal:
    return Refusal(
        Why.STORAGE_FULL,
        "The upload could not be stored: the portal has no room left or cannot write.",
        "Nothing was kept. Try again later; the organisers see this in the portal's log.",
    )


def _remove(*names: str | None) -> None:
    for name in names:
        if name:
            default_storage.delete(name)


def _pack_proofs(report: intake.Report) -> bytes:
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
    return zlib.compress(json.dumps(rows).encode("ascii"))


def _finding(finding: Any) -> dict[str, Any]:
    if finding is None:
        return {}
    return {name: getattr(finding, name) for name in ("message", "remedy", "member", "line", "column")}


def draft_proofs(*, draft: Draft) -> list[dict[str, Any]]:
    """The proofs as preflight read them, with canonical texts."""
    with draft.proofs.open("rb") as file:
        return list(json.loads(zlib.decompress(file.read())))


def draft_read(*, draft_public_id: str) -> None:
    """Make the report of a large upload, in a worker; leaves quietly when another one did or the draft is gone."""
    draft = Draft.objects.select_related("problem_set__pack", "team").filter(public_id=draft_public_id).first()
    if draft is None or draft.state != Draft.State.READING:
        return
    reading = Draft.objects.filter(pk=draft.pk, state=Draft.State.READING)

    def progress(read: int, _total: int) -> None:
        if read % PROGRESS_EVERY == 0:
            reading.update(progress=read)

    try:
        with draft.archive.open("rb") as file:
            report = _examine(draft, file.read(), progress)
    except (SelenError, OSError) as error:
        logger.exception("The draft %s could not be read", draft_public_id)
        remedy = "Nothing was kept. Upload it again; tell the organisers if it happens twice."
        report = intake.Report(accepted=False, findings=(Finding(Consequence.REFUSED, str(error), remedy),))
    if not report.accepted:
        if reading.update(state=Draft.State.REFUSED, report=report.to_json(), archive=""):
            _remove(draft.archive.name)
        return
    name = default_storage.save(f"drafts/{draft.public_id}.proofs", ContentFile(_pack_proofs(report)))
    expires = timezone.now() + timedelta(minutes=settings.DRAFT_MINUTES)
    if not reading.update(state=Draft.State.OPEN, report=report.to_json(), proofs=name, expires=expires):
        _remove(name)


def draft_discard(*, draft: Draft, user: User) -> None:
    """Throw a draft away with its files. Raises Refusal when it was confirmed meanwhile."""
    member_required(user=user, team=draft.team)
    waiting = Draft.objects.filter(pk=draft.pk).exclude(state=Draft.State.CONFIRMED)
    if not waiting.update(state=Draft.State.DISCARDED, archive="", proofs=""):
        raise Refusal(Why.DRAFT_GONE, "This draft was confirmed.", "Cancel its run on the page of the submission.")
    _remove(draft.archive.name, draft.proofs.name)


def drafts_expire(*, now: datetime) -> int:
    """Remove drafts whose hour is over, rows and files; how many there were."""
    over = Draft.objects.exclude(state=Draft.State.CONFIRMED).filter(expires__lt=now)
    removed = 0
    for draft in list(over):
        gone, _ = Draft.objects.filter(pk=draft.pk, expires__lt=now).exclude(state=Draft.State.CONFIRMED).delete()
        if gone:
            _remove(draft.archive.name, draft.proofs.name)
            removed += 1
    return removed
