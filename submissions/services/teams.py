"""Teams, who is in them and who may join. Every change asks whether `actor` may make it, and raises Refusal."""

from functools import partial

from django.db import transaction
from django.utils import timezone

from submissions.models import Invitation, Membership, Team, User
from submissions.services.locks import locked
from submissions.services.mail import invitation_mail
from submissions.services.refusal import input_fault
from submissions.services.standing import owner_required
from submissions.spelling import line_fault, skeleton

OPEN_INVITATIONS = 20  # per team, so that the portal cannot be used to send mail in bulk


@transaction.atomic
def team_create(*, actor: User, name: str, homepage: str = "") -> Team:
    """A new team with `actor` as its owner. InputFault when the name is taken in any spelling."""
    _name_is_free(name)
    team = Team(name=name, homepage=homepage)
    team.full_clean()
    team.save()
    Membership.objects.create(team=team, user=actor, role=Membership.Role.OWNER)
    return team


@transaction.atomic
def team_edit(*, team: Team, actor: User, name: str, homepage: str) -> Team:
    """Change what is shown of a team, by an owner. InputFault when the name is taken in any spelling."""
    owner_required(actor=actor, team=team)
    _name_is_free(name, except_for=team)
    team.name, team.homepage = name, homepage
    team.full_clean()
    team.save(update_fields=["name", "homepage"])
    return team


def _name_is_free(name: str, except_for: Team | None = None) -> None:
    if fault := line_fault(name):
        raise input_fault(fault, "The name stands on public boards.")
    others = Team.objects.exclude(pk=except_for.pk) if except_for else Team.objects.all()
    if others.filter(name__iexact=name).exists():
        raise input_fault(
            f"A team named {name} exists already.", "Choose another name, or ask its owner to invite you."
        )
    alike = skeleton(name)
    for other in others.values_list("name", flat=True):
        if skeleton(other) == alike:
            raise input_fault(f"The name looks like that of the team {other}.", "Choose one that nobody takes for it.")


@transaction.atomic
def invitation_send(*, team: Team, actor: User, email: str, role: str) -> Invitation:
    """Invite an address, by an owner, and send it a link; a mail that cannot be sent is tried again.

    Inviting it again sends a new link and voids the old one. InputFault when the person is a member already or too
    many invitations are open.
    """
    owner_required(actor=actor, team=team)
    locked(Team.objects.all()).get(pk=team.pk)
    email = email.lower()
    if Membership.objects.filter(team=team, user__email__iexact=email).exists():
        raise input_fault(
            f"{email} is a member of this team already.", "Change the role in the list of members instead."
        )
    Invitation.objects.filter(team=team, email=email).delete()
    if Invitation.objects.filter(team=team, accepted=None).count() >= OPEN_INVITATIONS:
        raise input_fault(f"{OPEN_INVITATIONS} invitations are open.", "Take one back, or wait until one is accepted.")
    invitation = Invitation.objects.create(team=team, email=email, role=role, sent_by=actor)
    transaction.on_commit(partial(invitation_mail, invitation_id=invitation.pk), robust=True)
    return invitation


def invitation_withdraw(*, invitation: Invitation, actor: User) -> None:
    """Take an open invitation back, by an owner; its link ends in nothing."""
    owner_required(actor=actor, team=invitation.team)
    Invitation.objects.filter(pk=invitation.pk, accepted=None).delete()


@transaction.atomic
def invitation_accept(*, invitation: Invitation, actor: User) -> Membership:
    """Join the team. InputFault when the invitation went to another address or was used."""
    if invitation.email.lower() != actor.email.lower():
        raise input_fault("This invitation was sent to another address.", "Log in with the address that received it.")
    taken = Invitation.objects.filter(pk=invitation.pk, accepted=None).update(accepted=timezone.now())
    if not taken:
        raise input_fault("This invitation has been used.", "Ask an owner of the team for a new one.")
    membership, _ = Membership.objects.get_or_create(
        team=invitation.team, user=actor, defaults={"role": invitation.role}
    )
    return membership


@transaction.atomic
def member_change_role(*, membership: Membership, actor: User, role: str) -> Membership:
    """Make a member an owner or back, by an owner. InputFault for the only owner."""
    owner_required(actor=actor, team=membership.team)
    if role != Membership.Role.OWNER:
        _keeps_an_owner(membership)
    membership.role = role
    membership.full_clean()
    membership.save(update_fields=["role"])
    return membership


@transaction.atomic
def member_remove(*, membership: Membership, actor: User) -> None:
    """End a membership, by an owner or by the member who leaves. InputFault for the only owner."""
    if actor.pk != membership.user_id:
        owner_required(actor=actor, team=membership.team)
    _keeps_an_owner(membership)
    membership.delete()


def _keeps_an_owner(membership: Membership) -> None:
    owners = list(locked(Membership.objects.filter(team=membership.team_id, role=Membership.Role.OWNER)))
    if [owner.pk for owner in owners] == [membership.pk]:
        raise input_fault("A team needs an owner, and this is the only one.", "Make another member an owner first.")
