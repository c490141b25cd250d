"""Teams keep an owner, invitations reach one address once, systems keep their names apart."""

import pytest
from django.core import mail

from submissions.models import Membership
from submissions.services.refusal import Refusal, Why
from submissions.services.systems import system_create, system_edit
from submissions.services.teams import (
    OPEN_INVITATIONS,
    invitation_accept,
    invitation_send,
    invitation_withdraw,
    member_change_role,
    member_remove,
    team_create,
    team_edit,
)
from tests.seed import person
from verifier.core.errors import InputFault

pytestmark = pytest.mark.django_db


def test_whoever_creates_a_team_owns_it():
    owner = person("a@example.org")
    assert team_create(actor=owner, name="Lab").memberships.get().role == Membership.Role.OWNER


def test_a_team_name_is_taken_in_any_spelling():
    owner = person("a@example.org")
    team = team_create(actor=owner, name="Lab")
    with pytest.raises(InputFault, match="exists already"):
        team_create(actor=person("b@example.org"), name="LAB")
    assert team_edit(team=team, actor=owner, name="lab", homepage="").name == "lab"


def test_the_only_owner_neither_leaves_nor_steps_down():
    owner = person("a@example.org")
    team = team_create(actor=owner, name="Lab")
    only = team.memberships.get()
    with pytest.raises(InputFault, match="needs an owner"):
        member_remove(membership=only, actor=owner)
    with pytest.raises(InputFault, match="needs an owner"):
        member_change_role(membership=only, actor=owner, role="member")
    second = Membership.objects.create(team=team, user=person("b@example.org"), role="member")
    member_change_role(membership=second, actor=owner, role="owner")
    member_remove(membership=only, actor=owner)
    assert [row.user.email for row in team.memberships.all()] == ["b@example.org"]


def test_an_invitation_is_mailed_and_works_once_for_its_address(django_capture_on_commit_callbacks):
    owner, guest = person("a@example.org"), person("guest@example.org")
    team = team_create(actor=owner, name="Lab")
    with django_capture_on_commit_callbacks(execute=True):
        invitation = invitation_send(team=team, actor=owner, email="Guest@example.org", role="member")
    assert invitation.token in mail.outbox[0].body
    assert mail.outbox[0].to == ["guest@example.org"]
    with pytest.raises(InputFault, match="another address"):
        invitation_accept(invitation=invitation, actor=person("other@example.org"))
    assert invitation_accept(invitation=invitation, actor=guest).role == "member"
    with pytest.raises(InputFault, match="has been used"):
        invitation_accept(invitation=invitation, actor=guest)


def test_inviting_again_voids_the_old_link():
    owner = person("a@example.org")
    team = team_create(actor=owner, name="Lab")
    first = invitation_send(team=team, actor=owner, email="g@example.org", role="member")
    second = invitation_send(team=team, actor=owner, email="g@example.org", role="owner")
    assert list(team.invitations.all()) == [second]
    assert first.token != second.token


def test_open_invitations_are_bounded():
    owner = person("a@example.org")
    team = team_create(actor=owner, name="Lab")
    for number in range(OPEN_INVITATIONS):
        invitation_send(team=team, actor=owner, email=f"g{number}@example.org", role="member")
    with pytest.raises(InputFault, match="invitations are open"):
        invitation_send(team=team, actor=owner, email="more@example.org", role="member")


def test_a_system_keeps_known_augmentations_in_their_order_and_its_name_to_itself():
    owner = person("a@example.org")
    team = team_create(actor=owner, name="Lab")
    system = system_create(team=team, actor=owner, name="Model A", augmentations=["fixing", "similar", "magic"])
    assert system.augmentations == ["similar", "fixing"]
    with pytest.raises(InputFault, match="already"):
        system_create(team=team, actor=owner, name="model a")
    assert system_edit(system=system, actor=owner, name="Model B").name == "Model B"


ACTS = {
    # what -> who may: anybody of the team, its owners, or the member alone for themselves
    "edit the team": ("owner", lambda on, who: team_edit(team=on.team, actor=who, name="Lab 2", homepage="")),
    "invite": ("owner", lambda on, who: invitation_send(team=on.team, actor=who, email="x@example.org", role="member")),
    "take an invitation back": ("owner", lambda on, who: invitation_withdraw(invitation=on.invitation, actor=who)),
    "change a role": ("owner", lambda on, who: member_change_role(membership=on.membership, actor=who, role="owner")),
    "remove a member": ("owner", lambda on, who: member_remove(membership=on.other, actor=who)),
    "describe a system": ("member", lambda on, who: system_create(team=on.team, actor=who, name="Model Z")),
    "edit a system": ("member", lambda on, who: system_edit(system=on.system, actor=who, name="Model B")),
}
ROLES = ("stranger", "member", "owner", "organiser")


class Lab:
    """A team with somebody in every role."""

    def __init__(self) -> None:
        self.owner, self.member, self.stranger = (person(f"{name}@example.org") for name in ("o", "m", "s"))
        self.organiser = person("host@example.org")
        self.organiser.is_staff = True
        self.team = team_create(actor=self.owner, name="Lab")
        self.membership = Membership.objects.create(team=self.team, user=self.member, role="member")
        self.other = Membership.objects.create(team=self.team, user=person("other@example.org"), role="member")
        self.invitation = invitation_send(team=self.team, actor=self.owner, email="g@example.org", role="member")
        self.system = system_create(team=self.team, actor=self.member, name="Model A")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("act", ACTS)
def test_services_themselves_refuse_whoever_may_not(act, role):
    least, do = ACTS[act]
    lab = Lab()
    if ROLES.index(role) >= ROLES.index(least):
        do(lab, getattr(lab, role))
        return
    with pytest.raises(Refusal) as caught:
        do(lab, getattr(lab, role))
    assert caught.value.why is Why.NOT_ALLOWED
    assert caught.value.remedy


def test_a_member_leaves_without_asking_an_owner():
    lab = Lab()
    member_remove(membership=lab.membership, actor=lab.member)
    assert not Membership.objects.filter(user=lab.member).exists()
