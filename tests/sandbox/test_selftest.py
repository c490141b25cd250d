"""Every wall stands, and the self-test sees each one that is taken down."""

import os
import signal
import time
from contextlib import suppress

import psutil
import pytest

from verifier.core.process import Command, LimitHit, SessionDied
from verifier.sandbox.bubblewrap import Bubblewrap
from verifier.sandbox.selftest import HOLDS, selftest
from verifier.sandbox.walls import Wall

pytestmark = pytest.mark.integration
UID = 61977
CAT = Command(argv=("/usr/bin/cat",), readonly={"/usr/bin/cat": "/usr/bin/cat"})


def test_all_walls_stand() -> None:
    assert selftest(Bubblewrap(UID)) == dict.fromkeys(map(str, Wall), HOLDS)


@pytest.mark.parametrize("wall", list(Wall))
def test_the_self_test_sees_the_wall_that_is_down(wall: Wall) -> None:
    report = selftest(Bubblewrap(UID, without=frozenset({wall})))
    assert report[wall] != HOLDS, report
    assert "did not run" not in report[wall], report


def test_input_and_output_pass_through() -> None:
    outcome = Bubblewrap(UID).run(Command(**{**_fields(CAT), "stdin": b"x" * 200_000}))
    assert (outcome.exit_code, len(outcome.stdout), outcome.limit) == (0, 200_000, None)


def test_a_flood_is_ended_and_its_head_and_tail_are_kept() -> None:
    command = Command(
        argv=("/usr/bin/yes",), readonly={"/usr/bin/yes": "/usr/bin/yes"}, output_bytes=10_000, wall_seconds=20
    )
    outcome = Bubblewrap(UID).run(command)
    assert outcome.limit is LimitHit.OUTPUT
    assert outcome.stdout.startswith(b"y\ny\n")
    assert b"bytes left out" in outcome.stdout


def test_a_dialogue_answers_and_ends() -> None:
    session = Bubblewrap(UID).open(CAT)
    assert session.ask(b"one end\n", b"end", 5).stdout == b"one end\n"
    assert session.ask(b"two end\n", b"end", 5).stdout == b"two end\n"
    with pytest.raises(SessionDied) as death:
        session.ask(b"silence\n", b"end", 0.3)
    assert death.value.outcome.limit is LimitHit.WALL
    assert session.close() == session.close()


@pytest.mark.parametrize("wait_ms", [0, 1, 2, 3, 5, 8, 13, 21, 34, 55])
def test_a_bubblewrap_that_is_killed_while_it_starts_leaves_nothing_behind(wait_ms) -> None:
    before = set(psutil.Process().children()) | set(_orphans())
    session = Bubblewrap(UID).open(CAT)
    time.sleep(wait_ms / 1000)
    (started,) = set(psutil.Process().children()) - before
    started.kill()
    began = time.monotonic()
    with suppress(SessionDied):  # what it had started may answer once more before it is gone
        session.ask(b"anybody\n", b"anybody", 20)
    assert session.close().signal == signal.SIGKILL
    assert time.monotonic() - began < 5
    while time.monotonic() - began < 5 and set(_orphans()) - before:
        time.sleep(0.01)  # the kernel takes a moment to end a namespace
    assert set(_orphans()) - before == set()


def _orphans() -> list[psutil.Process]:
    """Living processes of this sandbox that nobody is the parent of any more."""
    found = psutil.process_iter(["uids", "ppid", "status"])
    own = UID if os.geteuid() == 0 else os.geteuid()
    alone = [one for one in found if one.info["ppid"] == 1 and one.info["uids"].real == own]
    return [one for one in alone if one.info["status"] != psutil.STATUS_ZOMBIE]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to have an unprivileged uid to drop to")
def test_root_may_not_judge_as_root() -> None:
    with pytest.raises(Exception, match="SELEN_SANDBOX_UID"):
        Bubblewrap(0)


def _fields(command: Command) -> dict[str, object]:
    return {name: getattr(command, name) for name in command.__dataclass_fields__}
