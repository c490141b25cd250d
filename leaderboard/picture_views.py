"""The plots as pictures that need no script: for print, slides, readers without JavaScript and cards of links."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from leaderboard.addresses import last_change
from leaderboard.cache import answer
from leaderboard.contexts import rows_of_page, timeline_of
from leaderboard.drawing import Picture, svg
from leaderboard.filters import FilterError
from leaderboard.picture_card import standings_picture
from leaderboard.pictures import figure_picture
from leaderboard.plots import errors_figure, history_figure, times_figure
from leaderboard.raster import png
from leaderboard.shown import Shown, shown_read
from leaderboard.tables import time_rows

SVG = "image/svg+xml"


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """The first systems with their intervals."""
    return _picture(request, slug, _standings)


@require_safe
def card(request: HttpRequest, slug: str) -> HttpResponse:
    """The same as PNG, which is all that readers of links take."""
    return _file(request, slug, "image/png", lambda view: png(svg(_standings(view))))


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
        request, slug, lambda view: figure_picture(history_figure(timeline_of(view)), *_words(view, "history"))
    )


def _standings(view: Shown) -> Picture:
    return standings_picture(view.board(), *_words(view, view.filters.label))


def _times(view: Shown) -> Picture:
    row = view.chosen()
    rows = time_rows(view.benchmark, row.entry) if row else ()
    title, subtitle = _words(view, "checking time")
    return figure_picture(times_figure(rows), title, f"{row.entry.system}, {subtitle}" if row else subtitle)


def _words(view: Shown, what: str) -> tuple[str, str]:
    """Title, and a line that says of which problems and when."""
    benchmark, filters = view.benchmark, view.filters
    part = f"{filters.category}, " if filters.category else ""
    moment = filters.at or last_change(benchmark)
    when = f", as of {moment.day} {moment:%B %Y}" if moment else ""
    return (
        f"{benchmark.pack.title}: {what}",
        f"{part}set {benchmark.problem_set.name}, {benchmark.total} problems{when}",
    )


def _picture(request: HttpRequest, slug: str, make: Callable[[Shown], Picture]) -> HttpResponse:
    return _file(request, slug, SVG, lambda view: svg(make(view)))


def _file(request: HttpRequest, slug: str, kind: str, make: Callable[[Shown], str | bytes]) -> HttpResponse:
    """What `make` gives under the view that the address asks for, kept and validated by the board's state."""
    try:
        view = shown_read(request, slug)
    except FilterError as fault:
        return JsonResponse({"error": str(fault)}, status=400)

    def response() -> HttpResponse:
        return HttpResponse(view.kept(f"picture {request.path}", lambda: make(view)), kind)

    return answer(request, view.benchmark.state, response, personal=False)
