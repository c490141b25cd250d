"""What papers say of a benchmark, as a page of tables like the printed ones; all there is before a host extracts it."""

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from leaderboard.benchmark_facts import rules
from leaderboard.cache import answer
from leaderboard.reported import lines_of, paper_tables
from verifier.models import Pack

View = Callable[..., HttpResponse]
PAPER_LIMITS = ("wall_seconds", "tokens")  # what papers state; other limits are the host's own


@require_safe
def reported(request: HttpRequest, slug: str) -> HttpResponse:
    """Published figures table by table; 404 where a benchmark has none."""
    pack = get_object_or_404(Pack, slug=slug)
    lines = lines_of(pack.manifest)
    if not lines:
        raise Http404(f"No reported figures of {slug}.")
    listed = pack.manifest["categories"]
    numbers = {name: number for line in lines for name, number in line.problems.items()}
    limits = pack.manifest.get("limits", {})
    context = {
        "pack": pack,
        "alone": pack.manifest.get("reported_only", False),
        "manifest": pack.manifest,
        "tables": paper_tables(lines, [each["name"] for each in listed]),
        "categories": [(each["name"], each["meaning"], numbers.get(each["name"])) for each in listed],
        "total": sum(numbers.get(each["name"], 0) for each in listed),
        "rules": rules({name: limits[name] for name in PAPER_LIMITS if name in limits}),
    }
    return answer(
        request, f"reported|{slug}|{pack.stamp}", lambda: render(request, "leaderboard/reported.html", context)
    )


def or_reported(view: View) -> View:
    """`view`, or the page of reported figures for a benchmark that holds nothing else yet."""

    @wraps(view)
    def shown(request: HttpRequest, slug: str) -> HttpResponse:
        try:
            return view(request, slug)
        except Http404:
            pack = Pack.objects.filter(slug=slug).first()
            if pack is None or not pack.manifest.get("reported_only"):
                raise
        return reported(request, slug)

    return shown
