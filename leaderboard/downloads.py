"""Boards as CSV and JSON, and the figures of the plots; all public, all validated by the benchmark's stamp."""

import json
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from leaderboard.atlas import picture
from leaderboard.cache import answer
from leaderboard.contexts import rows_of_page, timeline_of
from leaderboard.exports import board_csv, board_json
from leaderboard.filters import FilterError
from leaderboard.plots import errors_figure, history_figure, times_figure
from leaderboard.shown import Shown, shown_read
from leaderboard.tables import time_rows


@require_safe
def board_as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The board as shown, one line a row."""
    return _file(request, slug, "csv", "text/csv; charset=utf-8", lambda view: board_csv(view.benchmark, view.board()))


@require_safe
def board_as_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The board as shown, with the digests of what it was computed from."""
    return _file(request, slug, "json", "application/json", lambda view: board_json(view.benchmark, view.board()))


@require_safe
def plot_errors(request: HttpRequest, slug: str) -> HttpResponse:
    """Figure of the failures of all systems shown."""
    return _file(request, slug, "", "application/json", lambda view: errors_figure(rows_of_page(view)))


@require_safe
def plot_times(request: HttpRequest, slug: str) -> HttpResponse:
    """Figure of the checking times of the chosen system."""
    return _file(request, slug, "", "application/json", _times)


@require_safe
def plot_history(request: HttpRequest, slug: str) -> HttpResponse:
    """Figure of the scores over time."""
    return _file(request, slug, "", "application/json", lambda view: history_figure(timeline_of(view)))


@require_safe
def atlas_cells(request: HttpRequest, slug: str) -> HttpResponse:
    """What the map of problems and systems is drawn from."""
    return _file(request, slug, "", "application/json", _atlas)


def _atlas(view: Shown) -> str:
    made = picture(view.benchmark, view.grid(), rows_of_page(view), view.benchmark.listed.idents)
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


def _times(view: Shown) -> str:
    row = view.chosen()
    return times_figure(time_rows(view.benchmark, row.entry) if row else ())


def _file(request: HttpRequest, slug: str, ending: str, kind: str, make: Callable[[Shown], str]) -> HttpResponse:
    """The text of `make` under the view that the address asks for; as a named file where it has an ending."""
    try:
        view = shown_read(request, slug)
    except FilterError as fault:
        return JsonResponse({"error": str(fault)}, status=400)

    def response() -> HttpResponse:
        made = HttpResponse(
            view.kept(f"file {request.resolver_match and request.resolver_match.url_name}", lambda: make(view)), kind
        )
        if ending:
            made["Content-Disposition"] = f'attachment; filename="{slug}-{view.benchmark.problem_set.name}.{ending}"'
        return made

    return answer(request, view.benchmark.state, response, personal=False)
