"""The shipped Isabelle pack: enough problems of every kind, statements that do not drift, a session that builds."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from verifier.core import isar
from verifier.core.digest import digest_mapping
from verifier.core.problem import Split
from verifier.core.verdict import Verdict
from verifier.packs import load_pack
from verifier.packs.export import theory_masked

TREE = Path(__file__).parent.parent.parent
ROOT = TREE / "packs" / "minikernel-isabelle"
STATEMENTS = "a3aac8c22f3a05d6e3170b468d6077ba42aac4482dfed084a02e0e41edf3e74d"


@pytest.fixture(scope="module")
def pack():
    return load_pack("minikernel-isabelle", TREE / "packs")


def counted(pack, split):
    return Counter(problem.category for problem in pack.problems if problem.split is split)


def test_every_category_has_a_dozen_problems_and_five_demonstrations(pack):
    evaluation = counted(pack, Split.EVALUATION)
    assert sum(evaluation.values()) >= 80
    assert set(evaluation) == {"P1", "P2", "P3", "D"}
    assert min(evaluation.values()) >= 12
    assert counted(pack, Split.DEMONSTRATION) == {"P1": 5, "P2": 5, "P3": 5, "D": 5}


def test_statements_have_every_form(pack):
    scopes = {problem.scope for problem in pack.problems}
    assert {("cspace",), ("partitions",), ("isolated",), ("context",), ()} <= scopes
    statements = {problem.id: problem.statement for problem in pack.problems}
    assert statements["resolve_iff_walks"].startswith("lemma (in grounded_cspace) resolve_iff_walks:")
    assert "\n  obtains front later where" in statements["unqueue_split"]
    assert '\n    and "meet a b \\<preceq> b"' in statements["meet_lower"]
    assert "\n  fixes d :: 'd\n" in statements["isolated_reaches"]
    assert statements["unqueue_set"].startswith("lemma unqueue_set [simp]:")


def test_the_set_holds_every_evaluation_problem(pack):
    assert [member for member, _ in pack.sets[0].members] == [
        problem.id for problem in pack.problems if problem.split is Split.EVALUATION
    ]


def test_a_self_test_stands_for_every_verdict(pack):
    assert {case.expected for case in pack.selftests} == set(Verdict) - {Verdict.INTERNAL}


def test_statements_are_those_that_scores_were_computed_on(pack):
    assert digest_mapping({problem.id: problem.statement for problem in pack.problems}) == STATEMENTS


def test_no_theory_gives_a_proof_up_or_reaches_for_an_axiom(pack):
    for unit in pack.units:
        text = (ROOT / "theories" / f"{unit}.thy").read_text()
        assert all(fact.finished for fact in isar.stated(text)), unit
        assert not {"axiomatization", "oracle", "sorry", "ML", "setup"} & set(text.split()), unit


def test_teams_get_theories_without_the_proofs_that_count(pack):
    masked, _ = theory_masked(pack, "Authority")
    facts = {fact.name: fact for fact in isar.stated(masked)}
    assert not facts["authority_confinement"].finished
    assert facts["holds_names"].finished
    proofs = [p.ground_truth for p in pack.problems if p.unit == "Authority" and p.category in {"P3", "D"}]
    assert not any(proof in masked for proof in proofs)


def test_samples_are_what_the_script_writes(pack, tmp_path):
    shutil.copytree(ROOT, tmp_path / "minikernel-isabelle", ignore=shutil.ignore_patterns("proofs.jsonl"))
    subprocess.run(
        [sys.executable, str(TREE / "deploy" / "isabelle_samples.py"), str(tmp_path / "minikernel-isabelle")],
        check=True,
        timeout=60,
    )
    systems = sorted(path.name for path in (ROOT / "samples").iterdir())
    assert systems == ["auto", "blast", "fastforce", "induct-auto", "portfolio", "reference", "simp"]
    members = {member for member, _ in pack.sets[0].members}
    for system in systems:
        sent = (ROOT / "samples" / system / "proofs.jsonl").read_bytes()
        assert sent == (tmp_path / "minikernel-isabelle" / "samples" / system / "proofs.jsonl").read_bytes(), system
        rows = [json.loads(line) for line in sent.splitlines()]
        assert {row["problem"] for row in rows} <= members
        assert {row["attempt"] for row in rows} <= ({0} if system in {"portfolio", "reference"} else {0, 1, 2, 3, 4, 5})


@pytest.mark.integration
@pytest.mark.isabelle
@pytest.mark.skipif(shutil.which("isabelle") is None, reason="there is no isabelle on PATH")
def test_the_session_builds_as_any_user_would_build_it(tmp_path):
    done = subprocess.run(
        ["isabelle", "build", "-d", str(ROOT / "theories"), "-o", "document=false", "Minikernel"],
        env={**os.environ, "HOME": str(tmp_path)}, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
