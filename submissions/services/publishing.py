"""What boards count. An entry is never edited: it ends and another begins, so that any past state can be shown."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from submissions.models import BoardEntry, Run, Submission, System, User
from submissions.models.runs import CHECKED
from submissions.services.locks import locked
from submissions.services.refusal import Refusal, Why
from submissions.services.standing import owner_required
from submissions.services.summaries import stamp_bump
from verifier.core.problem import ProofVisibility


def run_checked_latest(submission: Submission) -> Run | None:
    """The newest run of a submission in which every proof has a verdict."""
    return submission.runs.filter(state__in=CHECKED).order_by("-created", "-pk").first()


def submission_publish(*, submission: Submission, actor: User, proofs_public: bool = False) -> None:
    """Put a submission on the board in place of the system's earlier one.

    Allowed once checking ends; confirmations may be pending. Whether its proofs become public is the team's choice
    only where the pack leaves it to them. Raises Refusal; publishing what is published changes nothing but that choice.
    """
    owner_required(actor=actor, team=submission.team)
    visibility = submission.problem_set.pack.proofs
    if visibility != ProofVisibility.CHOICE:
        proofs_public = visibility == ProofVisibility.PUBLIC
    now = timezone.now()
    with transaction.atomic():
        locked(System.objects.all()).get(pk=submission.system_id)
        run = run_checked_latest(submission)
        if run is None:
            raise Refusal(
                Why.NOT_CHECKED,
                "This submission has proofs without a verdict.",
                "Publish it when checking has ended; its page shows how far it is.",
            )
        rows = Submission.objects.filter(pk=submission.pk)
        moved = rows.exclude(visibility=Submission.Visibility.PUBLISHED).update(
            visibility=Submission.Visibility.PUBLISHED, published=now, withdrawn=None
        )
        rows.update(proofs_public=proofs_public)
        if moved:
            _entry_replace(submission, run, now)
        stamp_bump(pack_id=submission.problem_set.pack_id)


def submission_withdraw(*, submission: Submission, actor: User) -> None:
    """Take a submission off the board; the system's latest one that is still published takes its place."""
    owner_required(actor=actor, team=submission.team)
    now = timezone.now()
    with transaction.atomic():
        locked(System.objects.all()).get(pk=submission.system_id)
        published = Submission.objects.filter(pk=submission.pk, visibility=Submission.Visibility.PUBLISHED)
        if not published.update(visibility=Submission.Visibility.WITHDRAWN, withdrawn=now, proofs_public=False):
            raise Refusal(Why.WRONG_STATE, "This submission is not published.", "There is nothing to withdraw.")
        shown = _open_entries(submission).filter(run__submission=submission).update(valid_to=now)
        if shown:
            _entry_of_earlier(submission, now)
        stamp_bump(pack_id=submission.problem_set.pack_id)


def run_apply(*, submission: Submission) -> None:
    """Let the board count the newest checked run of a published submission, after it was judged again."""
    now = timezone.now()
    with transaction.atomic():
        locked(System.objects.all()).get(pk=submission.system_id)
        run = run_checked_latest(submission)
        entry = _open_entries(submission).filter(run__submission=submission).first()
        if run is None or entry is None or entry.run_id == run.pk:
            return
        _entry_replace(submission, run, now)
        stamp_bump(pack_id=submission.problem_set.pack_id)


def _open_entries(submission: Submission) -> QuerySet[BoardEntry]:
    return BoardEntry.objects.filter(
        problem_set_id=submission.problem_set_id, system_id=submission.system_id, valid_to=None
    )


def _entry_replace(submission: Submission, run: Run, now: datetime) -> None:
    _open_entries(submission).update(valid_to=now)
    BoardEntry.objects.create(
        run=run, problem_set_id=submission.problem_set_id, system_id=submission.system_id, valid_from=now
    )


def _entry_of_earlier(submission: Submission, now: datetime) -> None:
    earlier = Submission.objects.filter(
        system_id=submission.system_id,
        problem_set_id=submission.problem_set_id,
        visibility=Submission.Visibility.PUBLISHED,
    )
    for candidate in earlier.order_by("-published"):
        run = run_checked_latest(candidate)
        if run is not None:
            _entry_replace(candidate, run, now)
            return
