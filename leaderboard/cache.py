"""Derived pages under the benchmark's stamp: computed once, by one process at a time, and answered with 304.

Nothing here is truth: delete the cache and every value is made again from the tables.
"""

import hashlib
import pickle
import time
import zlib
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache as remember
from typing import TypeVar, cast

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_cache_control, patch_vary_headers

Made = TypeVar("Made")

KEEP_SECONDS = 7 * 24 * 3600
REBUILD_SECONDS = 30  # a rebuild that takes longer is taken for dead, and the next reader does it
POLL_SECONDS = 0.02
_late: ContextVar[bool] = ContextVar("late", default=False)  # this answer shows the state before, being made anew


def once(key: str, make: Callable[[], Made], last: str = "") -> Made:
    """The cached value of `key`, made by whoever asks first while the others wait for it.

    With `last`, a name that stays the same over all states of what is made, the others do not wait: they get the value
    made last under that name, and `answer` lets nobody keep it. Values are compressed here, lightly: what a cache of
    files does by itself takes longer than making a large board.
    """
    name = _name(key)
    found: bytes | None = cache.get(name)
    deadline = time.monotonic() + REBUILD_SECONDS
    while found is None:
        if cache.add(name + ":making", 1, REBUILD_SECONDS) or time.monotonic() > deadline:
            try:
                made = make()
                packed = zlib.compress(pickle.dumps(made, pickle.HIGHEST_PROTOCOL), 1)
                cache.set(name, packed, KEEP_SECONDS)
                if last:
                    cache.set(_name(f"last|{last}"), packed, KEEP_SECONDS)
            finally:
                cache.delete(name + ":making")
            return made
        found = cache.get(_name(f"last|{last}")) if last else None
        if found is not None:
            _late.set(True)
            break
        time.sleep(POLL_SECONDS)
        found = cache.get(name)
    return cast("Made", pickle.loads(zlib.decompress(found)))  # noqa: S301 (the cache holds what this site wrote)


def _name(key: str) -> str:
    return "board:" + hashlib.sha256(f"{release()}|{settings.BASE_URL}|{key}".encode()).hexdigest()


@remember
def release() -> str:
    """Digest of templates and of this app's code, so that nothing made by an older release is shown again."""
    files = [
        file
        for folder, pattern in (("templates", "**/*.html"), ("leaderboard", "*.py"), ("verifier/core", "*.py"))
        for file in sorted((settings.BASE_DIR / folder).glob(pattern))
    ]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def answer(
    request: HttpRequest, stamp: str, make: Callable[[], HttpResponse], *, personal: bool = True
) -> HttpResponse:
    """The response of `make`, or 304 where the reader holds it already.

    `stamp` names the state shown; the address names the view of it. A `personal` response carries the reader's own
    header, so only that of anonymous readers without a message waiting is validated.
    """
    validated = not personal or not (request.user.is_authenticated or len(get_messages(request)))
    tag = (
        'W/"'
        + hashlib.sha256(f"{release()}|{settings.BASE_URL}|{stamp}|{request.get_full_path()}".encode()).hexdigest()[:32]
        + '"'
    )
    held = validated and tag in request.headers.get("If-None-Match", "")
    _late.set(False)
    response = HttpResponseNotModified() if held else make()
    if validated and not _late.get() and response.status_code in {200, 304}:
        response["ETag"] = tag
    if personal:
        patch_vary_headers(response, ("Cookie",))
    patch_cache_control(response, no_cache=True, **{"private" if personal else "public": True})
    return response
