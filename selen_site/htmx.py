"""Full page or partial, decided in one place, with the headers that keep caches honest."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers


def render_page(request: HttpRequest, page: str, part: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """`part` for an HTMX request that swaps a fragment, else `page`; both get the same context."""
    details = request.htmx  # type: ignore[attr-defined]
    wants_part = details and not (details.boosted or details.history_restore_request)
    response = render(request, part if wants_part else page, context, status=status)
    patch_vary_headers(response, ("HX-Request", "HX-Boosted", "HX-History-Restore-Request"))
    return response
