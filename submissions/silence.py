"""How long a judge may be silent before it is taken for dead: as long as the process may run that it waits for.

Every process of a prover has a limit of its own, which the sandbox keeps. So one bound serves a proof, a second look of
any number of steps, and an audit of hours, however slow the host is.
"""

import time
from dataclasses import dataclass
from typing import Final

from verifier.core.process import Command, Outcome, Reply, Sandbox, Session

SLACK_SECONDS: Final = 120  # for what is done between two processes, and for one that is ended late


class Silence:
    """Until when nothing needs to be heard. Set by the judge's thread, read by the one that keeps its lease."""

    def __init__(self) -> None:
        self._until = 0.0
        self.expect(0)

    def expect(self, seconds: float) -> None:
        """From now on a process may run for so long."""
        self._until = time.monotonic() + seconds + SLACK_SECONDS

    def is_over(self) -> bool:
        """Whether something should have been heard by now."""
        return time.monotonic() > self._until


@dataclass(frozen=True, slots=True)
class WatchedSandbox:
    """A sandbox that tells before each process how long it may run, and after it that it has ended."""

    sandbox: Sandbox
    silence: Silence

    def run(self, command: Command) -> Outcome:
        """See verifier.core.process.Sandbox."""
        self.silence.expect(command.wall_seconds)
        try:
            return self.sandbox.run(command)
        finally:
            self.silence.expect(0)

    def open(self, command: Command) -> Session:
        """See verifier.core.process.Sandbox."""
        return _WatchedSession(self.sandbox.open(command), self.silence)


@dataclass(frozen=True, slots=True)
class _WatchedSession:
    session: Session
    silence: Silence

    def ask(self, request: bytes, until: bytes, wall_seconds: float) -> Reply:
        """See verifier.core.process.Session."""
        self.silence.expect(wall_seconds)
        try:
            return self.session.ask(request, until, wall_seconds)
        finally:
            self.silence.expect(0)

    def cpu_ms(self) -> int:
        """See verifier.core.process.Session."""
        return self.session.cpu_ms()

    def close(self) -> Outcome:
        """See verifier.core.process.Session."""
        return self.session.close()
