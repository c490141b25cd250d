"""How the engine hands proofs to a prover's independent look."""

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.engine import scripted
from tests.engine.scripted import ENVIRONMENT, ScriptedProver, ScriptedSandbox
from verifier import engine
from verifier.core.errors import PlatformFault
from verifier.core.result import ConfirmationResult, ProofTask
from verifier.provers.base import BuiltEnvironment

PACK = scripted.pack(First=["a", "b"])


class Auditor(ScriptedProver):
    """Agrees with everything but `refused`, keeps what it was handed together, and fails on `broken`."""

    handed: list[list[tuple[str, int]]]
    workspaces: list[Path]

    def audit(self, environment, pack, tasks: Sequence[ProofTask], workspace: Path, run) -> list[ConfirmationResult]:
        assert not list(workspace.iterdir())
        self.workspaces.append(workspace)
        self.handed.append([(task.problem, task.attempt) for task in tasks])
        if any(task.text == "broken" for task in tasks):
            raise PlatformFault("no room")
        return [ConfirmationResult(task.problem, task.attempt, task.text != "refused") for task in tasks]


@pytest.fixture
def auditor(monkeypatch: pytest.MonkeyPatch) -> Auditor:
    found = Auditor()
    found.handed, found.workspaces = [], []
    monkeypatch.setattr(engine, "REGISTRY", {"scripted": found})
    return found


@pytest.fixture
def environment(tmp_path: Path) -> BuiltEnvironment:
    return replace(ENVIRONMENT, folder=tmp_path / ENVIRONMENT.digest)


def looked(environment: BuiltEnvironment, *tasks: ProofTask) -> list[tuple[str, int, bool | None]]:
    found = engine.audit(environment, PACK, tasks, ScriptedSandbox())
    return [(one.problem, one.attempt, one.agreed) for one in found]


def test_of_each_problem_one_proof_at_a_time_is_handed_over(auditor: Auditor, environment: BuiltEnvironment) -> None:
    tasks = [ProofTask("a", 1, "x"), ProofTask("a", 2, "refused"), ProofTask("b", 1, "x"), ProofTask("b", 2, "x")]
    assert sorted(looked(environment, *tasks)) == [
        ("a", 1, True), ("a", 2, False), ("b", 1, True), ("b", 2, True)
    ]  # fmt: skip
    assert auditor.handed == [[("a", 1), ("b", 1)], [("a", 2), ("b", 2)]]


def test_a_fault_leaves_its_own_round_open_and_no_other(auditor: Auditor, environment: BuiltEnvironment) -> None:
    found = looked(environment, ProofTask("a", 1, "broken"), ProofTask("b", 1, "x"), ProofTask("a", 2, "x"))
    assert found == [("a", 1, None), ("b", 1, None), ("a", 2, True)]


def test_nothing_is_left_behind_and_what_a_killed_worker_left_is_removed_after_a_day(
    auditor: Auditor, environment: BuiltEnvironment
) -> None:
    place = environment.folder.parent
    old, running, other = place / ".audit-old", place / ".audit-running", place / ("d" * 64)
    for folder in (old, running, other):
        folder.mkdir()
        (folder / "proof.thy").write_text("lemma")
    days_ago = time.time() - 2 * 24 * 3600
    os.utime(old, (days_ago, days_ago))
    os.utime(other, (days_ago, days_ago))
    looked(environment, ProofTask("a", 1, "x"))
    assert not any(folder.exists() for folder in auditor.workspaces)
    assert {folder.name for folder in place.iterdir()} == {running.name, other.name}
