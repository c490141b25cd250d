"""Rules on who may act for a team; asked by every service that acts for one."""

from submissions.models import Team, User
from submissions.services.refusal import Refusal, Why
from submissions.standing import standing_in


def member_required(*, actor: User, team: Team) -> None:
    """Raise Refusal unless the person belongs to the team."""
    if not standing_in(actor, team.pk).inside:
        raise Refusal(Why.NOT_ALLOWED, f"You are not a member of {team}.", "Ask one of its owners to invite you.")


def owner_required(*, actor: User, team: Team) -> None:
    """Raise Refusal unless the person owns the team."""
    if not standing_in(actor, team.pk).owner:
        raise Refusal(Why.NOT_ALLOWED, f"Only owners of {team} can do this.", "Ask one of its owners to do it.")
