"""The plots as pictures that need no script: for print, slides, readers without JavaScript and cards of links."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from leaderboard.analysis_contexts import rows_of_page, timeline_of
from leaderboard.citing import state_of
from leaderboard.drawing import Picture, svg
from leaderboard.files import view_file
from leaderboard.filters import Metric
from leaderboard.picture_card import standings_picture
from leaderboard.pictures import figure_picture
from leaderboard.plots import errors_figure, history_figure, times_figure
from leaderboard.raster import png
from leaderboard.shown import Shown
from leaderboard.tables import time_rows

SVG = "image/svg+xml"


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """The first systems with their intervals."""
    return _picture(request, slug, _standings)


@require_safe
def card(request: HttpRequest, slug: str) -> HttpResponse:
    """The same as PNG, which is all that readers of links take."""
    return view_file(request, slug, "image/png", lambda view: png(svg(_standings(view))))


@require_safe
def errors(request: HttpRequest, slug: str) -> HttpResponse:
    """What fails, by system."""
    return _picture(
        request, slug, lambda view: figure_picture(errors_figure(rows_of_page(view)), *_words(view, "what fails"))
    )


@require_safe
def times(request: HttpRequest, slug: str) -> HttpResponse:
    """How long checking takes, by category, for the chosen system."""
    return _picture(request, slug, _times)


@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """How scores moved."""
    return _picture(
        request,
        slug,
        lambda view: figure_picture(
            history_figure(timeline_of(view)),
            *_words(view, f"{view.filters.changed(metric=Metric.ACC).label} over time"),
        ),
    )


def _standings(view: Shown) -> Picture:
    return standings_picture(view.board(), *_words(view, view.filters.label))


def _times(view: Shown) -> Picture:
    row = view.chosen()
    rows = time_rows(view.benchmark, row.entry) if row else ()
    title, subtitle = _words(view, "checking time")
    return figure_picture(times_figure(rows), title, f"{row.entry.system}. {subtitle}" if row else subtitle)


def _words(view: Shown, what: str) -> tuple[str, str]:
    """Title, and a line that says of which problems and when."""
    benchmark, category = view.benchmark, view.filters.category
    number = benchmark.number(category)
    part = f"{number} problem{'' if number == 1 else 's'}" + (f" of {category}" if category else "")
    moment = state_of(view).moment
    when = f", as of {moment.day} {moment:%B %Y}" if moment else ""
    return f"{benchmark.pack.title}: {what}", f"Set {benchmark.problem_set.name}, {part}{when}"


def _picture(request: HttpRequest, slug: str, make: Callable[[Shown], Picture]) -> HttpResponse:
    return view_file(request, slug, SVG, lambda view: svg(make(view)))
