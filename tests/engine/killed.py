"""A sandbox whose own process is killed with SIGKILL once so many ground truths were tried, with provers alive."""

import os
import signal
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

from verifier.core.process import Command, Reply, Session
from verifier.provers.base import BuiltEnvironment
from verifier.sandbox.bubblewrap import Bubblewrap


class Killed(Bubblewrap):
    """`root` is where environments are built."""

    def __init__(self, uid: int, root: Path, after: int) -> None:
        super().__init__(uid)
        self._root, self._after = root, after

    def open(self, command: Command) -> Session:
        session = super().open(command)
        ask = session.ask

        def asked(request: bytes, until: bytes, wall_seconds: float) -> Reply:
            if len(tried(self._root)) >= self._after:
                os.kill(os.getpid(), signal.SIGKILL)
            return ask(request, until, wall_seconds)

        session.ask = asked  # type: ignore[method-assign]
        return session


def tried(root: Path) -> list[str]:
    """The lines that say which ground truths were tried in a build that goes on."""
    return [line for path in root.rglob("tried.jsonl") for line in path.read_text().splitlines() if line]


def killed(build: Callable[[], BuiltEnvironment]) -> None:
    """Run a build in a process of its own that does not live to its end."""
    process = get_context("fork").Process(target=build)
    process.start()
    process.join(600)
    assert process.exitcode == -signal.SIGKILL
