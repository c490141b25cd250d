"""A view of a board as one file: read from the address, made once, validated by the board's state."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse

from leaderboard.cache import answer
from leaderboard.filters import FilterError
from leaderboard.shown import Shown, shown_read


def view_file(
    request: HttpRequest, slug: str, kind: str, make: Callable[[Shown], str | bytes], ending: str = ""
) -> HttpResponse:
    """What `make` gives of the view that the address asks for, as `kind`; to be saved where there is an ending."""
    try:
        view = shown_read(request, slug)
    except FilterError as fault:
        return JsonResponse({"error": str(fault)}, status=400)

    def response() -> HttpResponse:
        made = HttpResponse(view.kept(f"file {request.path}", lambda: make(view)), kind)
        if ending:
            made["Content-Disposition"] = f'attachment; filename="{slug}-{view.benchmark.problem_set.name}.{ending}"'
        return made

    return answer(request, view.benchmark.state, response, personal=False)
