"""Boards as CSV and JSON, and the figures of the plots; all public, all validated by the benchmark's stamp."""

import json
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from leaderboard import analysis_exports
from leaderboard.analysis_contexts import rows_of_page, timeline_of
from leaderboard.atlas import picture
from leaderboard.citing import state_of
from leaderboard.exports import board_csv, board_json
from leaderboard.files import view_file
from leaderboard.plots import errors_figure, history_figure, times_figure
from leaderboard.shown import Shown
from leaderboard.tables import time_rows

CSV: Final = "text/csv; charset=utf-8"
JSON: Final = "application/json"
ANALYSES: Final = {
    "failures": analysis_exports.failures_csv,
    "times": analysis_exports.times_csv,
    "originality": analysis_exports.originality_csv,
    "history": analysis_exports.history_csv,
    "augmentations": analysis_exports.augmentations_csv,
}


@require_safe
def board_as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The board as shown, one line a row."""
    return view_file(request, slug, CSV, _csv, "csv")


@require_safe
def board_as_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The board as shown, with the digests of what it was computed from."""
    return view_file(request, slug, JSON, _json, "json")


@require_safe
def analysis_as_csv(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The figures of a view beside the board, one line a system and category."""
    return view_file(request, slug, CSV, ANALYSES[name], f"{name}.csv")


@require_safe
def plot_errors(request: HttpRequest, slug: str) -> HttpResponse:
    """Figure of the failures of all systems shown."""
    return view_file(request, slug, JSON, lambda view: errors_figure(rows_of_page(view)))


@require_safe
def plot_times(request: HttpRequest, slug: str) -> HttpResponse:
    """Figure of the checking times of the chosen system."""
    return view_file(request, slug, JSON, _times)


@require_safe
def plot_history(request: HttpRequest, slug: str) -> HttpResponse:
    """Figure of the scores over time."""
    return view_file(request, slug, JSON, lambda view: history_figure(timeline_of(view)))


@require_safe
def atlas_cells(request: HttpRequest, slug: str) -> HttpResponse:
    """What the map of problems and systems is drawn from."""
    return view_file(request, slug, JSON, _atlas)


def _csv(view: Shown) -> str:
    return board_csv(view.benchmark, view.board(), state_of(view))


def _json(view: Shown) -> str:
    return board_json(view.benchmark, view.board(), state_of(view))


def _atlas(view: Shown) -> str:
    made = picture(view.benchmark, view.grid(), rows_of_page(view), view.benchmark.listed.idents)
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


def _times(view: Shown) -> str:
    row = view.chosen()
    return times_figure(time_rows(view.benchmark, row.entry) if row else ())
