"""What the engine makes of everything that a prover's process may do, played by a script."""

from dataclasses import replace

import pytest

from tests.engine import scripted
from tests.engine.scripted import ENVIRONMENT, LIMITS, ScriptedProver, ScriptedSandbox
from verifier import engine
from verifier.core.errors import PlatformFault
from verifier.core.reason import Reason
from verifier.core.result import ConfirmationResult, Place, ProofResult, ProofTask
from verifier.core.verdict import Verdict

PACK = scripted.pack(First=["a", "b"], Second=["c"])


@pytest.fixture
def prover(monkeypatch: pytest.MonkeyPatch) -> ScriptedProver:
    found = ScriptedProver()
    monkeypatch.setattr(engine, "REGISTRY", {"scripted": found})
    return found


@pytest.fixture
def sandbox(prover: ScriptedProver) -> ScriptedSandbox:
    return ScriptedSandbox()


def check(sandbox: ScriptedSandbox, *texts: str, **options) -> list[ProofResult]:
    """Proofs of problem `a`, one an attempt."""
    tasks = [ProofTask("a", attempt, text) for attempt, text in enumerate(texts, 1)]
    return list(engine.check(ENVIRONMENT, PACK, tasks, sandbox, LIMITS, **options))


def outcomes(results: list[ProofResult]) -> list[tuple[Verdict, Reason | None]]:
    return [(one.verdict, one.reason) for one in results]


def asked(sandbox: ScriptedSandbox) -> list[list[str]]:
    """What each session was asked, its greeting left out."""
    return [session.asked[1:] for session in sandbox.sessions]


def test_policy_speaks_first_then_units_positions_and_attempts_in_their_order(sandbox: ScriptedSandbox) -> None:
    started: list[tuple[str, int]] = []
    tasks = [
        ProofTask("c", 1, "proved"),
        ProofTask("b", 2, "failed"),
        ProofTask("b", 1, "proved"),
        ProofTask("a", 3, "refuse"),
        ProofTask("a", 1, "proved again"),
    ]
    results = list(
        engine.check(
            ENVIRONMENT, PACK, tasks, sandbox, LIMITS, lambda task: started.append((task.problem, task.attempt))
        )
    )
    order = [("a", 3), ("a", 1), ("b", 1), ("b", 2), ("c", 1)]
    assert [(one.problem, one.attempt) for one in results] == order
    assert started == order[1:]
    assert asked(sandbox) == [["proved again", "proved", "failed"], ["proved"]]
    assert all(session.closed for session in sandbox.sessions)


@pytest.mark.parametrize(
    ("text", "verdict", "reason"),
    [
        ("proved", Verdict.PROVED, None),
        ("failed", Verdict.FAILED, Reason.METHOD_FAILED),
        ("refuse", Verdict.REJECTED, Reason.CHEAT_WORD),
        ("wall", Verdict.TIMEOUT, Reason.WALL_TIME),
        ("cpu", Verdict.TIMEOUT, Reason.WALL_TIME),
        ("output", Verdict.RESOURCE, Reason.OUTPUT),
        ("memory", Verdict.RESOURCE, Reason.MEMORY),
        ("processes", Verdict.RESOURCE, Reason.PROCESSES),
        ("disk", Verdict.RESOURCE, Reason.DISK),
        ("crash", Verdict.RESOURCE, Reason.PROVER_CRASH),
        ("garbage", Verdict.INTERNAL, Reason.PROVER_BROKEN),
    ],
)
def test_every_behaviour_has_its_verdict_and_the_next_proof_goes_on(
    sandbox: ScriptedSandbox, text: str, verdict: Verdict, reason: Reason | None
) -> None:
    assert outcomes(check(sandbox, text, "proved")) == [(verdict, reason), (Verdict.PROVED, None)]
    assert all(session.closed for session in sandbox.sessions)


