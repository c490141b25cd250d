"""What is refused before anything of the site reads it: bodies above a limit, texts that no database can hold.

Django spools a large body to disk as soon as something asks for a form field, and the first to ask is the check against
forged requests. So the length is looked at before, and a body without a length is not read at all.
"""

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from django.conf import settings
from django.core.exceptions import BadRequest
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve

logger = logging.getLogger(__name__)
Answer = Callable[[HttpRequest], HttpResponse]

UPLOAD = "submit"  # the one address that takes files
DISCARD_SECONDS = 10  # how long a member's upload is read and thrown away, so that the browser gets to see the page
CHUNK = 2**16
NUL = "\0"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a body is not read, and what to do; shown by 413.html."""

    message: str
    remedy: str


class BodyLimit:
    """Answers 413 to a body above the limit of its address, and 411 to one that does not say its length.

    Every address takes a form of settings.MAX_FORM_BYTES, which stays in memory; the upload address takes an archive
    of settings.MAX_UPLOAD_BYTES beside it, from whoever is logged in.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The site's answer, or the refusal."""
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return _refusal(request, Fault("Its body comes in chunks.", "Send it whole, with Content-Length."), 411)
        length = _length(request)
        if length <= settings.MAX_FORM_BYTES:
            return self.get_response(request)
        slug = _upload_of(request)
        if slug is None:
            return _refusal(
                request, _too_long(length, settings.MAX_FORM_BYTES, "Only uploads of proofs may be larger.")
            )
        if not request.user.is_authenticated:
            remedy = "Log in first, then upload the file again."
            return _refusal(request, _too_long(length, settings.MAX_FORM_BYTES, remedy))
        if length <= settings.MAX_UPLOAD_BYTES + settings.MAX_FORM_BYTES:
            return self.get_response(request)
        _discard(request)
        remedy = "Upload proofs alone, as a zip; leave out logs and build products."
        return _refusal(request, _too_long(length, settings.MAX_UPLOAD_BYTES, remedy), slug=slug)


def _length(request: HttpRequest) -> int:
    """Bytes of the body as the request states them; what is no number counts as none, as Django reads it."""
    stated = request.META.get("CONTENT_LENGTH") or "0"
    return int(stated) if stated.isascii() and stated.isdecimal() else 0


def _upload_of(request: HttpRequest) -> str | None:
    """The benchmark that the request uploads to, or None at every other address."""
    if request.method != "POST":
        return None
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return None
    return str(match.kwargs["slug"]) if match.url_name == UPLOAD else None


def _too_long(length: int, most: int, remedy: str) -> Fault:
    return Fault(f"It has {length / 1_000_000:,.1f} MB; {most // 1_000_000} MB are the limit here.", remedy)


def _refusal(request: HttpRequest, fault: Fault, status: int = 413, slug: str = "") -> HttpResponse:
    context = {"fault": fault, "pack": {"slug": slug} if slug else None, "unmeasured": status == 411}
    return render(request, "413.html", context, status=status)


def _discard(request: HttpRequest) -> None:
    """Read for a while without keeping anything: a browser shows no answer before it has sent its file."""
    until = time.monotonic() + DISCARD_SECONDS
    try:
        while time.monotonic() < until and request.read(CHUNK):
            pass
    except OSError:
        logger.info("A client hung up while its upload was refused")


class StorableAddress:
    """Answers 400 to NUL in path, query or cookies: PostgreSQL holds it in no text and no JSON."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The site's answer, where all of it can be compared with something."""
        _refuse_nul("address", [request.path_info, unquote(request.META.get("QUERY_STRING", ""))])
        _refuse_nul("cookie", request.COOKIES.values())
        return self.get_response(request)


class StorableForm:
    """Answers 400 to NUL in a form, once the form has been found to be no forged one.

    In the admin, whose addresses carry any comparison of any column, 400 is also the answer where a column cannot hold
    the value that it is compared with.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The site's answer."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:  # noqa: ARG002
        """Look at every field."""
        if request.method == "POST":
            _refuse_nul("form", (text for name in request.POST for text in (name, *request.POST.getlist(name))))

    def process_exception(self, request: HttpRequest, fault: Exception) -> None:
        """Turn what a database cannot compare with into a bad request, in lists of the admin alone."""
        match = request.resolver_match
        if match is None or match.app_name != "admin" or not (match.url_name or "").endswith("_changelist"):
            return
        if isinstance(fault, (DataError, ArithmeticError, ValueError)):
            logger.warning("A list of the admin was asked for what no column can hold", exc_info=fault)
            raise BadRequest("The address compares a column with a value that it cannot hold.") from fault


def _refuse_nul(where: str, texts: Iterable[str]) -> None:
    if any(NUL in text for text in texts):
        raise BadRequest(f"The {where} holds the character NUL (U+0000), which nothing here can hold. Take it out.")
