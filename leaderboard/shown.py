"""One view of one benchmark: read once, computed once, kept under its stamp; shared by page, export and plots."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from django.http import HttpRequest

from leaderboard.cache import once
from leaderboard.filters import Filters, default_filters, filters_read
from leaderboard.selectors import Benchmark, benchmark_get, entries_at
from leaderboard.standings import Board, board

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Shown:
    """A benchmark, what was asked of its board, and the query string that asks it again."""

    benchmark: Benchmark
    filters: Filters
    query: str

    def board(self) -> Board:
        """The standings, made by one reader and kept for all."""
        return self.kept(
            "board", lambda: board(self.benchmark, entries_at(self.benchmark, self.filters.at), self.filters)
        )

    def kept(self, what: str, make: Callable[[], Made]) -> Made:
        """Something else made of this view, kept beside it."""
        return once(f"{what}|{self.benchmark.state}|{self.query}", make)


def shown_read(request: HttpRequest, slug: str) -> Shown:
    """What the address asks for; raises Http404 for unknown benchmarks and FilterError for unknown filters."""
    benchmark = benchmark_get(slug)
    filters = filters_read(request.GET, benchmark)
    return Shown(benchmark, filters, filters.query(default_filters(benchmark)))
