"""Who may see which team and system, and what their pages show."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from submissions.models import Invitation, Membership, Submission, System, Team, User
from submissions.standing import Reader, standing_in

PUBLISHED = Q(submissions__visibility=Submission.Visibility.PUBLISHED)


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team in the list of one's own."""

    team: Team
    role: str
    members: int
    systems: int
    submissions: int


@dataclass(frozen=True, slots=True)
class TeamPage:
    """What a team's page shows to one reader. `role` is empty for a reader who is not a member."""

    team: Team
    role: str
    inside: bool  # members and organisers see who is in it and what is unpublished
    memberships: tuple[Membership, ...]
    invitations: tuple[Invitation, ...]
    systems: tuple[System, ...]

    @property
    def owned(self) -> bool:
        """Whether the reader may change the team."""
        return self.role == Membership.Role.OWNER


def teams_joined(user: User) -> QuerySet[Team]:
    """Teams that the user submits for."""
    return Team.objects.filter(members=user)


def teams_visible_to(user: Reader) -> QuerySet[Team]:
    """Teams whose page the reader may open: their own, those with something published, all for organisers."""
    if user.is_authenticated and user.is_staff:
        return Team.objects.all()
    mine = Q(memberships__user=user) if user.is_authenticated else Q()
    return Team.objects.filter(PUBLISHED | mine).distinct()


def systems_visible_to(user: Reader) -> QuerySet[System]:
    """Systems whose page the reader may open, by the same rule."""
    systems = System.objects.select_related("team")
    if user.is_authenticated and user.is_staff:
        return systems
    mine = Q(team__memberships__user=user) if user.is_authenticated else Q()
    return systems.filter(PUBLISHED | mine).distinct()


def team_lines(user: User) -> tuple[TeamLine, ...]:
    """The user's teams with what they hold."""
    rows = Membership.objects.filter(user=user).select_related("team").order_by("team__name")
    counts = {
        row["pk"]: row
        for row in Team.objects.filter(members=user)
        .order_by()
        .values("pk")
        .annotate(
            people=Count("memberships", distinct=True),
            methods=Count("systems", distinct=True),
            sent=Count("submissions", distinct=True),
        )
    }
    return tuple(
        TeamLine(
            row.team,
            row.role,
            counts[row.team_id]["people"],
            counts[row.team_id]["methods"],
            counts[row.team_id]["sent"],
        )
        for row in rows
    )


def team_page(user: Reader, team: Team) -> TeamPage:
    """The page of a team as this reader may see it."""
    standing = standing_in(user, team.pk)
    systems = systems_visible_to(user).filter(team=team)
    if not standing.inside:
        return TeamPage(team, "", inside=False, memberships=(), invitations=(), systems=tuple(systems))
    return TeamPage(
        team=team,
        role=standing.role,
        inside=True,
        memberships=tuple(team.memberships.select_related("user").order_by("role", "joined").reverse()),
        invitations=tuple(team.invitations.filter(accepted=None).select_related("sent_by").order_by("created")),
        systems=tuple(systems),
    )
