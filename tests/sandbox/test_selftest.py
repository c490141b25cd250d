"""Every wall stands, and the self-test sees each one that is taken down."""

import os

import pytest

from verifier.core.process import Command, LimitHit, SessionDied
from verifier.sandbox.bubblewrap import Bubblewrap
from verifier.sandbox.selftest import HOLDS, selftest
from verifier.sandbox.walls import Wall

pytestmark = pytest.mark.integration
UID = 61900
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


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to have an unprivileged uid to drop to")
def test_root_may_not_judge_as_root() -> None:
    with pytest.raises(Exception, match="SELEN_SANDBOX_UID"):
        Bubblewrap(0)


def _fields(command: Command) -> dict[str, object]:
    return {name: getattr(command, name) for name in command.__dataclass_fields__}
