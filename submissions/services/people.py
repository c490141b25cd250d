"""What a person changes about themselves."""

from submissions.models import User


def user_rename(*, user: User, name: str) -> User:
    """Set the name that team mates see; empty shows the address instead."""
    user.name = name
    user.full_clean()
    user.save(update_fields=["name"])
    return user
