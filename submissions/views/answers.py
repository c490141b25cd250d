"""How views answer: private pages stay out of caches, faults become words, texts of others are never a page."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control

from submissions.models import User
from submissions.services.refusal import Refusal, Why
from verifier.core.errors import InputFault

View = TypeVar("View", bound=Callable[..., Any])
FORMULA = ("=", "+", "-", "@", "\t", "\r")

uncached = cache_control(private=True, no_store=True)


class PersonalRequest(HttpRequest):
    """A request of somebody who is logged in."""

    user: User


def personal(view: View) -> View:
    """For people with an account; the answer is kept by no cache, and what a service does not allow is forbidden."""

    def translated(*args: Any, **kwargs: Any) -> Any:
        try:
            return view(*args, **kwargs)
        except Refusal as refusal:
            if refusal.why is not Why.NOT_ALLOWED:
                raise
            raise PermissionDenied(words_of(refusal)) from refusal

    return cast("View", wraps(view)(login_required(uncached(translated))))


def words_of(fault: InputFault) -> str:
    """What is wrong and what to do, in one line."""
    return " ".join(f"{finding.message} {finding.remedy}" for finding in fault.findings)


def attempt(request: PersonalRequest, action: Callable[[], Any], done: str) -> bool:
    """Do what was asked and say so on the next page, or say why not; what is not allowed goes on to `personal`."""
    try:
        action()
    except InputFault as fault:
        if isinstance(fault, Refusal) and fault.why is Why.NOT_ALLOWED:
            raise
        messages.error(request, words_of(fault))
        return False
    messages.success(request, done)
    return True


def plain_text(text: str, name: str) -> HttpResponse:
    """A text of others: never sniffed, never rendered, always a download with a harmless name."""
    return _download(text, "text/plain", name)


def table_file(head: Sequence[str], rows: Iterable[Sequence[Any]], name: str) -> HttpResponse:
    """A CSV in which no cell can be taken for a formula by a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return _download(out.getvalue(), "text/csv", name)


def _download(text: str, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type=f"{kind}; charset=utf-8")
    response["X-Content-Type-Options"] = "nosniff"
    harmless = re.sub(r"[^A-Za-z0-9._-]", "_", name)
    response["Content-Disposition"] = f'attachment; filename="{harmless}"'
    return response


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
