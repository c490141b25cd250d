"""Every case of the corpus gets its verdict from the real prover, behind all walls, by the engine."""

import tomllib
from pathlib import Path

import pytest

from tests.provers.small_pack import small_pack
from verifier import engine, store
from verifier.core.digest import digest_mapping
from verifier.core.finding import Finding
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
    sandbox = Bubblewrap(SANDBOX_UID)
    found = engine.toolchain(PACK, sandbox)
    digest = digest_mapping(engine.prover_of(PACK).recipe(PACK, found))
    root = tmp_path_factory.mktemp("environments")
    return store.save(root, digest, lambda folder: engine.build(PACK, found, folder, sandbox, lambda _: None))


@pytest.fixture(scope="module")
def results(environment: BuiltEnvironment) -> dict[str, ProofResult]:
    """All cases through one run of the engine: each must be unharmed by its neighbours."""
    tasks, names, found = [], {}, {}
    for number, case in enumerate(CASES):
        problem = PACK.problem(expected(case)["problem"])
        assert problem is not None
        text = (case / "proof.v").read_bytes().decode().replace("\r\n", "\n")
        split = engine.prover_of(PACK).split_statement(problem, text)
        if isinstance(split, Finding):
            reason = split.reason
            assert reason is not None
            found[case.name] = ProofResult(problem.id, number, REASONS[reason].verdict, reason)
            continue
        tasks.append(ProofTask(problem.id, number, split[0]))
        names[number] = case.name
    open_environment = BuiltEnvironment(**{**fields(environment), "refused": {}})
    for result in engine.check(open_environment, PACK, tasks, Bubblewrap(SANDBOX_UID), PACK.limits):
        found[names[result.attempt]] = result
    return found


def fields(environment: BuiltEnvironment) -> dict[str, object]:
    return {name: getattr(environment, name) for name in environment.__dataclass_fields__}


def expected(case: Path) -> dict[str, str]:
    return tomllib.loads((case / "expected.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_gets_its_verdict(case: Path, results: dict[str, ProofResult]) -> None:
    wanted, result = expected(case), results[case.name]
    assert str(result.verdict) == wanted.get("verdict", str(result.verdict)), result
    assert (str(result.reason) if result.reason else "") == wanted.get("reason", str(result.reason or "")), result
    assert case.name.startswith("honest_") or str(result.verdict) not in {"proved", "internal"}, result


def test_honest_proofs_are_confirmed(environment: BuiltEnvironment, results: dict[str, ProofResult]) -> None:
    tasks = []
    for number, case in enumerate(CASES):
        if case.name.startswith("honest_"):
            problem = PACK.problem(expected(case)["problem"])
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
    assert set(environment.refused) == {"impossible", "false_goal"}
