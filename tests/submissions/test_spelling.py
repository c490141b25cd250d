"""Names on boards and in mails: one line, nothing unseen, and no two that a reader takes for one."""

import pytest

from submissions.forms import ProfileForm, SystemForm, TeamForm
from submissions.models import Membership, Team, User
from submissions.services.people import user_rename
from submissions.services.systems import system_create, system_edit
from submissions.services.teams import team_create, team_edit
from submissions.spelling import line_fault, one_line, skeleton
from verifier.core.errors import InputFault

UNSEEN = {
    "a line break": "T\nBcc: x@example.org",
    "a return": "T\rBcc",
    "a tab": "a\tb",
    "NUL": "a\0b",
    "an override": "a\u202eb",
    "a zero width space": "a\u200bb",
    "a Hangul filler": "a\u3164b",
    "a Hangul jungseong filler": "a\u1160b",
    "a half-width filler": "a\uffa0b",
    "a variation selector": "a\ufe0fb",
    "a joiner of graphemes": "a\u034fb",
    "a tag": "a\U000e0041b",
    "a Mongolian separator": "a\u180eb",
    "a Braille blank": "a\u2800b",
    "a space that does not break": "a\u00a0b",
    "a line separator": "a\u2028b",
}
LOOKS_LIKE_ACE = ("АСЕ", "ace", "ＡＣＥ", "𝐀𝐂𝐄", " ACE ", "Асе")


@pytest.fixture
def owner(db) -> User:
    return User.objects.create_user("owner@example.org")


@pytest.mark.parametrize("name", UNSEEN.values(), ids=UNSEEN)
def test_what_cannot_be_seen_is_refused_in_every_name_by_form_and_service(owner, name):
    team = team_create(actor=owner, name="Lab")
    system = system_create(team=team, actor=owner, name="System")
    assert not TeamForm({"name": name}).is_valid()
    assert not SystemForm({"name": name}).is_valid()
    assert not SystemForm({"name": "S", "model": name}).is_valid()
    assert not ProfileForm({"name": name}).is_valid()
    for change in (
        lambda: team_create(actor=owner, name=name),
        lambda: team_edit(team=team, actor=owner, name=name, homepage=""),
        lambda: system_edit(system=system, actor=owner, name=name),
        lambda: user_rename(user=owner, name=name),
    ):
        with pytest.raises(InputFault, match="cannot be seen"):
            change()
    assert list(Team.objects.values_list("name", flat=True)) == ["Lab"]


@pytest.mark.parametrize("name", ["Мodel", "pаypal", "Οmega", "раypal Lab"])
def test_a_word_of_two_scripts_is_refused(name):
    assert "mixes letters of" in line_fault(name)


@pytest.mark.parametrize(
    "name",
    [
        "Model A, k = 5",
        "Лаборатория",
        "Ελλάδα",
        "東京 Lab",
        "東京Lab",
        "카이스트",
        "Café 2026",
        "λ calculus",
        "Model-Ω",
        "½ &c.",
    ],
)
def test_names_of_the_world_are_taken(name):
    assert line_fault(name) == ""


@pytest.mark.parametrize("name", LOOKS_LIKE_ACE)
def test_a_name_that_looks_like_another_is_refused(owner, name):
    team = team_create(actor=owner, name="ACE")
    system_create(team=team, actor=owner, name="ACE")
    with pytest.raises(InputFault, match=r"exists already|looks like"):
        team_create(actor=owner, name=name.strip() if name.strip() != "ACE" else "ACE ")
    with pytest.raises(InputFault, match=r"already|looks like"):
        system_create(team=team, actor=owner, name=name)
    other = team_create(actor=owner, name="Other")
    with pytest.raises(InputFault, match=r"exists already|looks like"):
        team_edit(team=other, actor=owner, name=name, homepage="")
    assert team_edit(team=team, actor=owner, name="Ace", homepage="").name == "Ace"  # its own name, written anew


def test_names_that_differ_to_the_eye_stay_apart():
    assert len({skeleton(name) for name in ("Model A", "Model B", "Café", "Cafe", "Lab 2", "Lab 3", "λ", "a")}) == 8


def test_a_subject_is_one_line_whatever_a_team_is_called(owner):
    team = Team.objects.create(name="T\nBcc: x@example.org\r\u2028y")  # as stored before names were held to a rule
    Membership.objects.create(team=team, user=owner, role="owner")
    assert one_line(f"{team.name} invites you") == "T Bcc: x@example.org y invites you"
