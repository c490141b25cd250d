"""A judge is taken for dead only once the process that it waits for should have ended."""

import pytest

from submissions import silence
from submissions.silence import SLACK_SECONDS, Silence, WatchedSandbox
from verifier.core.process import Command, Outcome, Reply, SessionDied

ENDED = Outcome(0, None, None, b"", b"", 1, 1, 1)


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


class Slow:
    """A sandbox and its session: everything takes `seconds`; notes whether the silence was over before it ended."""

    def __init__(self, clock: Clock, quiet: Silence, seconds: float) -> None:
        self.clock, self.quiet, self.seconds = clock, quiet, seconds
        self.over: list[bool] = []

    def _take(self) -> None:
        self.clock.now += self.seconds
        self.over.append(self.quiet.is_over())

    def run(self, command: Command) -> Outcome:
        self._take()
        return ENDED

    def open(self, command: Command) -> "Slow":
        return self

    def ask(self, request: bytes, until: bytes, wall_seconds: float) -> Reply:
        self._take()
        raise SessionDied(ENDED)

    def cpu_ms(self) -> int:
        return 7

    def close(self) -> Outcome:
        return ENDED


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(silence, "time", found)
    return found


def test_any_number_of_processes_may_run_to_their_own_limits(clock: Clock) -> None:
    quiet = Silence()
    slow = Slow(clock, quiet, 3600.0)
    for _ in range(5):
        WatchedSandbox(slow, quiet).run(Command(("/bin/prover",), wall_seconds=3600.0))
        clock.now += SLACK_SECONDS - 1
    assert slow.over == [False] * 5
    assert not quiet.is_over()


def test_a_process_that_outlives_its_limit_or_a_judge_that_does_nothing_is_taken_for_dead(clock: Clock) -> None:
    quiet = Silence()
    slow = Slow(clock, quiet, 60.0 + SLACK_SECONDS + 1)
    WatchedSandbox(slow, quiet).run(Command(("/bin/prover",), wall_seconds=60.0))
    assert slow.over == [True]
    assert not quiet.is_over()
    clock.now += SLACK_SECONDS + 1
    assert quiet.is_over()


def test_a_question_to_a_session_may_take_its_own_time_and_its_death_is_a_sign_too(clock: Clock) -> None:
    quiet = Silence()
    slow = Slow(clock, quiet, 700.0)
    session = WatchedSandbox(slow, quiet).open(Command(("/bin/prover",)))
    with pytest.raises(SessionDied):
        session.ask(b"?", b"!", 750.0)
    assert slow.over == [False]
    clock.now += SLACK_SECONDS - 1
    assert not quiet.is_over()
    assert (session.cpu_ms(), session.close()) == (7, ENDED)
