"""Every row of the map from Rocq's words to reasons is provoked in the real prover by its own case."""

import tomllib
from pathlib import Path

import pytest

from tests.provers import rocq_environment
from tests.provers.small_pack import small_pack
from verifier import engine
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ProofResult, ProofTask
from verifier.core.verdict import ErrorClass
from verifier.provers.rocq import messages
from verifier.sandbox.bubblewrap import Bubblewrap

ROOT = Path(__file__).parents[1] / "corpora" / "rocq-messages"
PACK = small_pack()
SANDBOX_UID = 61903
NOT_PROVOKED = {
    "memory": "the process is ended at its limit before the prover can say so, and the engine tells that end",
}
PROVOKED = sorted(row.name for row in messages.ROWS if row.name not in NOT_PROVOKED)


def test_every_row_has_its_case_and_every_case_its_row() -> None:
    names = [row.name for row in messages.ROWS]
    assert len(names) == len(set(names))
    assert sorted(folder.name for folder in ROOT.iterdir()) == PROVOKED
    assert set(NOT_PROVOKED) <= set(names)


def expected(name: str) -> dict[str, object]:
    return tomllib.loads((ROOT / name / "expected.toml").read_text(encoding="utf-8"))


def task(name: str, number: int) -> ProofTask:
    return ProofTask(str(expected(name)["problem"]), number, (ROOT / name / "proof.v").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ProofResult]:
    environment = rocq_environment.opened(rocq_environment.built(tmp_path_factory.mktemp("environments"), SANDBOX_UID))
    found: dict[str, ProofResult] = {}
    for linted in (True, False):
        tasks = [task(name, at) for at, name in enumerate(PROVOKED) if expected(name).get("policy", True) is linted]
        for one in engine.check(environment, PACK, tasks, Bubblewrap(SANDBOX_UID), PACK.limits, linted=linted):
            found[PROVOKED[one.attempt]] = one
    return found


@pytest.mark.integration
@pytest.mark.rocq
@pytest.mark.parametrize("name", PROVOKED)
def test_the_prover_says_what_the_row_knows(name: str, results: dict[str, ProofResult]) -> None:
    row = messages.row_of(results[name].message)
    assert row is not None, results[name]
    assert row.name == name, results[name]
    assert results[name].verbatim
    reason = results[name].reason
    refined = row.reason is Reason.UNDEFINED_NAME and reason is not None
    assert reason is row.reason or (refined and REASONS[reason].error_class is ErrorClass.UNDEFINED), results[name]
