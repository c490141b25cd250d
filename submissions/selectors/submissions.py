"""Which submissions and drafts a reader may see, and what of them. Every view asks here; hidden means not found."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from submissions.models import Draft, Run, Submission, Team, User
from submissions.models.uploads import UNDECIDED
from submissions.selectors.runs import runs_shown
from submissions.standing import Reader, standing_in
from verifier.core.problem import ProofVisibility
from verifier.core.verdict import Verdict

WITH = ("team", "system", "problem_set__pack", "user")


@dataclass(frozen=True, slots=True)
class Rights:
    """What one reader may do with one submission."""

    inside: bool  # member of the team, or organiser
    owner: bool
    proofs: bool  # may read the submitted texts


@dataclass(frozen=True, slots=True)
class SubmissionLine:
    """A submission in a list, with the run that its page shows."""

    submission: Submission
    run: Run | None
    proved: int
    judged: int


def submissions_visible_to(user: Reader) -> QuerySet[Submission]:
    """Published ones for everybody, all of one's teams for members, all for organisers."""
    rows = Submission.objects.select_related(*WITH)
    if user.is_authenticated and user.is_staff:
        return rows
    mine = Q(team__memberships__user=user) if user.is_authenticated else Q()
    return rows.filter(Q(visibility=Submission.Visibility.PUBLISHED) | mine).distinct()


def submission_gone(public_id: str) -> Submission | None:
    """One that everybody could see until its team withdrew it: that it stood on a board is public for good."""
    rows = Submission.objects.select_related("problem_set__pack").filter(visibility=Submission.Visibility.WITHDRAWN)
    return rows.filter(public_id=public_id, published__isnull=False).first()


def drafts_visible_to(user: Reader) -> QuerySet[Draft]:
    """Drafts of one's teams; organisers see none, since nothing was handed in."""
    rows = Draft.objects.select_related("team", "system", "problem_set__pack", "user")
    return rows.filter(team__memberships__user=user) if user.is_authenticated else rows.none()


def rights_on(user: Reader, submission: Submission) -> Rights:
    """What the reader may do. Proofs of others are read only where pack and team let them."""
    standing = standing_in(user, submission.team_id)
    return Rights(
        inside=standing.inside,
        owner=standing.owner,
        proofs=standing.inside or proofs_are_public(submission),
    )


def proofs_are_public(submission: Submission) -> bool:
    """Whether anybody may read the texts: published, and the pack says so or left the choice and the team did."""
    rule = submission.problem_set.pack.proofs
    chosen = rule == ProofVisibility.CHOICE and submission.proofs_public
    return submission.visibility == Submission.Visibility.PUBLISHED and (rule == ProofVisibility.PUBLIC or chosen)


def drafts_open(user: User) -> tuple[Draft, ...]:
    """Drafts of the user's teams that still wait for a word."""
    return tuple(drafts_visible_to(user).filter(state__in=UNDECIDED, expires__gt=timezone.now()))


def submissions_of_my_teams(user: User) -> QuerySet[Submission]:
    """Everything that the user's teams handed in, newest first."""
    return Submission.objects.select_related(*WITH).filter(team__memberships__user=user)


def submissions_of_team(user: Reader, team: Team) -> QuerySet[Submission]:
    """What the reader may see of one team, newest first."""
    return submissions_visible_to(user).filter(team=team)


def submission_lines(submissions: list[Submission]) -> tuple[SubmissionLine, ...]:
    """Lines of a list, with two queries for all runs and their counts."""
    shown = runs_shown([submission.pk for submission in submissions])
    counts = _counts([run.pk for run in shown.values()])
    lines = []
    for submission in submissions:
        latest = shown.get(submission.pk)
        proved, judged = counts.get(latest.pk, (0, 0)) if latest else (0, 0)
        lines.append(SubmissionLine(submission, latest, proved, judged))
    return tuple(lines)


def _counts(runs: list[int]) -> dict[int, tuple[int, int]]:
    rows = (
        Run.objects.filter(pk__in=runs)
        .order_by()
        .values("pk")
        .annotate(proved=Count("results", filter=Q(results__verdict=Verdict.PROVED)), judged=Count("results"))
    )
    return {row["pk"]: (row["proved"], row["judged"]) for row in rows}
