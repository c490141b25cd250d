"""Public pages of a benchmark: its board, what it is, and what proofs are checked in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from leaderboard import benchmark_facts, selectors
from leaderboard.board_context import board_context
from leaderboard.cache import answer, late_since
from leaderboard.filters import FilterError, default_filters
from leaderboard.shown import shown_read
from verifier.selectors import environment_current


@require_safe
def board_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Standings, what fails and how long checking takes, for one view of one benchmark."""
    try:
        view = shown_read(request, slug)
    except FilterError as fault:
        context = {"fault": str(fault), "slug": slug}
        return render(request, "leaderboard/bad_filter.html", context, status=400)

    def response() -> HttpResponse:
        body = view.kept("html", lambda: render_to_string("leaderboard/_board_page.html", board_context(view)))
        context = {"benchmark": view.benchmark, "filters": view.filters, "body": body, "late": late_since()}
        return render(request, "leaderboard/board.html", context)

    return answer(request, view.benchmark.state, response)


@require_safe
def benchmark(request: HttpRequest, slug: str) -> HttpResponse:
    """What the benchmark asks, of what, under which rules, and how to take part."""
    found = selectors.benchmark_get(slug)
    environment_row = environment_current(found.pack)
    default = default_filters(found)
    rows, whole = benchmark_facts.category_rows(found, selectors.problems_of(found.pack))
    context = {
        "benchmark": found,
        "manifest": found.pack.manifest,
        "rows": rows,
        "whole": whole,
        "rules": benchmark_facts.rules(found.pack.manifest.get("limits", {})),
        "environment": environment_row,
        "window": benchmark_facts.window(found.pack.opens, found.pack.closes),
        "leaders": benchmark_facts.leaders(found, default),
        "metric": default.label,
    }
    context["late"] = late_since()
    return render(request, "leaderboard/benchmark.html", context)


@require_safe
def environment(request: HttpRequest, digest: str) -> HttpResponse:
    """Recipe, images and known faults of what proofs were checked in."""
    found = selectors.environment_get(digest)
    images = list(found.images.order_by("host"))
    context = {
        "environment": found,
        "recipe": benchmark_facts.recipe_lines(found.recipe),
        "images": [(image, benchmark_facts.recipe_lines(image.digests)) for image in images],
        "log": next((image for image in images if image.log), None),
    }
    return render(request, "leaderboard/environment.html", context)
