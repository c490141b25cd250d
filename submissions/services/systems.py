"""Systems: which method a submission was made with."""

from typing import Any

from django.db import transaction

from submissions.models import System, Team, User
from submissions.services.standing import member_required
from submissions.spelling import line_fault, skeleton
from verifier.core.augmentation import Augmentation
from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding

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
    for name in EDITABLE:
        if name in facts:
            setattr(system, name, facts[name])
    system.augmentations = [str(word) for word in Augmentation if word in system.augmentations]
    for name in ("name", "model"):
        if fault := line_fault(getattr(system, name)):
            raise InputFault([Finding(Consequence.REFUSED, fault, "It stands on public boards.")])
    same = System.objects.filter(team=system.team_id, name__iexact=system.name).exclude(pk=system.pk)
    if same.exists():
        message = f"The team has a system named {system.name} already."
        raise InputFault([Finding(Consequence.REFUSED, message, "Edit that one, or choose another name.")])
    others = System.objects.filter(team=system.team_id).exclude(pk=system.pk)
    for other in others.values_list("name", flat=True):
        if skeleton(other) == skeleton(system.name):
            message = f"The name looks like that of the system {other}."
            raise InputFault([Finding(Consequence.REFUSED, message, "Choose one that nobody takes for it.")])
    system.full_clean()
    system.save()
    return system
