"""Addresses that are written down elsewhere: absolute, and of a state that stays as it was."""

from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.db.models import Max, Q
from django.urls import reverse

from leaderboard.filters import Filters, default_filters
from leaderboard.selectors import Benchmark
from submissions.models import BoardEntry


@dataclass(frozen=True, slots=True)
class State:
    """A view of a board as it stands or stood, and since when it is so; `moment` is None without any run.

    `address` is where it stays to be seen, `query` what asks any file of the board for the same.
    """

    address: str
    query: str
    moment: datetime | None


def absolute(path: str) -> str:
    """The address under the name that the site is known by, whatever name this request came to."""
    return settings.BASE_URL.rstrip("/") + path


def is_known() -> bool:
    """Whether that name means something to other hosts; a name of this machine alone does not."""
    host = urlsplit(settings.BASE_URL).hostname or ""
    try:
        return not (ip_address(host).is_loopback or ip_address(host).is_unspecified)
    except ValueError:
        return "." in host and not host.endswith(".localhost")


def written(moment: datetime) -> str:
    """A moment in UTC as addresses hold it, exact to the microsecond."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def last_change(benchmark: Benchmark, until: datetime | None = None) -> datetime | None:
    """When a run last entered or left the board, up to `until`; until the next change it shows the same."""
    entries = BoardEntry.objects.filter(problem_set=benchmark.problem_set)
    ends = entries.aggregate(
        entered=Max("valid_from", filter=Q(valid_from__lte=until) if until else None),
        left=Max("valid_to", filter=Q(valid_to__lte=until) if until else None),
    )
    return max((end for end in ends.values() if end is not None), default=None)


def board_state(benchmark: Benchmark, filters: Filters, moment: datetime | None) -> State:
    """The board under these filters as it stood at a moment; that of `filters` wins, None is the board as it is."""
    at = filters.at or moment
    pairs = filters.of_board().changed(at=None).pairs(default_filters(benchmark))
    if at is not None:
        pairs.append(("at", written(at)))
    query = "?" + urlencode(pairs, safe=":") if pairs else ""
    return State(absolute(reverse("board", args=[benchmark.pack.slug]) + query), query, at)
