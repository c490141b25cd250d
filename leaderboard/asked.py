"""What of a reader's filters means something on this board, so that nothing made up is ever computed or kept.

An address may hold any team, submission, moment or page. Before a view is looked up in the cache, each of them becomes
one of the few values that show something of their own.
"""

from datetime import datetime, timedelta

from django.db.models import Max, Min, Q, QuerySet

from leaderboard.filters import FilterError, Filters
from leaderboard.selectors import Benchmark
from submissions.models import BoardEntry

PAGE_ROWS = 100


def settled(benchmark: Benchmark, filters: Filters) -> Filters:
    """The same view with its free parts settled; raises FilterError for a team that never published here.

    A submission that never stood on the board is left out, a moment becomes that of the last change before it, a page
    beyond the last possible one becomes that one.
    """
    entries = BoardEntry.objects.filter(problem_set=benchmark.problem_set)
    if filters.team and not entries.filter(run__submission__team__name=filters.team).exists():
        raise FilterError(f"No team “{filters.team}” has published on this board.")
    wanted = {filters.system, filters.other} - {""}
    known = set()
    if wanted:
        found = entries.filter(run__submission__public_id__in=wanted)
        known = set(found.values_list("run__submission__public_id", flat=True))
    return filters.changed(
        system=filters.system if filters.system in known else "",
        other=filters.other if filters.other in known else "",
        at=_last_change(entries, filters.at) if filters.at else None,
        page=min(filters.page, max(-(-benchmark.entered // PAGE_ROWS), 1)),
    )


def _last_change(entries: QuerySet[BoardEntry], at: datetime) -> datetime | None:
    """When the state shown at a moment began; just before the first change where the board was empty then."""
    found = entries.aggregate(
        came=Max("valid_from", filter=Q(valid_from__lte=at)),
        went=Max("valid_to", filter=Q(valid_to__lte=at)),
        first=Min("valid_from"),
    )
    changes: list[datetime] = [moment for moment in (found["came"], found["went"]) if moment]
    if changes:
        return max(changes)
    return found["first"] - timedelta(microseconds=1) if found["first"] else None
