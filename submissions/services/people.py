"""What a person changes about themselves."""

from submissions.models import User
from submissions.services.refusal import input_fault
from submissions.spelling import line_fault


def user_rename(*, user: User, name: str) -> User:
    """Set the name that team mates see; empty shows the address instead. InputFault for one that hides letters."""
    if fault := line_fault(name):
        raise input_fault(fault, "Your team mates read it.")
    user.name = name
    user.full_clean()
    user.save(update_fields=["name"])
    return user
