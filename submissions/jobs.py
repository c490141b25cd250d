"""What a worker does when a bell rings. Jobs may run twice, late or never: what is to be done stands in the database.

RQ runs each job in a process of its own (its horse). The horse dies with its worker, so that a killed worker never
leaves a second judge behind that nobody counts; the sandbox dies with the horse.
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from django.conf import settings
from django.db import connection

from submissions import queue
from submissions.post import die_with_parent, post_taken
from submissions.services.benchmarks import pack_value
from submissions.services.judging import slice_judge
from submissions.services.leases import Claim, lease_renew, slice_claim, slice_release
from submissions.services.reading import draft_read_next
from submissions.services.workers import worker_beat
from submissions.silence import Silence, WatchedSandbox
from verifier import engine, store
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack
from verifier.core.process import Sandbox
from verifier.core.result import ConfirmationResult, ProofResult, ProofTask
from verifier.models import Environment
from verifier.provers.base import BuiltEnvironment
from verifier.services import builds

logger = logging.getLogger(__name__)
BELL_SECONDS = 900  # then another environment's bell is heard first
PULSE_SECONDS = 5.0


def answer_bell(environment_digest: str) -> None:
    """Claim and work through slices of an environment until none waits, the worker stops, or others need a turn."""
    die_with_parent()
    post = post_taken()
    environment = Environment.objects.select_related("pack").get(digest=environment_digest)
    silence = Silence()
    judge = judge_of(environment, WatchedSandbox(post.sandbox, silence))
    until = time.monotonic() + BELL_SECONDS
    while time.monotonic() < until:
        claim = slice_claim(environment_id=environment.pk, worker=post.worker)
        if claim is None:
            return
        with Pulse(claim, silence) as pulse:
            sound = slice_judge(claim=claim, judge=judge, stopped=pulse.stopped)
        if pulse.stopped() and not worker_beat(name=post.worker):
            return
        if not sound:
            logger.error("The platform failed while judging; leaving the rest of the queue to others for now")
            return
    queue.ring(environment_digest)


def answer_reading_bell() -> None:
    """Make the reports of large uploads until none waits."""
    die_with_parent()
    while draft_read_next():
        pass


@dataclass(frozen=True, slots=True)
class EngineJudge:
    """The real judge: the engine in this worker's sandbox, on this host's copy of the environment."""

    environment: BuiltEnvironment
    pack: Pack
    sandbox: Sandbox

    def check(
        self, tasks: Sequence[ProofTask], on_start: Callable[[ProofTask], None], stopped: Callable[[], bool]
    ) -> Iterable[ProofResult]:
        """See submissions.services.judging.Judge."""
        return engine.check(self.environment, self.pack, tasks, self.sandbox, self.pack.limits, on_start, stopped)

    def confirm(self, tasks: Sequence[ProofTask]) -> Sequence[ConfirmationResult]:
        """See submissions.services.judging.Judge."""
        return list(engine.confirm(self.environment, self.pack, tasks, self.sandbox, self.pack.limits))

    def audit(self, tasks: Sequence[ProofTask]) -> Sequence[ConfirmationResult]:
        """See submissions.services.judging.Judge."""
        return list(engine.audit(self.environment, self.pack, tasks, self.sandbox))


def judge_of(environment: Environment, sandbox: Sandbox) -> EngineJudge:
    """The judge of an environment on this host; raises PlatformFault when the host has no copy of it."""
    pack = pack_value(environment.pack)
    built = store.load(builds.folder(), environment.digest)
    if built is None:
        raise PlatformFault(f"The environment {environment} is no longer built on this host.")
    return EngineJudge(built, pack, sandbox)


class Pulse:
    """Keeps a lease while its slice is worked on, and ends the work when the lease is gone or the worker stops.

    A judge that is silent for longer than the process may run that it waits for has hung; this process then ends
    itself, and the keeper gives the slice to somebody else.
    """

    def __init__(self, claim: Claim, silence: Silence) -> None:
        self._claim = claim
        self._silence = silence
        self._over = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="lease", daemon=True)

    def __enter__(self) -> Self:
        self._silence.expect(0)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def stopped(self) -> bool:
        """Whether the work is to end before the next proof."""
        return self._stop.is_set()

    def _beat(self) -> None:
        try:
            while not self._over.wait(min(PULSE_SECONDS, settings.LEASE_SECONDS / 4)):
                if self._silence.is_over():
                    logger.critical("No sign of life from the judge since its prover had to end; this process ends")
                    os._exit(70)
                self._renew()
        finally:
            connection.close()

    def _renew(self) -> None:
        try:
            if self._stop.is_set():
                # Told to stop a pulse ago and still in the same proof: give it back before somebody kills us for it.
                slice_release(claim=self._claim)
            elif not (worker_beat(name=self._claim.worker) and lease_renew(claim=self._claim)):
                self._stop.set()
        except Exception:
            # A database that is away for a moment: the lease outlives several pulses.
            logger.exception("The lease could not be renewed")
