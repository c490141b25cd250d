"""A worker: shows that its walls hold, says what it can check, and listens for bells.

This process only announces itself and beats; the RQ worker is its child and the judge is the child's child, each of
which dies with its parent. So no thread and no open database is ever carried over a fork, and whichever of the three is
killed, nothing goes on behind its back.
"""

import fcntl
import logging
import os
import signal
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from submissions import queue
from submissions.management.ready import ready_required
from submissions.post import Post, die_with_parent, post_take
from submissions.selectors.queue import environments_lacking
from submissions.services.workers import worker_announce, worker_beat, worker_gone, worker_idle_beat, worker_stop
from verifier import store
from verifier.core.errors import PlatformFault
from verifier.models import Environment
from verifier.sandbox.bubblewrap import Bubblewrap
from verifier.sandbox.selftest import HOLDS, selftest
from verifier.services import builds

logger = logging.getLogger(__name__)
BEAT_SECONDS = 10.0
IDLE_SECONDS = 60.0  # a worker that cannot judge ends after this, so that whoever restarts it has it look again


class Command(BaseCommand):
    """Judge until told to stop; exits 1 when it cannot judge or its RQ process died, so that it is started again."""

    help = "Check proofs. Several workers on one machine need different slots (each has its own sandbox user)."

    def add_arguments(self, parser: CommandParser) -> None:
        """The slot."""
        parser.add_argument("--slot", type=int, default=1, help="1, 2, … on this machine (default 1)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Take the slot, test the walls, announce, work."""
        ready_required()
        slot = options["slot"]
        self.stopping = False
        self.name = f"{socket.gethostname()}-{slot}"
        lock = _slot_lock(slot)
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        with lock:
            digests = _digests()
            why, walls = self._walls(slot)
            lacking = environments_lacking(built=digests)
            why = why or ("" if digests else lacking or "No environment of a benchmark is built on this host.")
            if lacking and not why:
                logger.warning("%s", lacking)
            worker_announce(
                name=self.name,
                host=socket.gethostname(),
                pid=os.getpid(),
                environments=digests,
                sandbox=walls,
                why=why,
            )
            ended = self._refuse(why) if why else self._work(digests)
            worker_gone(name=self.name)
        if not ended:
            raise CommandError(why or "The RQ process of this worker died; start the worker again.")

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        self.stopping = True

    def _walls(self, slot: int) -> tuple[str, dict[str, str]]:
        """Why this worker must not judge, empty when all walls hold, and what the self-test saw of each."""
        try:
            sandbox = Bubblewrap(uid=settings.SANDBOX_UID + slot - 1)
            walls = selftest(sandbox)
        except PlatformFault as fault:
            return str(fault), {}
        post_take(Post(worker=self.name, sandbox=sandbox))
        return _broken(walls), walls

    def _refuse(self, why: str) -> bool:
        """Stay on the status page as a worker that does not judge."""
        logger.error("This worker does not judge: %s", why)
        until = time.monotonic() + IDLE_SECONDS
        while time.monotonic() < until and not self.stopping:
            worker_idle_beat(name=self.name)
            time.sleep(1)
        return self.stopping

    def _work(self, digests: list[str]) -> bool:
        """Beat while the RQ process works; False when it died by itself."""
        child = _fork_listener(digests)
        logger.info("%s checks %s", self.name, ", ".join(digest[:8] for digest in digests))
        beaten = 0.0
        told = False
        while True:
            pid, _ = os.waitpid(child, os.WNOHANG)
            if pid:
                return told
            if self.stopping and not told:
                told = True
                self._tell(child, "This worker is being stopped.")
            if time.monotonic() - beaten > BEAT_SECONDS and not told:
                beaten = time.monotonic()
                self._beat()
                if _digests() != digests:
                    told = True
                    self._tell(child, "The environments on this host changed; this worker starts again.")
            time.sleep(0.2)

    def _beat(self) -> None:
        try:
            worker_beat(name=self.name)
        except Exception:
            logger.exception("The heartbeat could not be written; the next one is tried in %.0f s", BEAT_SECONDS)
        connections.close_all()

    def _tell(self, child: int, why: str) -> None:
        worker_stop(name=self.name, why=why)
        os.kill(child, signal.SIGTERM)


def _slot_lock(slot: int) -> TextIO:
    """An open file that holds the slot's lock while this process lives."""
    folder = Path(settings.DATA_DIR) / "run"
    folder.mkdir(parents=True, exist_ok=True)
    lock = (folder / f"worker-{slot}.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise CommandError(f"Slot {slot} has a worker already. Start this one with another --slot.") from error
    return lock


def _digests() -> list[str]:
    """Digests of what is both built on this host and known to the portal."""
    built = [environment.digest for environment in store.environments(builds.folder())]
    return sorted(Environment.objects.filter(digest__in=built).values_list("digest", flat=True))


def _broken(walls: Mapping[str, str]) -> str:
    broken = [f"{wall}: {seen}" for wall, seen in walls.items() if seen != HOLDS]
    return f"The sandbox does not hold ({'; '.join(broken)})." if broken else ""


def _fork_listener(digests: list[str]) -> int:
    """Fork the RQ worker; it has a process group of its own, so that a signal to ours reaches it once, through us."""
    connections.close_all()
    child = os.fork()
    if child:
        return child
    os.setpgid(0, 0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    die_with_parent()
    status = 1
    try:
        queue.listen(digests)
        status = 0
    except Exception:
        logger.exception("The RQ process of this worker failed")
    finally:
        os._exit(status)
