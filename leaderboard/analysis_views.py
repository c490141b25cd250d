"""Public views of a board's numbers beside the standings; each is made once per view and kept under the stamp."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from leaderboard import analysis_contexts
from leaderboard.cache import answer, late_since
from leaderboard.failures import messages_are_public
from leaderboard.filters import FilterError
from leaderboard.shown import Shown, shown_read


@require_safe
def failures(request: HttpRequest, slug: str) -> HttpResponse:
    """Classes of failure per system and category, then reasons, then clusters of similar messages."""
    return _page(request, slug, "failures", "What fails", analysis_contexts.failures)


@require_safe
def times(request: HttpRequest, slug: str) -> HttpResponse:
    """How long checking takes, per category and system."""
    return _page(request, slug, "times", "Checking time", analysis_contexts.times)


@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """Scores over time, and the best on each day."""
    return _page(request, slug, "history", "History", analysis_contexts.history)


@require_safe
def augmentations(request: HttpRequest, slug: str) -> HttpResponse:
    """The same model with and without augmentations."""
    return _page(request, slug, "augmentations", "Effect of augmentations", analysis_contexts.augmentations)


@require_safe
def originality(request: HttpRequest, slug: str) -> HttpResponse:
    """How many accepted proofs are the host's own, and how near the others are."""
    return _page(request, slug, "originality", "Originality", analysis_contexts.originality)


@require_safe
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Two systems over the same problems."""
    return _page(request, slug, "compare", "Compare two systems", analysis_contexts.compare)


@require_safe
def atlas(request: HttpRequest, slug: str) -> HttpResponse:
    """All problems by all systems."""
    return _page(request, slug, "atlas", "Atlas", analysis_contexts.atlas)


def _page(
    request: HttpRequest, slug: str, name: str, title: str, context: Callable[[Shown], dict[str, Any]]
) -> HttpResponse:
    try:
        view = shown_read(request, slug)
    except FilterError as fault:
        return render(request, "leaderboard/bad_filter.html", {"fault": str(fault), "slug": slug}, status=400)

    def response() -> HttpResponse:
        def make() -> tuple[str, str]:
            made = {**analysis_contexts.common(view, name, title), **context(view)}
            return render_to_string(f"leaderboard/_{name}.html", made), made.get("quoted", "")

        body, _ = view.kept(f"page {name}", make, shows=_still_public)
        shown = {"benchmark": view.benchmark, "title": title, "body": body, "tab": name, "late": late_since()}
        return render(request, "leaderboard/page.html", shown)

    return answer(request, view.benchmark.state, response)


def _still_public(page: tuple[str, str]) -> bool:
    """Whether a page made before may be shown: what is withdrawn is gone at once where a submission is quoted."""
    return not page[1] or messages_are_public(page[1])