@pytest.mark.parametrize("text", ["crash", "memory", "processes", "disk"])
def test_a_death_that_may_be_the_session_s_is_tried_once_more_alone(sandbox: ScriptedSandbox, text: str) -> None:
    check(sandbox, "failed", text, "proved")
    assert asked(sandbox) == [["failed", text], [text], ["proved"]]


@pytest.mark.parametrize("text", ["wall", "cpu", "output"])
def test_a_limit_of_the_proof_itself_is_no_reason_for_a_second_try(sandbox: ScriptedSandbox, text: str) -> None:
    check(sandbox, "failed", text, "proved")
    assert asked(sandbox) == [["failed", text], ["proved"]]


def test_a_crash_that_does_not_come_back_is_not_held_against_the_proof(sandbox: ScriptedSandbox) -> None:
    assert outcomes(check(sandbox, "crash proved", "proved")) == [(Verdict.PROVED, None)] * 2
    assert asked(sandbox) == [["crash proved"], ["crash proved"], ["proved"]]


def test_a_proof_that_was_out_of_time_without_having_had_it_is_tried_once_more_alone(sandbox: ScriptedSandbox) -> None:
    first, second = check(sandbox, "starved proved", "starved")
    assert first.verdict is Verdict.PROVED
    assert (second.verdict, second.cpu_ms) == (Verdict.TIMEOUT, 103)
    assert asked(sandbox) == [["starved proved"], ["starved proved"], ["starved"], ["starved"]]


def test_a_timeout_on_the_second_try_is_a_timeout(sandbox: ScriptedSandbox) -> None:
    assert outcomes(check(sandbox, "crash wall")) == [(Verdict.TIMEOUT, Reason.WALL_TIME)]


def test_an_unknown_record_says_what_it_was_and_ends_its_session(sandbox: ScriptedSandbox) -> None:
    first, second = check(sandbox, "garbage", "proved")
    assert "garbage" in first.message
    assert second.verdict is Verdict.PROVED
    assert asked(sandbox) == [["garbage"], ["proved"]]


@pytest.mark.parametrize(
    ("openings", "reason"),
    [(["walls"], Reason.SANDBOX_FAILED), (["crash", "crash"], Reason.PROVER_BROKEN)],
)
def test_a_session_that_does_not_open_is_the_platform_s_fault_alone(
    sandbox: ScriptedSandbox, openings: list[str], reason: Reason
) -> None:
    sandbox.openings = openings
    assert outcomes(check(sandbox, "proved", "failed proved")) == [
        (Verdict.INTERNAL, reason),
        (Verdict.FAILED, Reason.METHOD_FAILED),
    ]


def test_one_death_at_the_opening_is_no_verdict_at_all(sandbox: ScriptedSandbox) -> None:
    sandbox.openings = ["crash"]
    assert outcomes(check(sandbox, "proved")) == [(Verdict.PROVED, None)]


def test_clocks_are_those_of_the_proof_alone(sandbox: ScriptedSandbox) -> None:
    first, second = check(sandbox, "proved", "failed")
    assert (first.wall_ms, first.cpu_ms) == (second.wall_ms, second.cpu_ms) == (4, 3)


def test_a_refusal_says_where_and_what_to_do(sandbox: ScriptedSandbox) -> None:
    (result,) = check(sandbox, "refuse")
    assert result.place == Place(2, 3)
    assert result.message == "It cheats. Do not."
    assert sandbox.sessions == []


def test_ground_truths_are_under_no_policy(sandbox: ScriptedSandbox) -> None:
    assert outcomes(check(sandbox, "proved refuse", linted=False)) == [(Verdict.PROVED, None)]


def test_what_the_pack_cannot_hold_is_the_benchmark_s_fault(sandbox: ScriptedSandbox) -> None:
    environment = scripted.refusing(ENVIRONMENT, "a")
    tasks = [ProofTask("a", 1, "proved"), ProofTask("gone", 1, "proved"), ProofTask("b", 1, "proved")]
    results = list(engine.check(environment, PACK, tasks, sandbox, LIMITS))
    assert outcomes(results) == [(Verdict.INTERNAL, Reason.PACK_BROKEN)] * 2 + [(Verdict.PROVED, None)]


