"""Pages of the site itself, and what is shown when something cannot be."""

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from submissions.selectors import site
from submissions.selectors.queue import queue_status
from verifier.core.reason import REASONS
from verifier.core.verdict import Verdict


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, and the benchmarks with their state."""
    return render(request, "pages/home.html", {"home": site.home()})


@require_safe
@cache_control(no_cache=True)
def status(request: HttpRequest) -> HttpResponse:
    """Workers, queue and sandbox self-tests."""
    found = queue_status()
    alive = any(worker.alive for worker in found.workers)
    return render(request, "pages/status.html", {"status": found, "alive": alive})


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """The rules, with every verdict and reason from the table itself."""
    rows = {verdict: [(r, row) for r, row in REASONS.items() if row.verdict is verdict] for verdict in Verdict}
    context = {
        "reasons": rows,
        "upload_bytes": settings.MAX_UPLOAD_BYTES,
        "inflated_bytes": settings.MAX_INFLATED_BYTES,
        "members": settings.MAX_MEMBERS,
        "draft_minutes": settings.DRAFT_MINUTES,
    }
    return render(request, "pages/help.html", context)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is stored and who sees it."""
    return render(request, "pages/privacy.html")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: the request could not be read; what is wrong with it is told where this site found it."""
    why = str(exception) if isinstance(exception, BadRequest) else ""
    return render(request, "400.html", {"why": why}, status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: visible, but not the reader's to do."""
    return render(request, "403.html", {"why": str(exception)}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 (Django's signature)
    """404: nothing there, or nothing that the reader may know of."""
    return render(request, "404.html", status=404)


def broken(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 (Django's signature)
    """Rendered without the request, so that it needs neither session nor database."""
    return HttpResponse(render_to_string("500.html"), status=500)
