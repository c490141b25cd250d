"""Systems: which method a submission was made with."""

from typing import Any

from django.db import transaction

from submissions.models import System, Team, User
from submissions.services.locks import locked
from submissions.services.refusal import input_fault
from submissions.services.standing import member_required
from submissions.spelling import line_fault, skeleton
from verifier.core.augmentation import Augmentation

EDITABLE = ("name", "model", "augmentations", "open_source", "link", "description")


@transaction.atomic
def system_create(*, team: Team, actor: User, **facts: Any) -> System:
    """A new system of the team, by a member; `facts` are the EDITABLE fields. InputFault when its name is taken."""
    member_required(actor=actor, team=team)
    return _system_store(System(team=team), facts)


@transaction.atomic
def system_edit(*, system: System, actor: User, **facts: Any) -> System:
    """Change what is said about a system, by a member. Submissions keep the facts they were made with."""
    member_required(actor=actor, team=system.team)
    return _system_store(system, facts)


def _system_store(system: System, facts: dict[str, Any]) -> System:
    locked(Team.objects.all()).get(pk=system.team_id)  # of two that take one name at once the second sees the first
    for name in EDITABLE:
        if name in facts:
            setattr(system, name, facts[name])
    system.augmentations = [str(word) for word in Augmentation if word in system.augmentations]
    for name in ("name", "model"):
        if fault := line_fault(getattr(system, name)):
            raise input_fault(fault, "It stands on public boards.")
    _name_is_free(system)
    system.full_clean()
    system.save()
    return system


def _name_is_free(system: System) -> None:
    others = System.objects.filter(team=system.team_id).exclude(pk=system.pk)
    if others.filter(name__iexact=system.name).exists():
        message = f"The team has a system named {system.name} already."
        raise input_fault(message, "Edit that one, or choose another name.")
    alike = skeleton(system.name)
    for other in others.values_list("name", flat=True):
        if skeleton(other) == alike:
            message = f"The name looks like that of the system {other}."
            raise input_fault(message, "Choose one that nobody takes for it.")