def test_a_process_that_has_done_enough_is_followed_by_a_fresh_one(
    prover: ScriptedProver, sandbox: ScriptedSandbox
) -> None:
    prover.spent_after = 2
    check(sandbox, "proved", "failed", "proved it")
    assert asked(sandbox) == [["proved", "failed"], ["proved it"]]


def test_a_process_that_ends_over_what_only_adds_to_a_result_leaves_the_result(sandbox: ScriptedSandbox) -> None:
    failed = (Verdict.FAILED, Reason.METHOD_FAILED)
    assert outcomes(check(sandbox, "wordy", "proved")) == [failed, (Verdict.PROVED, None)]
    assert asked(sandbox) == [["wordy", "output"], ["proved"]]


@pytest.mark.parametrize(
    ("agreed", "reason", "outcome"),
    [
        (True, None, (Verdict.PROVED, None)),
        (False, Reason.KERNEL_FAULT_GUARD, (Verdict.REJECTED, Reason.KERNEL_FAULT_GUARD)),
        (False, None, (Verdict.INTERNAL, Reason.PROVER_BROKEN)),
        (None, None, (Verdict.INTERNAL, Reason.PROVER_BROKEN)),
    ],
)
def test_where_the_session_cannot_tell_the_second_look_decides_at_once(
    prover: ScriptedProver,
    sandbox: ScriptedSandbox,
    agreed: bool | None,
    reason: Reason | None,
    outcome: tuple[Verdict, Reason | None],
) -> None:
    prover.second_look = lambda task: ConfirmationResult(task.problem, task.attempt, agreed, "looked", reason=reason)
    results = check(sandbox, "unsure", "failed")
    assert outcomes(results) == [outcome, (Verdict.FAILED, Reason.METHOD_FAILED)]


def test_one_process_serves_every_unit_where_the_prover_can(prover: ScriptedProver, sandbox: ScriptedSandbox) -> None:
    prover.session_holds_all = True
    tasks = [ProofTask("c", 1, "failed"), ProofTask("a", 1, "proved")]
    list(engine.check(ENVIRONMENT, PACK, tasks, sandbox, LIMITS))
    assert asked(sandbox) == [["proved", "failed"]]


def test_a_check_that_is_stopped_ends_before_the_next_proof(sandbox: ScriptedSandbox) -> None:
    seen: list[ProofTask] = []
    results = list(
        engine.check(
            ENVIRONMENT,
            PACK,
            [ProofTask("a", attempt, "proved") for attempt in range(5)],
            sandbox,
            LIMITS,
            seen.append,
            lambda: len(seen) == 2,
        )
    )
    assert len(results) == len(seen) == 2
    assert all(session.closed for session in sandbox.sessions)


def test_a_prover_that_nobody_knows_is_named_with_those_that_are(prover: ScriptedProver) -> None:
    with pytest.raises(PlatformFault, match=r"script.*known are scripted"):
        engine.prover_of(replace(PACK, prover="other"))


def test_a_second_look_that_fails_on_one_unit_leaves_the_others_alone(
    prover: ScriptedProver, sandbox: ScriptedSandbox
) -> None:
    def second_look(task: ProofTask) -> ConfirmationResult:
        if task.problem == "a":
            raise PlatformFault("no room")
        return ConfirmationResult(task.problem, task.attempt, task.text == "right")

    prover.second_look = second_look
    tasks = [ProofTask("a", 1, "right"), ProofTask("c", 1, "right"), ProofTask("c", 2, "wrong"), ProofTask("x", 1, "")]
    found = {
        (one.problem, one.attempt): (one.agreed, one.reason)
        for one in engine.confirm(ENVIRONMENT, PACK, tasks, sandbox, LIMITS)
    }
    broken = (None, Reason.SANDBOX_FAILED)
    assert found == {("a", 1): broken, ("c", 1): (True, None), ("c", 2): (False, None), ("x", 1): (None, None)}
