"""Teams keep an owner, invitations reach one address once, systems keep their names apart."""

import pytest
from django.core import mail

from submissions.models import Membership
from submissions.services.systems import system_create, system_edit
from submissions.services.teams import (
    OPEN_INVITATIONS,
    invitation_accept,
    invitation_send,
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
    assert team_create(user=owner, name="Lab").memberships.get().role == Membership.Role.OWNER


def test_a_team_name_is_taken_in_any_spelling():
    team = team_create(user=person("a@example.org"), name="Lab")
    with pytest.raises(InputFault, match="exists already"):
        team_create(user=person("b@example.org"), name="LAB")
    assert team_edit(team=team, name="lab", homepage="").name == "lab"


def test_the_only_owner_neither_leaves_nor_steps_down():
    team = team_create(user=person("a@example.org"), name="Lab")
    only = team.memberships.get()
    with pytest.raises(InputFault, match="needs an owner"):
        member_remove(membership=only)
    with pytest.raises(InputFault, match="needs an owner"):
        member_change_role(membership=only, role="member")
    second = Membership.objects.create(team=team, user=person("b@example.org"), role="member")
    member_change_role(membership=second, role="owner")
    member_remove(membership=only)
    assert [row.user.email for row in team.memberships.all()] == ["b@example.org"]


def test_an_invitation_is_mailed_and_works_once_for_its_address(django_capture_on_commit_callbacks):
    owner, guest = person("a@example.org"), person("guest@example.org")
    team = team_create(user=owner, name="Lab")
    with django_capture_on_commit_callbacks(execute=True):
        invitation = invitation_send(team=team, user=owner, email="Guest@example.org", role="member")
    assert invitation.token in mail.outbox[0].body
    assert mail.outbox[0].to == ["guest@example.org"]
    with pytest.raises(InputFault, match="another address"):
        invitation_accept(invitation=invitation, user=person("other@example.org"))
    assert invitation_accept(invitation=invitation, user=guest).role == "member"
    with pytest.raises(InputFault, match="has been used"):
        invitation_accept(invitation=invitation, user=guest)


def test_inviting_again_voids_the_old_link():
    owner = person("a@example.org")
    team = team_create(user=owner, name="Lab")
    first = invitation_send(team=team, user=owner, email="g@example.org", role="member")
    second = invitation_send(team=team, user=owner, email="g@example.org", role="owner")
    assert list(team.invitations.all()) == [second]
    assert first.token != second.token


def test_open_invitations_are_bounded():
    owner = person("a@example.org")
    team = team_create(user=owner, name="Lab")
    for number in range(OPEN_INVITATIONS):
        invitation_send(team=team, user=owner, email=f"g{number}@example.org", role="member")
    with pytest.raises(InputFault, match="invitations are open"):
        invitation_send(team=team, user=owner, email="more@example.org", role="member")


def test_a_system_keeps_known_augmentations_in_their_order_and_its_name_to_itself():
    team = team_create(user=person("a@example.org"), name="Lab")
    system = system_create(team=team, name="Model A", augmentations=["fixing", "similar", "magic"])
    assert system.augmentations == ["similar", "fixing"]
    with pytest.raises(InputFault, match="already"):
        system_create(team=team, name="model a")
    assert system_edit(system=system, name="Model B").name == "Model B"
