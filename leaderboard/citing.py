"""What a reader takes along to cite a board: its permanent address, BibTeX, and where machines find the same."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from leaderboard.addresses import State, absolute, board_state, last_change
from leaderboard.bibtex import board_bibtex, run_bibtex
from leaderboard.feed import Addresses, board_atom
from leaderboard.filters import default_filters
from leaderboard.latex import board_latex
from leaderboard.published_runs import Published, published_recent
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


def state_of(view: Shown) -> State:
    """Where the board shown stays as it is, and since when it is so."""
    return board_state(view.benchmark, view.filters, last_change(view.benchmark))


def citation(view: Shown) -> Citation:
    """Permanent address and BibTeX of the board as it stands or stood."""
    state = state_of(view)
    return Citation(state.address, board_bibtex(view.benchmark, view.filters, state), state.moment)


def latex_of(view: Shown) -> str:
    """The board shown as a LaTeX table."""
    reported = reported_shown(view.benchmark, view.filters)
    return board_latex(view.benchmark, view.board(), reported, view.column_ks, state_of(view))


def run_citation(benchmark: Benchmark, run: Published) -> str:
    """BibTeX of one published run, with the board as it stood when the run entered it."""
    address = absolute(reverse("submission", args=[run.submission]))
    return run_bibtex(benchmark, run, address, board_state(benchmark, default_filters(benchmark), run.since).address)


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
    """Description of the benchmark, and of the board shown with its files, for machines."""
    slug, state = view.benchmark.pack.slug, state_of(view)
    places = Places(
        benchmark=absolute(reverse("benchmark", args=[slug])),
        archive=absolute(reverse("pack_export", args=[slug])),
        csv=absolute(reverse("board_csv", args=[slug]) + state.query),
        json=absolute(reverse("board_json", args=[slug]) + state.query),
        submission=absolute(reverse("submission", args=["0"])).replace("/0/", "/{}/"),
    )
    return benchmark_jsonld(view.benchmark, view.board(), state, places)
