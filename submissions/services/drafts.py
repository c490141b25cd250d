"""Uploads that wait for a word: read at once, or later where they are large; kept an hour, at most three per team.

Nothing of a draft is counted or queued, and a refused upload is not kept. How large ones are read in the background
stands in submissions.services.reading.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone

from submissions.models import Draft, Submission, System, Team, User
from submissions.models.people import public_id
from submissions.models.uploads import UNDECIDED
from submissions.opening import Opening, opening
from submissions.packed import unpacked
from submissions.services.locks import locked
from submissions.services.reading import draft_examine, proofs_pack, reading_ring
from submissions.services.refusal import Refusal, Why
from submissions.services.room import no_room
from submissions.services.standing import member_required
from verifier import intake
from verifier.core.digest import digest_bytes
from verifier.models import Pack, ProblemSet

logger = logging.getLogger(__name__)
MOST_OPEN = 3
WHEN = "%-d %B %Y, %H:%M UTC"
READ_AT_ONCE_BYTES = 2_000_000  # above, reading takes longer than a page may
ORPHAN_AFTER = timedelta(hours=1)  # an upload is a file for a moment before it is a row


@dataclass(frozen=True, slots=True)
class Preflight:
    """What came of an upload: the report, and the draft when it was kept (its report is empty while it is read)."""

    report: dict[str, Any]
    draft: Draft | None


def draft_create(*, actor: User, system: System, problem_set: ProblemSet, upload: "UploadedFile[Any]") -> Preflight:
    """Read an upload and keep it as a draft when preflight accepts it. Raises Refusal; then nothing is stored."""
    member_required(actor=actor, team=system.team)
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
    draft = _draft(actor, system, problem_set, upload, data)
    if len(data) > READ_AT_ONCE_BYTES:
        draft.state = Draft.State.READING
        _store(draft, data, None)
        return Preflight({}, draft)
    report = draft_examine(draft, data)
    draft.report = report.to_json()
    if not report.accepted:
        return Preflight(draft.report, None)
    _store(draft, data, report)
    return Preflight(draft.report, draft)


def benchmark_open(pack: Pack, now: datetime) -> None:
    """Raise Refusal before a benchmark opens and after it closes."""
    match opening(pack, now):
        case Opening.SOON:
            raise Refusal(Why.NOT_OPEN, f"{pack.title} opens on {pack.opens:{WHEN}}.", "Upload after that.")
        case Opening.CLOSED:
            raise Refusal(Why.CLOSED, f"{pack.title} closed on {pack.closes:{WHEN}}.", "It takes no more submissions.")
        case Opening.OPEN:
            return


def _room_required(team: Team) -> None:
    if Draft.objects.filter(team=team, state__in=UNDECIDED, expires__gt=timezone.now()).count() >= MOST_OPEN:
        raise Refusal(
            Why.TOO_MANY_DRAFTS,
            f"{team} has {MOST_OPEN} drafts already.",
            f"Confirm or discard one of them; each ends by itself after {settings.DRAFT_MINUTES} minutes.",
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


def _store(draft: Draft, data: bytes, report: intake.Report | None) -> None:
    """Files first, row last; whatever fails takes the files away again."""
    names = [f"drafts/{draft.public_id}", f"drafts/{draft.public_id}.proofs"]
    try:
        draft.archive.name = default_storage.save(names[0], ContentFile(data))
        if report is not None:
            draft.proofs.name = default_storage.save(names[1], ContentFile(proofs_pack(report)))
        with transaction.atomic():
            locked(Team.objects.all()).get(pk=draft.team_id)
            _room_required(draft.team)
            draft.save(force_insert=True)
            if draft.state == Draft.State.READING:
                transaction.on_commit(partial(reading_ring, rows=Draft.objects.filter(pk=draft.pk)), robust=True)
    except Exception as error:
        _remove(*names)
        if no_room(error):
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


def draft_proofs(*, draft: Draft) -> list[dict[str, Any]]:
    """The proofs as preflight read them, with canonical texts."""
    with draft.proofs.open("rb") as file:
        return list(unpacked(file.read()))


def draft_discard(*, draft: Draft, actor: User) -> None:
    """Throw a draft away with its files. Raises Refusal when it was confirmed meanwhile."""
    member_required(actor=actor, team=draft.team)
    waiting = Draft.objects.filter(pk=draft.pk).exclude(state=Draft.State.CONFIRMED)
    if not waiting.update(state=Draft.State.DISCARDED, archive="", proofs=""):
        raise Refusal(Why.DRAFT_GONE, "This draft was confirmed.", "Cancel its run on the page of the submission.")
    _remove(draft.archive.name, draft.proofs.name)


def orphans_sweep() -> int:
    """Remove files that a killed process left without a row, once they are an hour old; how many there were."""
    if not default_storage.exists("drafts"):
        return 0
    names = {f"drafts/{name}" for name in default_storage.listdir("drafts")[1]}
    for held in (Draft.objects.values_list("archive", "proofs"), Submission.objects.values_list("archive")):
        names.difference_update(name for row in held.iterator() for name in row)
    late = timezone.now() - ORPHAN_AFTER
    old = [name for name in names if default_storage.get_modified_time(name) < late]
    _remove(*old)
    return len(old)


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
