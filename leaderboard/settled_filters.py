"""What of a reader's filters means something on this board, so that nothing made up is ever computed or kept.

An address may hold any team, submission, moment or page. Before a view is looked up in the cache, each of them becomes
one of the few values that show something of their own.
"""

from datetime import datetime, timedelta

from django.db.models import Min

from leaderboard.addresses import last_change
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
        at=_settled_moment(benchmark, filters.at) if filters.at else None,
        page=min(filters.page, max(-(-benchmark.entered // PAGE_ROWS), 1)),
    )


def _settled_moment(benchmark: Benchmark, at: datetime) -> datetime | None:
    """When the state shown at a moment began; just before the first change where the board was empty then."""
    if changed := last_change(benchmark, until=at):
        return changed
    first = BoardEntry.objects.filter(problem_set=benchmark.problem_set).aggregate(first=Min("valid_from"))["first"]
    return first - timedelta(microseconds=1) if first else None
