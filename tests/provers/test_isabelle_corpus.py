"""Every case of the corpus gets its verdict from the real prover, behind all walls, by the engine."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.provers.isabelle_pack import CORPUS, LIMITS, SANDBOX_UID, cases, expected, isabelle_pack, judged, read
from verifier import engine
from verifier.core.limits import Limits
from verifier.core.reason import Reason
from verifier.core.result import ProofResult, ProofTask
from verifier.core.verdict import ErrorClass, Verdict
from verifier.provers.base import BuiltEnvironment
from verifier.provers.isabelle.messages import ROWS, classify
from verifier.sandbox.bubblewrap import Bubblewrap

pytestmark = [pytest.mark.integration, pytest.mark.isabelle]
ATTACKS, HONEST, MESSAGES = cases("attacks"), cases("honest"), cases("messages")
PACK = isabelle_pack()
FALSE = frozenset(problem.id for problem in PACK.problems if problem.unit == "Attacked") - {"inside"}
PATIENT = replace(LIMITS, wall_seconds=60.0)  # for what must be accepted however busy the machine is


@pytest.fixture(scope="module")
def attacks(isabelle_environment: BuiltEnvironment) -> dict[str, ProofResult]:
    """A case with a limit of its own runs apart."""
    own = [case for case in ATTACKS if own_limits(case) != LIMITS]
    found = judged(isabelle_environment, [case for case in ATTACKS if case not in own])
    for case in own:
        found |= judged(isabelle_environment, [case], limits=own_limits(case))
    return found


def own_limits(case: Path) -> Limits:
    """A small limit on output or memory that is hit long before the clock, however busy the machine is."""
    wanted = expected(case)
    if "output_kb" in wanted:
        return replace(LIMITS, wall_seconds=120.0, output_bytes=int(wanted["output_kb"]) * 1024)
    if "memory_mb" in wanted:
        return replace(LIMITS, wall_seconds=600.0, memory_bytes=int(wanted["memory_mb"]) * 2**20)
    return LIMITS


@pytest.fixture(scope="module")
def honest(isabelle_environment: BuiltEnvironment) -> dict[str, ProofResult]:
    return judged(isabelle_environment, HONEST, limits=PATIENT)


@pytest.fixture(scope="module")
def messages(isabelle_environment: BuiltEnvironment) -> dict[str, ProofResult]:
    return judged(isabelle_environment, MESSAGES, linted=False, limits=PATIENT)


def test_every_ground_truth_is_accepted_in_isolation(isabelle_environment: BuiltEnvironment) -> None:
    assert dict(isabelle_environment.refused) == {}


@pytest.mark.parametrize("case", ATTACKS, ids=lambda case: case.name)
def test_attack_gets_its_verdict(case: Path, attacks: dict[str, ProofResult]) -> None:
    wanted, result = expected(case), attacks[case.name]
    assert str(result.verdict) == wanted["verdict"], result
    assert "reason" not in wanted or str(result.reason) == wanted["reason"], result


def test_no_false_statement_is_proved_even_without_the_scanner(isabelle_environment: BuiltEnvironment) -> None:
    aimed = [case for case in ATTACKS if expected(case)["problem"] in FALSE and is_worth_running(case)]
    assert len(aimed) > 60
    found = judged(isabelle_environment, aimed, linted=False)
    assert {name for name, result in found.items() if result.verdict is Verdict.PROVED} == set()
    assert {name for name, result in found.items() if result.verdict is Verdict.INTERNAL} == set()


def is_worth_running(case: Path) -> bool:
    """Whether anything reaches the driver once the scanner is out of the way."""
    return isinstance(read(PACK, case, 0), ProofTask) and expected(case)["verdict"] not in {"timeout", "resource"}


@pytest.mark.parametrize("case", HONEST, ids=lambda case: case.name)
def test_honest_proof_is_accepted(case: Path, honest: dict[str, ProofResult]) -> None:
    assert honest[case.name].verdict is Verdict.PROVED, honest[case.name]


def test_honest_proofs_are_confirmed_and_a_false_one_is_not(isabelle_environment: BuiltEnvironment) -> None:
    tasks = [task for number, case in enumerate(HONEST) if isinstance(task := read(PACK, case, number), ProofTask)]
    assert len(tasks) == len(HONEST)
    bad = ProofTask("dbl_rev", 999, "by (rule refl)")
    sandbox = Bubblewrap(SANDBOX_UID)
    seen = {c.attempt: c for c in engine.confirm(isabelle_environment, PACK, [*tasks, bad], sandbox, PATIENT)}
    assert seen.pop(999).agreed is False
    assert {attempt: c.message for attempt, c in seen.items() if c.agreed is not True} == {}


@pytest.mark.parametrize("case", MESSAGES, ids=lambda case: case.name)
def test_message_is_provoked_and_read_by_its_row(case: Path, messages: dict[str, ProofResult]) -> None:
    result = messages[case.name]
    first = result.message.partition("\n")[0]
    row = next((row for row in ROWS if row.pattern.match(first)), None)
    assert row is not None, result
    assert row.name == case.name, result
    assert result.reason is classify(result.message), result


def test_the_failing_command_is_found_in_the_submitted_text(isabelle_environment: BuiltEnvironment) -> None:
    text = '(* größer *) proof -\n  have "x ∧ y ⟹ x" by blast\n  then show ?thesis using nowhere by simp\nqed'
    task = ProofTask("drinkers", 1, text)
    (result,) = engine.check(isabelle_environment, PACK, [task], Bubblewrap(SANDBOX_UID), PATIENT)
    assert str(result.reason) == "undefined_fact"
    assert result.place is not None
    lines = text.split("\n")
    assert result.place.line == 3
    assert lines[2][result.place.column - 1 :].startswith("using nowhere")
    assert result.message == 'Undefined fact: "nowhere" (line 3)'


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("using dbl_lenght by simp", "dbl_length"),
        ("by (simp add: Lists.dbl_appendd)", "dbl_append"),
        ("by autoo", "auto"),
        ("using refl [simpp] by simp", "simp"),
        ('proof - have "Lists.dbll xs = xs" by simp qed', "dbl"),
        ("using foo by simp", None),
    ],
)
def test_for_a_name_that_does_not_exist_the_three_nearest_that_do_are_offered(
    isabelle_environment: BuiltEnvironment, text: str, near: str | None
) -> None:
    task = ProofTask("dbl_rev", 1, text)
    (result,) = engine.check(isabelle_environment, PACK, [task], Bubblewrap(SANDBOX_UID), PATIENT)
    assert result.error_class is ErrorClass.UNDEFINED
    assert len(result.near) == 3
    assert near is None or result.near[0].name == near
    assert result.reason is not Reason.UNDEFINED_FACT or all(fact.says for fact in result.near)


def test_an_instance_of_an_oracle_is_accepted_where_its_problem_permits_it_and_nowhere_else(
    isabelle_environment: BuiltEnvironment,
) -> None:
    sandbox, tasks = (
        Bubblewrap(SANDBOX_UID),
        [ProofTask(name, 1, "using claimed by simp") for name in ("target", "in_the_open")],
    )

    def verdicts(*permitted: str) -> tuple[list[str], str]:
        problems = [replace(one, permitted_axioms=permitted) if one.id == "target" else one for one in PACK.problems]
        pack = replace(PACK, problems=tuple(problems))
        results = list(engine.check(isabelle_environment, pack, tasks, sandbox, PATIENT))
        looks = engine.confirm(isabelle_environment, pack, tasks, sandbox, PATIENT)
        assert [look.agreed for look in looks] == [result.verdict is Verdict.PROVED for result in results]
        return [str(result.verdict) for result in results], results[-1].message

    refused, message = verdicts()
    instance = message.rpartition(" ")[2]
    assert refused == ["failed", "failed"]
    assert re.fullmatch(r"Lists\.claim@[0-9a-f]{40}", instance)
    assert verdicts(instance)[0] == ["proved", "failed"]
    other = instance.translate(str.maketrans("0123456789abcdef", "123456789abcdef0"))
    assert verdicts("Lists.claim", "Lists.claim@-", other)[0] == ["failed", "failed"]


def test_the_same_proof_twice_is_run_twice(isabelle_environment: BuiltEnvironment) -> None:
    tasks = [ProofTask("drinkers", attempt, "by blast") for attempt in (1, 2)]
    results = list(engine.check(isabelle_environment, PACK, tasks, Bubblewrap(SANDBOX_UID), PATIENT))
    assert [result.verdict for result in results] == [Verdict.PROVED] * 2
    assert results[0].evidence["nonce"] != results[1].evidence["nonce"]


def test_a_heap_that_was_changed_judges_nothing(isabelle_environment: BuiltEnvironment) -> None:
    changed = replace(isabelle_environment, images=dict.fromkeys(isabelle_environment.images, "0" * 64))
    tasks = [ProofTask("drinkers", 1, "by blast")]
    (result,) = engine.check(changed, PACK, tasks, Bubblewrap(SANDBOX_UID), PATIENT)
    assert result.verdict is Verdict.INTERNAL
    assert "was changed" in result.message


def test_a_session_can_write_nothing_that_another_reads(isabelle_environment: BuiltEnvironment) -> None:
    plan = engine.prover_of(PACK).session(isabelle_environment, PACK, "Lists", LIMITS)
    assert not plan.command.writable
    heaps = [inside for inside in plan.command.readonly.values() if "heaps" in inside]
    assert len(heaps) >= 3  # Pure, HOL, the pack's image


def test_corpus_is_where_the_tests_look() -> None:
    assert CORPUS.is_dir()
    assert min(len(ATTACKS), len(HONEST), len(MESSAGES)) > 50
