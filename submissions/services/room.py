"""Whether a write failed for want of room, in the words of files and of either database."""

from django.db import OperationalError

DISK_FULL = "53100"  # PostgreSQL's code of it; its message names a file


def no_room(error: Exception) -> bool:
    """Whether the disk is full, or files cannot be written at all."""
    if isinstance(error, OperationalError):
        return "disk is full" in str(error) or getattr(error.__cause__, "sqlstate", None) == DISK_FULL
    return isinstance(error, OSError)
