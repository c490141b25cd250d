"""Every case of the corpus gets its verdict from the real prover, behind all walls, by the engine."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.provers import rocq_environment
from tests.provers.small_pack import small_pack
from verifier import engine
from verifier.core.finding import Finding
from verifier.core.limits import Limits
from verifier.core.reason import REASONS
from verifier.core.result import ProofResult, ProofTask
from verifier.provers.base import BuiltEnvironment
from verifier.sandbox.bubblewrap import Bubblewrap

pytestmark = [pytest.mark.integration, pytest.mark.rocq]
CASES = sorted((Path(__file__).parents[1] / "corpora" / "rocq").iterdir())
PACK = small_pack()
SANDBOX_UID = 61901


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> BuiltEnvironment:
    return rocq_environment.built(tmp_path_factory.mktemp("environments"), SANDBOX_UID)


@pytest.fixture(scope="module")
def results(environment: BuiltEnvironment) -> dict[str, ProofResult]:
    """All cases through one run of the engine, unharmed by their neighbours; a case with its own limit runs apart."""
    together, apart, names, found = [], [], {}, {}
    for number, case in enumerate(CASES):
        problem = PACK.problem(str(expected(case)["problem"]))
        assert problem is not None
        text = (case / "proof.v").read_bytes().decode().replace("\r\n", "\n")
        split = engine.prover_of(PACK).split_statement(problem, text)
        if isinstance(split, Finding):
            reason = split.reason
            assert reason is not None
            found[case.name] = ProofResult(problem.id, number, REASONS[reason].verdict, reason)
            continue
        (apart if "memory_mb" in expected(case) else together).append(ProofTask(problem.id, number, split[0]))
        names[number] = case.name
    limits = [(together, PACK.limits)]
    limits += [([task], own_limits(expected(CASES[task.attempt]))) for task in apart]
    for tasks, limit in limits:
        environment_open = rocq_environment.opened(environment)
        for result in engine.check(environment_open, PACK, tasks, Bubblewrap(SANDBOX_UID), limit):
            found[names[result.attempt]] = result
    return found


def own_limits(wanted: dict[str, object]) -> Limits:
    """A small memory limit that is hit long before the clock, however busy the machine is."""
    return replace(PACK.limits, wall_seconds=120, memory_bytes=int(str(wanted["memory_mb"])) * 2**20)


def expected(case: Path) -> dict[str, object]:
    return tomllib.loads((case / "expected.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_gets_its_verdict(case: Path, results: dict[str, ProofResult]) -> None:
    wanted, result = expected(case), results[case.name]
    assert str(result.verdict) == wanted["verdict"], result
    assert (str(result.reason) if result.reason else "") == wanted.get("reason", ""), result
    assert case.name.startswith("honest_") or wanted["verdict"] not in {"proved", "internal"}


UNGUARDED = [case for case in CASES if "unguarded" in expected(case)]


def test_attacks_on_known_faults_are_real_where_the_release_has_the_fault(environment: BuiltEnvironment) -> None:
    """Without policy the release with the fault takes them: each guard has something to guard against."""
    issues = {fault.issue.rpartition("#")[2] for fault in environment.faults}
    cases = [case for case in UNGUARDED if case.name.removeprefix("fault_") in issues]
    if not cases:
        pytest.skip(f"{environment.version} has none of the faults that were run to a proof of False")
    tasks = [
        ProofTask(str(expected(case)["problem"]), number, (case / "proof.v").read_text(encoding="utf-8"))
        for number, case in enumerate(cases)
    ]
    open_environment = rocq_environment.opened(environment)
    found = engine.check(open_environment, PACK, tasks, Bubblewrap(SANDBOX_UID), PACK.limits, linted=False)
    got = {cases[one.attempt].name: str(one.verdict) for one in found}
    assert got == {case.name: expected(case)["unguarded"] for case in cases}


def test_honest_proofs_are_confirmed(environment: BuiltEnvironment, results: dict[str, ProofResult]) -> None:
    tasks = []
    for number, case in enumerate(CASES):
        if case.name.startswith("honest_"):
            problem = PACK.problem(str(expected(case)["problem"]))
            assert problem is not None
            split = engine.prover_of(PACK).split_statement(problem, (case / "proof.v").read_text(encoding="utf-8"))
            assert not isinstance(split, Finding)
            tasks.append(ProofTask(problem.id, number, split[0]))
    bad = ProofTask("conj_swap", 999, "intros P Q H. exact H. Qed.")
    seen = {
        c.attempt: c for c in engine.confirm(environment, PACK, [*tasks, bad], Bubblewrap(SANDBOX_UID), PACK.limits)
    }
    assert seen.pop(999).agreed is False
    assert {attempt: c.message for attempt, c in seen.items() if c.agreed is not True} == {}


def test_a_problem_without_an_accepted_ground_truth_is_kept_out(environment: BuiltEnvironment) -> None:
    assert set(environment.refused) == {"impossible", "false_goal", "grown"}
    assert "functor" in environment.refused["grown"]
