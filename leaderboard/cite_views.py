"""Boards and rows in the forms that papers, feed readers, other pages and search engines take."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from leaderboard import citing
from leaderboard.badge import badge_svg
from leaderboard.cache import answer, once
from leaderboard.files import view_file
from leaderboard.published_runs import published_get, published_of_system
from leaderboard.selectors import Benchmark, benchmark_get

BADGE_SECONDS = 300  # how long other pages may show a badge before they ask again
BIBTEX = "application/x-bibtex; charset=utf-8"


@require_safe
def board_as_latex(request: HttpRequest, slug: str) -> HttpResponse:
    """The board as shown, as a LaTeX table."""
    return view_file(request, slug, "application/x-tex; charset=utf-8", citing.latex_of, "tex")


@require_safe
def board_as_bibtex(request: HttpRequest, slug: str) -> HttpResponse:
    """How to cite the board as shown."""
    return view_file(request, slug, BIBTEX, lambda view: citing.citation(view).bibtex, "bib")


@require_safe
def structured_data(request: HttpRequest, slug: str) -> HttpResponse:
    """Benchmark and results as JSON-LD."""
    return view_file(request, slug, "application/ld+json", citing.jsonld_of)


@require_safe
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Runs that entered the board, as an Atom feed."""
    return _of_benchmark(request, benchmark_get(slug), "application/atom+xml; charset=utf-8", citing.feed_of)


@require_safe
def run_bibtex(request: HttpRequest, slug: str, submission: str) -> HttpResponse:
    """How to cite one published run."""
    benchmark = benchmark_get(slug)
    run = published_get(benchmark, submission)
    made = _of_benchmark(request, benchmark, BIBTEX, lambda found: citing.run_citation(found, run))
    made["Content-Disposition"] = f'attachment; filename="{slug}-{submission}.bib"'
    return made


@require_safe
def badge_of_run(request: HttpRequest, slug: str, submission: str) -> HttpResponse:
    """Badge of one published run, for as long as it is published."""
    benchmark = benchmark_get(slug)
    run = published_get(benchmark, submission)
    return _badge(request, benchmark, lambda found: badge_svg(found, run))


@require_safe
def badge_of_system(request: HttpRequest, slug: str, system: str) -> HttpResponse:
    """Badge of whatever run the board counts of a system at the time."""
    benchmark = benchmark_get(slug)
    run = published_of_system(benchmark, system)
    return _badge(request, benchmark, lambda found: badge_svg(found, run))


def _badge(request: HttpRequest, benchmark: Benchmark, make: Callable[[Benchmark], str]) -> HttpResponse:
    made = _of_benchmark(request, benchmark, "image/svg+xml", make)
    del made["Cache-Control"]
    patch_cache_control(made, public=True, max_age=BADGE_SECONDS)
    return made


def _of_benchmark(
    request: HttpRequest, benchmark: Benchmark, kind: str, make: Callable[[Benchmark], str]
) -> HttpResponse:
    """The text of `make`, kept and validated by the benchmark's state."""
    key = f"{request.path}|{benchmark.state}"
    return answer(request, key, lambda: HttpResponse(once(key, lambda: make(benchmark)), kind), personal=False)
