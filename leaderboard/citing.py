"""What a reader takes along to cite a board: its permanent address, BibTeX, and where machines find the same."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from leaderboard.addresses import absolute, board_state, last_change, written
from leaderboard.bibtex import board_bibtex, run_bibtex
from leaderboard.feed import Addresses, board_atom
from leaderboard.filters import default_filters
from leaderboard.latex import Source, board_latex
from leaderboard.published import Published, published_recent
from leaderboard.reported_rows import reported_shown
from leaderboard.selectors import Benchmark
from leaderboard.shown import Shown
from leaderboard.structured_data import Places, benchmark_jsonld


@dataclass(frozen=True, slots=True)
class Citation:
    """How to cite the board shown, and when it last changed. `bibtex` is empty where nothing was ever published."""

    address: str
    bibtex: str
    changed: datetime | None


def citation(view: Shown) -> Citation:
    """Permanent address and BibTeX of the board as it stands or stood."""
    changed = last_change(view.benchmark, view.filters.at)
    moment = view.filters.at or changed
    address = board_state(view.benchmark, view.filters, moment)
    return Citation(address, board_bibtex(view.benchmark, view.filters, moment, address) if moment else "", changed)


def latex_of(view: Shown) -> str:
    """The board shown as a LaTeX table."""
    moment = view.filters.at or last_change(view.benchmark)
    source = Source(board_state(view.benchmark, view.filters, moment), written(moment) if moment else "")
    return board_latex(
        view.benchmark, view.board(), reported_shown(view.benchmark, view.filters), view.column_ks, source
    )


def run_citation(benchmark: Benchmark, run: Published) -> str:
    """BibTeX of one published run, with the board as it stood when the run entered it."""
    address = absolute(reverse("submission", args=[run.submission]))
    return run_bibtex(benchmark, run, address, board_state(benchmark, default_filters(benchmark), run.since))


def feed_of(benchmark: Benchmark) -> str:
    """The Atom feed of the benchmark's board."""
    runs = published_recent(benchmark)
    slug = benchmark.pack.slug
    addresses = Addresses(
        feed=absolute(reverse("board_feed", args=[slug])),
        board=absolute(reverse("board", args=[slug])),
        submissions={run.submission: absolute(reverse("submission", args=[run.submission])) for run in runs},
    )
    return board_atom(benchmark, runs, addresses)


def jsonld_of(view: Shown) -> str:
    """Description of the benchmark and of the board's present state for machines."""
    slug, changed = view.benchmark.pack.slug, last_change(view.benchmark)
    places = Places(
        benchmark=absolute(reverse("benchmark", args=[slug])),
        board=absolute(reverse("board", args=[slug])),
        state=board_state(view.benchmark, view.filters, changed),
        csv=absolute(reverse("board_csv", args=[slug])),
        json=absolute(reverse("board_json", args=[slug])),
        archive=absolute(reverse("pack_export", args=[slug])),
        submission=absolute(reverse("submission", args=["0"])).replace("/0/", "/{}/"),
    )
    return benchmark_jsonld(view.benchmark, view.board(), changed, places)
