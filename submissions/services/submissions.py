"""From a draft to a submission: one word, one transaction, once."""

from datetime import datetime
from functools import partial
from typing import Any

from django.core.files.storage import default_storage
from django.db import OperationalError, transaction
from django.utils import timezone

from submissions.models import Draft, Proof, Submission, System, User
from submissions.services.drafts import benchmark_open, draft_proofs
from submissions.services.locks import locked
from submissions.services.quota import quota_take
from submissions.services.refusal import Refusal, Why
from submissions.services.room import no_room
from submissions.services.runs import environment_required, run_create
from submissions.services.standing import member_required
from verifier.core.digest import digest_text
from verifier.models import Pack

BATCH = 90  # rows per INSERT, under SQLite's limit of variables


def draft_confirm(*, draft: Draft, actor: User, label: str = "", again: bool = False) -> Submission:
    """Turn a draft into a submission with its proofs and its first run; a second click gets the same submission.

    Everything happens in one transaction whose first statement takes the draft, so it is done wholly and once or not at
    all. `again` is the word that lets a system hand in the very bytes of an earlier submission. Raises Refusal and
    leaves the draft as it was: benchmark not open, quota used up, no environment, uploaded before, draft gone.
    """
    member_required(actor=actor, team=draft.team)
    if draft.state == Draft.State.READING:
        raise Refusal(Why.DRAFT_UNREAD, "This upload is still being read.", "Confirm it when its report is there.")
    try:
        proofs = draft_proofs(draft=draft) if draft.state == Draft.State.OPEN and draft.proofs else []
    except FileNotFoundError:  # the first click of two has stored them and taken the file away
        return _confirmed_before(draft)
    try:
        with transaction.atomic():
            now = timezone.now()
            open_draft = Draft.objects.filter(pk=draft.pk, state=Draft.State.OPEN, expires__gt=now)
            if not open_draft.update(state=Draft.State.CONFIRMED):
                return _confirmed_before(draft)
            submission = _create(draft, actor, label, proofs, now, again=again)
            Draft.objects.filter(pk=draft.pk).update(archive="", proofs="")
            transaction.on_commit(partial(default_storage.delete, draft.proofs.name or ""), robust=True)
    except OperationalError as error:
        if not no_room(error):
            raise
        raise Refusal(
            Why.STORAGE_FULL, "The portal has no room left.", "Nothing was stored; your draft stays. Try again later."
        ) from error
    return submission


def _confirmed_before(draft: Draft) -> Submission:
    earlier = Submission.objects.filter(draft=draft).first()
    if earlier is None:
        raise Refusal(Why.DRAFT_GONE, "This draft was discarded or its time is over.", "Upload the file again.")
    return earlier


def _create(
    draft: Draft, user: User, label: str, proofs: list[dict[str, Any]], now: datetime, *, again: bool
) -> Submission:
    # Read anew under locks: what the page knew of the benchmark and of earlier submissions may be out of date.
    system = locked(System.objects.all()).get(pk=draft.system_id)
    pack = Pack.objects.get(pk=draft.problem_set.pack_id)
    benchmark_open(pack, now)
    environment = environment_required(pack=pack)
    if not again:
        _new_to_system(draft)
    quota_take(team=draft.team, pack=pack, now=now)
    submission = Submission.objects.create(
        team=draft.team,
        system=system,
        problem_set=draft.problem_set,
        user=user,
        draft=draft,
        label=label[:80],
        archive=draft.archive.name,
        sha256=draft.sha256,
        size=draft.size,
        report=draft.report,
        system_facts={
            "name": system.name,
            "model": system.model,
            "augmentations": system.augmentations,
            "open_source": system.open_source,
        },
    )
    _proofs_create(submission, proofs)
    run_create(submission=submission, environment=environment)
    return submission


def _new_to_system(draft: Draft) -> None:
    same = Submission.objects.filter(system=draft.system, problem_set=draft.problem_set, sha256=draft.sha256)
    earlier = same.order_by("created").first()
    if earlier is not None:
        raise Refusal(
            Why.UPLOADED_BEFORE,
            f"{draft.system} handed in this very file on {earlier.created:%-d %B %Y} as {earlier.public_id}.",
            "Look at that submission, or say that you want it checked a second time.",
            submission=earlier.public_id,
        )


def _proofs_create(submission: Submission, proofs: list[dict[str, Any]]) -> None:
    members = submission.problem_set.members.values_list("problem__ident", "problem_id")
    problems = dict(members)
    Proof.objects.bulk_create(
        [
            Proof(
                submission=submission,
                problem_id=problems[row["problem"]],
                attempt=row["attempt"],
                text=row["text"],
                digest=digest_text(row["text"]),
                tokens=row["tokens"],
                seconds=row["seconds"],
                reason=row["reason"],
                finding=row["finding"],
            )
            for row in proofs
            if row["problem"] in problems
        ],
        batch_size=BATCH,
    )
