"""A full disk is told from every other fault, whatever it is that was written to."""

import psycopg
import pytest
from django.db import OperationalError

from submissions.services.room import no_room


def raised(cause: Exception) -> OperationalError:
    """What Django makes of an exception of the database's own library."""
    error = OperationalError(*cause.args)
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (OSError(28, "No space left on device"), True),
        (raised(Exception("database or disk is full")), True),
        (raised(psycopg.errors.DiskFull('could not extend file "base/1/2": No space left on device')), True),
        (raised(psycopg.errors.AdminShutdown("terminating connection")), False),
        (raised(Exception("database is locked")), False),
        (ValueError("disk is full"), False),
    ],
)
def test_a_full_disk_is_known_by_what_each_store_says(error, full):
    assert no_room(error) is full
