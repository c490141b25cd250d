"""In which order rows are locked, so that no two processes ever wait for each other.

Draft, Team, System, Submission, Run, its Slices by key, Results, and last what is only counted: Trial, QuotaUse, Pack.
Whoever needs two of these locks the earlier one first. SQLite has one writer at a time and takes no locks of rows.
"""

from typing import TypeVar

from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)


def locked(rows: QuerySet[Row]) -> QuerySet[Row]:
    """These rows, without those that are read along with them, for this transaction alone and in order of their keys.

    Rows that only point at them can still be added by others (a result of the run, say).
    """
    return rows.select_for_update(of=("self",), no_key=True).order_by("pk")
