"""Policy and text work of the Rocq adapter, without a prover."""

from pathlib import Path

import pytest

from tests.provers.small_pack import small_pack
from verifier import engine
from verifier.core.finding import Finding
from verifier.core.reason import Reason
from verifier.provers.rocq import faults, messages, statements

PACK = small_pack()
CASES = sorted((Path(__file__).parents[1] / "corpora" / "rocq").glob("honest_*"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_honest_proofs_pass(case: Path) -> None:
    problem = PACK.problems[0]
    text = (case / "proof.v").read_text(encoding="utf-8")
    text = text.partition("P.\n")[2] if text.startswith("Lemma") else text
    assert engine.prover_of(PACK).lint(PACK, problem, text) == []


def test_restated_statement_is_cut_and_lines_are_counted() -> None:
    problem = PACK.problems[0]
    text = "(* mine *)\n" + problem.statement.replace(" ", "\n ", 1) + "\nProof. auto. Qed."
    split = engine.prover_of(PACK).split_statement(problem, text)
    assert split == ("\nProof. auto. Qed.", 2)
    changed = engine.prover_of(PACK).split_statement(problem, "Lemma other : True. exact I. Qed.")
    assert isinstance(changed, Finding)
    assert changed.reason is Reason.STATEMENT_CHANGED


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Lemma a : True.", "True"),
        ("Theorem a (n m : nat) {k} : n = m.", "forall (n m : nat) {k}, n = m"),
        ("Lemma a : forall x : nat, x :: nil = nil.", "forall x : nat, x :: nil = nil"),
        ("Lemma a (x := 1) : x = 1.", None),
    ],
)
def test_statement_as_a_proposition(statement: str, expected: str | None) -> None:
    assert statements.proposition(statement, "a") == expected
    assert statements.renamed(statement, "a", "b").split()[1] == "b"


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Error: The reference foo was not found in the current\nenvironment.", Reason.UNDEFINED_NAME),
        ('Error: Found no subterm matching "S m" in the current goal.', Reason.METHOD_FAILED),
        ("Error: (in proof a): Attempt to save an incomplete proof", Reason.GOALS_LEFT),
        ("Error: Tactic failure:  Cannot find witness.", Reason.METHOD_FAILED),
        ("Syntax error: ',' expected after [open_binders]", Reason.SYNTAX),
        ("Error: words nobody knows", Reason.UNCLASSIFIED),
    ],
)
def test_messages_map_to_reasons(message: str, reason: Reason) -> None:
    assert messages.classify(message) is reason


def test_the_distribution_s_release_has_the_published_faults() -> None:
    issues = {fault.issue.rpartition("#")[2] for fault in faults.known("8.16.1")}
    assert {"20413", "20455", "22386", "22389"} <= issues
    assert "20413" not in {fault.issue.rpartition("#")[2] for fault in faults.known("9.1.0")}
