"""One view of one benchmark: read once, computed once, kept under its stamp; shared by page, export and plots."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from django.http import HttpRequest

from leaderboard.cache import once
from leaderboard.filters import Filters, default_filters, filters_read
from leaderboard.grid import Grid, grid_at
from leaderboard.selectors import Benchmark, benchmark_get
from leaderboard.settled_filters import settled
from leaderboard.standings import Board, Row, board

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Shown:
    """A benchmark, what was asked of its board, and the query string that asks it again."""

    benchmark: Benchmark
    filters: Filters
    query: str

    def board(self) -> Board:
        """The standings, made by one reader and kept for all."""
        whole = self.filters.of_board()
        query = whole.query(default_filters(self.benchmark))
        return once(f"board|{self.benchmark.state}|{query}", lambda: board(self.benchmark, self.grid(), whole))

    @property
    def column_ks(self) -> tuple[int, ...]:
        """The k of each category's columns, two at most: 1, and the one asked for or the largest."""
        asked = self.filters.k if self.filters.k > 1 else max(self.benchmark.k_values)
        return (1,) if asked == 1 else (1, asked)

    def grid(self) -> Grid:
        """The runs that the board counts at the moment asked for."""
        return grid_at(self.benchmark, self.filters.at)

    def chosen(self) -> Row | None:
        """The row whose failures and times are shown: the one asked for, else the first."""
        rows = self.board().rows
        asked = (row for row in rows if row.entry.submission == self.filters.system)
        return next(asked, rows[0] if rows else None)

    def kept(self, what: str, make: Callable[[], Made], shows: Callable[[Made], bool] | None = None) -> Made:
        """Something else made of this view, kept beside it.

        While it is made anew, others get what was made last, if `shows` allows it: it may hold what was withdrawn.
        """
        last = f"{what}|{self.benchmark.pack.slug}|{self.benchmark.problem_set.digest}|{self.query}"
        return once(f"{what}|{self.benchmark.state}|{self.query}", make, last=last, shows=shows)


def shown_read(request: HttpRequest, slug: str) -> Shown:
    """What the address asks for; raises Http404 for unknown benchmarks and FilterError for filters that name none."""
    benchmark = benchmark_get(slug)
    filters = settled(benchmark, filters_read(request.GET, benchmark))
    return Shown(benchmark, filters, filters.query(default_filters(benchmark)))
