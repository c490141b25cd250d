"""Policy and text work of the Rocq adapter, without a prover."""

from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.provers.small_pack import small_pack
from verifier import engine
from verifier.core.finding import Consequence, Finding
from verifier.core.reason import Reason
from verifier.provers.rocq import faults, messages, statements, wordguard
from verifier.provers.rocq.adapter import RocqProver

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


@pytest.mark.parametrize(
    ("release", "refused"),
    [
        ("", {"fix", "machine", "shift", "abstract"}),
        ("8.16.1", {"fix", "machine", "shift", "abstract"}),
        ("8.20.1", {"fix", "machine", "abstract"}),
        ("9.0.0", {"fix", "machine"}),
        ("9.2.1", {"fix", "machine"}),
        ("9.3+rc1", {"fix", "machine"}),
        ("9.3.0", {"machine"}),
        ("10.0", {"machine"}),
    ],
)
def test_a_word_is_refused_only_where_the_release_has_a_fault_that_it_reaches(release: str, refused: set[str]) -> None:
    texts = {
        "fix": "fix self 1. Qed.",
        "machine": "change_no_check True. vm_compute. Qed.",
        "shift": "rewrite (addmuldiv 1). vm_compute. Qed.",
        "abstract": "Proof using. abstract auto. Qed.",
    }
    prover = RocqProver().for_release(release)
    assert {name for name, text in texts.items() if prover.lint(PACK, PACK.problems[0], text)} == refused
    assert all(prover.lint(PACK, PACK.problems[0], f"{text} 1_fix. admit.") for text in texts.values())


def test_every_guard_is_told_with_the_faults_that_it_closes() -> None:
    page = (Path(__file__).parents[2] / "docs" / "provers" / "rocq.md").read_text(encoding="utf-8")
    for fault in faults.TABLE:
        assert fault.issue in page, f"{fault.issue} is not on the page of the prover"


WORDS = ["fix", "cofix", "admit", "1", "_", "'", "x", " ", "\n", "(*", "*)", '"', "é", "context K [", "vm_compute"]
WORDS += [
    "exact_no_check",
    "addmuldiv",
    "Proof using.",
    "abstract",
    "0x1F",
    "2e3",
    "fixed",
    "H12",
    "give_up",
    "Abort",
    "@",
    "?",
]


@example('apply (@"x" ?y)')
@settings(max_examples=200)
@given(st.lists(st.sampled_from(WORDS), max_size=14).map("".join))
def test_the_short_look_at_the_raw_text_lets_nothing_pass_that_a_reading_would_refuse(text: str) -> None:
    if wordguard._is_harmless(text):
        with patch.object(wordguard, "_is_harmless", return_value=False):
            assert list(wordguard.findings(text, frozenset(faults.Guard))) == []


def test_a_proof_of_nothing_but_commands_is_told_of_five_and_that_there_are_more() -> None:
    found = RocqProver().lint(PACK, PACK.problems[0], "Lia. Check nat. " + "Search nat. " * 48)
    assert [one.column for one in found] == [1, 6, 17, 29, 41, 53]
    assert "`Lia` is not allowed" in found[0].message
    assert "There is more in this proof" in found[-1].message


def test_what_is_open_at_the_end_is_told_alone_however_much_stands_before_it() -> None:
    (found,) = RocqProver().lint(PACK, PACK.problems[0], "Check nat. " * 50 + "\n(* auto.")
    assert (found.reason, found.line) == (Reason.UNCLOSED, 2)


def test_a_proof_of_nothing_but_refused_words_is_told_of_the_first_of_them() -> None:
    words = " ".join(f"{number}_" for number in range(700, 100, -1))
    found = RocqProver().lint(PACK, PACK.problems[0], f"auto {words} admit.")
    assert [one.column for one in found] == [6, 11, 16, 21, 26, 31]
    assert "`700_` starts as a number" in found[0].message


def test_a_bad_character_behind_crlf_is_placed_where_it_stands() -> None:
    (found,) = RocqProver().lint(PACK, PACK.problems[0], "intros.\r\n\r\nauto\x07. Qed.")
    assert (found.reason, found.line, found.column) == (Reason.BAD_CHARACTER, 3, 5)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Proof.\n  auto. (* Qed. *)\n", (2, 7)),
        ("auto", None),
        ("auto. myQed.", (1, 12)),
        ('idtac "Qed.".', (1, 13)),
        ("auto. Qed (* c *) . (* d *)", None),
        ("{ auto. }Defined.\n\n", None),
    ],
)
def test_a_proof_without_its_end_is_told_of_and_not_refused(text: str, place: tuple[int, int] | None) -> None:
    found = RocqProver().lint(PACK, PACK.problems[0], text)
    told = [one for one in found if one.consequence is Consequence.FAILING]
    assert [(one.line, one.column) for one in told] == ([] if place is None else [place])
    assert all(one.reason is None and "`Qed.`" in one.remedy for one in told)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("auto. Qed.\n(* fine *)\n- auto.", 3, "The text goes on after the proof has ended."),
        ("auto.\nProof.\nauto. Qed.", 2, "`Proof` stands in the middle of the proof."),
        ("(* a *)\nProof (fun x => x).", 2, "`Proof` gives a term."),
        ("par: auto. Qed.", 1, "`par:` starts further prover processes."),
        ("2: Check nat. Qed.", 1, "`Check` is not allowed in a proof."),
        ("[᷀C]: Show. Qed.", 1, "`Show` is not allowed in a proof."),
        ("all : (* a *) Show. Qed.", 1, "`Show` is not allowed in a proof."),
        ("{ } - Print. Qed.", 1, "`Print` is not allowed in a proof."),
        ("auto (* a *) . #[local] Lemma x : True. Qed.", 1, "`#[...]` is not allowed in a proof."),
    ],
)
def test_commands_are_found_among_plain_tactics(text: str, line: int, message: str) -> None:
    found = RocqProver().lint(PACK, PACK.problems[0], text)
    assert [(one.line, one.message) for one in found] == [(line, message)]
