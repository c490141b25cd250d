"""The shipped Rocq pack: enough problems of every kind, statements that do not drift, theories free of axioms."""

import json
import shutil
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from verifier.core.digest import digest_mapping
from verifier.core.problem import Split
from verifier.core.verdict import Verdict
from verifier.packs import load_pack

PACKS = Path(__file__).parent.parent.parent / "packs"
ROOT = PACKS / "minikernel-rocq"
STATEMENTS = "02d454ea87e51a82abe744fb4926b862db03eadd9a00773fa3a2020126cdb15c"


@pytest.fixture(scope="module")
def pack():
    return load_pack("minikernel-rocq", PACKS)


def counted(pack, split):
    return Counter(problem.category for problem in pack.problems if problem.split is split)


def test_every_category_has_a_dozen_problems_and_five_demonstrations(pack):
    evaluation = counted(pack, Split.EVALUATION)
    assert sum(evaluation.values()) >= 70
    assert set(evaluation) == {"P1", "P2", "P3", "D"}
    assert min(evaluation.values()) >= 12
    assert counted(pack, Split.DEMONSTRATION) == {"P1": 5, "P2": 5, "P3": 5, "D": 5}


def test_some_problems_stand_in_sections_and_some_in_modules(pack):
    scopes = Counter("/".join(problem.scope) for problem in pack.problems)
    assert any("Rights" in scope for scope in scopes)
    assert any("Observers" in scope for scope in scopes)
    assert any("Partitions" in scope and "Isolated" in scope for scope in scopes)


def test_the_set_holds_every_evaluation_problem(pack):
    assert [member for member, _ in pack.sets[0].members] == [
        problem.id for problem in pack.problems if problem.split is Split.EVALUATION
    ]


def test_a_self_test_stands_for_every_verdict(pack):
    assert {case.expected for case in pack.selftests} == set(Verdict) - {Verdict.INTERNAL}


def test_statements_are_those_that_scores_were_computed_on(pack):
    assert digest_mapping({problem.id: problem.statement for problem in pack.problems}) == STATEMENTS


@pytest.mark.parametrize("system", ["portfolio", "induct-and-simplify", "script-writer"])
def test_every_sample_proof_has_an_expected_verdict(pack, system):
    lines = (ROOT / "samples" / system / "proofs.jsonl").read_text().splitlines()
    sent = {(row["problem"], str(row["attempt"])) for row in map(json.loads, lines)}
    expected = tomllib.loads((ROOT / "samples" / system / "expected.toml").read_text())
    assert sent == {(problem, attempt) for problem, verdicts in expected.items() for attempt in verdicts}
    assert {verdict for verdicts in expected.values() for verdict in verdicts.values()} >= {"proved", "failed"}


@pytest.mark.rocq
def test_all_theories_compile_and_rest_on_no_axiom(pack, tmp_path):
    for unit in pack.units:
        shutil.copy(ROOT / "theories" / f"{unit}.v", tmp_path)
    names = [
        ".".join((problem.unit, *(["Rights"] if "Rights" in problem.scope else []), problem.lemma))
        for problem in pack.problems
    ]
    lines = [f"From MinikernelRocq Require {' '.join(pack.units)}."]
    lines += [f"Definition all_{at} := @{name}." for at, name in enumerate(names)]
    lines += [f"Definition all := ({', '.join(f'all_{at}' for at in range(len(names)))}).", "Print Assumptions all."]
    (tmp_path / "Axioms.v").write_text("\n".join(lines))
    for unit in (*pack.units, "Axioms"):
        done = subprocess.run(
            ["coqc", "-q", "-Q", ".", "MinikernelRocq", f"{unit}.v"],
            cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "Closed under the global context"
