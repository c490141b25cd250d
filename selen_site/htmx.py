"""Full page or partial, decided in one place, with the headers that keep caches honest."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers


def render_page(
    request: HttpRequest, page: str, part: str, context: dict[str, Any], *, part_status: int = 200
) -> HttpResponse:
    """`part` for an HTMX request that swaps a fragment, else `page`; both get the same context.

    `part_status` is of the fragment alone: 286 tells HTMX to stop asking, and no browser knows it.
    """
    details = request.htmx  # type: ignore[attr-defined]
    wants_part = details and not (details.boosted or details.history_restore_request)
    response = render(request, part, context, status=part_status) if wants_part else render(request, page, context)
    patch_vary_headers(response, ("HX-Request", "HX-Boosted", "HX-History-Restore-Request"))
    return response
