"""Whether a person may act for a team. Organisers may do what owners may."""

from submissions.models import Membership, Team, User
from submissions.services.refusal import Refusal, Why


def member_required(*, user: User, team: Team) -> None:
    """Raise Refusal unless the user belongs to the team."""
    if not (user.is_staff or Membership.objects.filter(user=user, team=team).exists()):
        raise Refusal(Why.NOT_ALLOWED, f"You are not a member of {team}.", "Ask one of its owners to invite you.")


def owner_required(*, user: User, team: Team) -> None:
    """Raise Refusal unless the user owns the team."""
    owners = Membership.objects.filter(user=user, team=team, role=Membership.Role.OWNER)
    if not (user.is_staff or owners.exists()):
        raise Refusal(Why.NOT_ALLOWED, f"Only owners of {team} can do this.", "Ask one of its owners to do it.")
