"""Derived pages under the benchmark's stamp: computed once, by one process at a time, and answered with 304.

Nothing here is truth: delete the cache and every value is made again from the tables.
"""

import fcntl
import hashlib
import os
import pickle
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache as remember
from typing import Any, Final, TypeVar, cast

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import http_date

Made = TypeVar("Made")

KEEP_SECONDS = 7 * 24 * 3600
REBUILD_SECONDS = 30  # nobody waits longer for somebody else's making
LATE_SECONDS = 300  # nobody is shown anything older while something newer is made
ASKED_SECONDS = 1.0  # so long a value that was asked for goes before those that are newer
POLL_SECONDS = 0.02
MEMORY_BYTES: Final = 48 * 2**20  # of values as they are written, for each process of the site
TURN: Final = "turn"  # whoever holds it makes something anew of which there is a value to show meanwhile
_late: ContextVar[datetime | None] = ContextVar("late", default=None)  # since when what this answer shows is as it is
_nested: ContextVar[bool] = ContextVar("nested", default=False)  # whether something is made of what is asked for
_memory: OrderedDict[str, tuple["_Kept", int]] = OrderedDict()
_memory_lock = threading.Lock()
_making: set[str] = set()  # what threads of this process make
_asked: dict[str, tuple[datetime, float]] = {}  # shown late: since when it is as it is, and when it was asked for


@dataclass(frozen=True, slots=True)
class _Kept:
    """A value, and the moment at which its making began."""

    value: Any
    since: datetime


def once(key: str, make: Callable[[], Made], last: str = "", shows: Callable[[Made], bool] | None = None) -> Made:
    """The cached value of `key`, made by whoever asks first while the others wait for it.

    With `last`, a name that stays the same over all states of what is made, the others do not wait: they get the value
    made last under that name, if it is of the last minutes and `shows` still allows it, `late_since` says since when it
    is as it is, and `answer` lets nobody keep it. Only one of all such values is made anew at a time, the oldest that
    is asked for, so that a board that changes every second leaves the site to its readers and no page far behind. What
    a making itself asks for is never an earlier value.
    """
    name = _name(key)
    if (found := _read(name)) is not None:
        return cast("Made", found.value)
    earlier = _read(cache.get(_name(f"last|{last}"), "")) if last else None
    if earlier is not None and (_nested.get() or _is_old(earlier) or (shows and not shows(earlier.value))):
        earlier = None
    turn = name + ":making" if earlier is None else TURN
    deadline = time.monotonic() + REBUILD_SECONDS
    while not (held := _goes_first(last, earlier) and _taken(turn)) and time.monotonic() < deadline:
        if earlier is not None:
            _late.set(earlier.since)
            return cast("Made", earlier.value)
        time.sleep(POLL_SECONDS)
        if (found := _read(name)) is not None:
            return cast("Made", found.value)
    try:
        found = _read(name)  # by whoever held the turn before
        return cast("Made", found.value) if found else _make(name, make, last)
    finally:
        if held:
            _given_back(turn)


def _goes_first(last: str, earlier: _Kept | None) -> bool:
    """Whether readers of this process asked for nothing older within the last second; what has no value never waits."""
    if earlier is None:
        return True
    now = time.monotonic()
    with _memory_lock:
        _asked[last] = earlier.since, now
        for name in [name for name, (_, asked) in _asked.items() if now - asked > ASKED_SECONDS]:
            del _asked[name]
        return all(since >= earlier.since for since, _ in _asked.values())


def _is_old(kept: _Kept) -> bool:
    return (datetime.now(UTC) - kept.since).total_seconds() > LATE_SECONDS


def latest(last: str) -> object | None:
    """The value that was made last under that name, for making the next one of it; None where there is none."""
    found = _read(cache.get(_name(f"last|{last}"), ""))
    return None if found is None else found.value


def late_since() -> datetime | None:
    """Since when what this answer shows is as it is, where a newer state is being made; None where it is the newest."""
    return _late.get()


def _make(name: str, make: Callable[[], Made], last: str) -> Made:
    """Make a value and keep it, lightly compressed: what a cache of files does by itself takes longer than making."""
    since, outer = datetime.now(UTC), _nested.set(True)
    try:
        made = make()
    finally:
        _nested.reset(outer)
    raw = pickle.dumps((made, since), pickle.HIGHEST_PROTOCOL)
    cache.set(name, zlib.compress(raw, 1), KEEP_SECONDS)
    if last:
        cache.set(_name(f"last|{last}"), name, KEEP_SECONDS)
        _asked.pop(last, None)
    _remember(name, _Kept(made, since), len(raw))
    return made


def _taken(turn: str) -> bool:
    """Whether this thread may make what `turn` names: no other one does, here or in another process of this host.

    A lock of the kernel, one byte of a file for each name, that ends with the process that holds it.
    """
    with _memory_lock:
        if turn in _making:
            return False
        try:
            fcntl.lockf(_locks(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(turn))
        except (BlockingIOError, PermissionError):  # which of them says “taken” is the kernel's choice
            return False
        _making.add(turn)
    return True


def _given_back(turn: str) -> None:
    with _memory_lock:
        _making.discard(turn)
        fcntl.lockf(_locks(), fcntl.LOCK_UN, 1, _place(turn))


@remember
def _locks() -> int:
    """The file whose bytes are locked; it stays open, because closing it would end the locks of all threads."""
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    return os.open(settings.DATA_DIR / "making.lock", os.O_RDWR | os.O_CREAT, 0o600)


def _place(turn: str) -> int:
    return int(hashlib.sha256(turn.encode()).hexdigest()[:15], 16)


def _read(name: str) -> _Kept | None:
    """What is kept under a name: from this process's memory as long as the cache holds it, else from the cache."""
    with _memory_lock:
        held = _memory.get(name)
        if held is not None:
            _memory.move_to_end(name)
    if held is not None and cache.has_key(name):
        return held[0]
    packed: bytes | None = cache.get(name) if name else None
    if packed is None:
        return None
    raw = zlib.decompress(packed)
    kept = _Kept(*pickle.loads(raw))  # noqa: S301 (the cache holds what this site wrote)
    _remember(name, kept, len(raw))
    return kept


def _remember(name: str, kept: _Kept, size: int) -> None:
    """Values of a state never change, so they are read by all threads; those not asked for longest make room."""
    with _memory_lock:
        _memory[name] = kept, size
        _memory.move_to_end(name)
        total = sum(size for _, size in _memory.values())
        while total > MEMORY_BYTES:
            _, (_, gone) = _memory.popitem(last=False)
            total -= gone


def _name(key: str) -> str:
    return "board:" + hashlib.sha256(f"{release()}|{settings.BASE_URL}|{key}".encode()).hexdigest()


@remember
def release() -> str:
    """Digest of templates and of the code that pages are made by; nothing of an older release is shown again."""
    made_by = (("templates", "**/*.html"), *((room, "**/*.py") for room in ("leaderboard", "submissions", "verifier")))
    files = [file for folder, pattern in made_by for file in sorted((settings.BASE_DIR / folder).glob(pattern))]
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
    _late.set(None)
    response = HttpResponseNotModified() if held else make()
    since = _late.get()
    if since is not None:
        response["Last-Modified"] = http_date(since.timestamp())
    elif validated and response.status_code in {200, 304}:
        response["ETag"] = tag
    if personal:
        patch_vary_headers(response, ("Cookie",))
    patch_cache_control(response, no_cache=True, **{"private" if personal else "public": True})
    return response
