"""Policy and text work of the Isabelle adapter, without a prover."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.provers.isabelle_pack import CORPUS, UNITS, cases, expected, isabelle_pack, read
from verifier import engine
from verifier.core import isar
from verifier.core.finding import Finding
from verifier.core.isar_lexer import SYMBOL
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ProofResult, ProofTask
from verifier.core.verdict import Verdict
from verifier.provers.isabelle import keywords, messages, policy, statements, symbols

PACK = isabelle_pack()
STATEMENT = 'lemma swapped:\n  assumes "A" and "B"\n  shows "B \\<and> A"'


@pytest.mark.parametrize("case", cases("honest"), ids=lambda case: case.name)
def test_honest_proof_passes(case: Path) -> None:
    task = read(PACK, case, 0)
    assert isinstance(task, ProofTask)
    problem = PACK.problem(task.problem)
    assert problem is not None
    assert engine.prover_of(PACK).lint(PACK, problem, task.text) == []


@pytest.mark.parametrize("case", cases("attacks"), ids=lambda case: case.name)
def test_what_is_to_be_rejected_is_rejected_before_any_prover_and_nothing_else(case: Path) -> None:
    wanted, task = expected(case), read(PACK, case, 0)
    found = [] if isinstance(task, ProofResult) else policy.findings(task.text)
    reason = task.reason if isinstance(task, ProofResult) else next((one.reason for one in found), None)
    assert (reason is not None) == (wanted["verdict"] == "rejected"), reason
    if reason is not None:
        assert REASONS[reason].verdict is Verdict.REJECTED
        assert wanted.get("reason", str(reason)) == str(reason)
    if "remedy" in wanted:
        assert found[0].remedy.startswith(wanted["remedy"])
        assert found[0].line is not None


@pytest.mark.parametrize("unit", UNITS)
def test_ground_truths_pass(unit: str) -> None:
    for fact in isar.stated((CORPUS / "pack" / "theories" / f"{unit}.thy").read_text(encoding="utf-8")):
        assert policy.findings(fact.proof) == [], fact.name


def test_forty_two_commands_may_stand_in_a_proof() -> None:
    assert len(keywords.ALLOWED) == 42
    assert not keywords.ALLOWED & {"sorry", "oops", "\\<proof>", "ML_prf", "end", "lemma", "private"}
    assert {"by", "..", ".", "{", "}", "apply_end", "subgoal", "interpret", "including"} <= keywords.ALLOWED


def test_commands_of_the_pack_s_own_theories_are_refused_in_proofs(tmp_path: Path) -> None:
    (tmp_path / "theories").mkdir()
    (tmp_path / "theories" / "T.thy").write_text(
        'theory T imports Main keywords "crunch" "look" :: thy_decl and "softly" and "unless" :: quasi_command\n'
        "begin\nend\n"
    )
    pack = replace(PACK, root=tmp_path, digest="1" * 64)
    prover = engine.prover_of(pack)
    (found,) = prover.lint(pack, pack.problems[0], "apply blast\ncrunch x")
    assert (found.line, found.column, found.reason) == (2, 1, Reason.FORBIDDEN_COMMAND)
    assert prover.lint(pack, pack.problems[0], "by (rule softly unless)") == []
    assert prover.lint(PACK, PACK.problems[0], "apply blast\ncrunch x") == []


def test_findings_stand_in_the_order_of_the_text_with_places_of_the_submitted_text() -> None:
    text = "(* größer *) using ‹x ⟶ y› sorry\n  (* é *) apply (tactic ‹all_tac›) value x"
    found = policy.findings(text)
    assert [(one.line, one.column, one.reason) for one in found] == [
        (1, 28, Reason.CHEAT_WORD),
        (2, 18, Reason.FORBIDDEN_WORD),
        (2, 36, Reason.FORBIDDEN_COMMAND),
    ]
    assert all(one.remedy for one in found)


def test_many_findings_of_one_kind_are_told_in_few() -> None:
    found = policy.findings("sorry\n" * 5000)
    assert [one.line for one in found] == [1, 2, 3, 4, 5, 6]
    assert "There is more in this proof" in found[-1].message


def test_what_stands_first_decides_whatever_else_a_proof_holds() -> None:
    found = policy.findings("by (tactic x) " + "value x " * 500 + "\\<1 sorry é")
    assert [one.reason for one in found] == [Reason.FORBIDDEN_WORD] + 5 * [Reason.FORBIDDEN_COMMAND]
    assert found[0].column == 5


@pytest.mark.parametrize(
    "text",
    ["tactic", "x_tactic1", "(* tactic *) by blast", "by (simp add: tactic_def my_tactic syntactic quick_and_dirtyX)"],
)
def test_words_are_matched_as_whole_identifiers(text: str) -> None:
    words = [one for one in policy.findings(text) if one.reason is Reason.FORBIDDEN_WORD]
    assert bool(words) == (text == "tactic")


@pytest.mark.parametrize(
    "text", ["by (_tactic x)", "by (1tactic x)", "by (A.tactic x)", 'by ("tactic" x)', "by (simp; tactic x)"]
)
def test_forbidden_words_are_found_however_they_are_glued(text: str) -> None:
    assert [one.reason for one in policy.findings(text)] == [Reason.FORBIDDEN_WORD]


def test_a_code_fence_is_told() -> None:
    for text in ("```\nby simp\n```", "```isabelle\nby simp\n```", "by simp\n```"):
        found = policy.findings(text)
        assert found
        assert "code fence" in found[-1].remedy, text


def test_comments_are_blanks_to_the_prover_symbol_by_symbol() -> None:
    text = "by (* α \\<beta>\n *) blast \\<comment> ‹@{ML ‹x›}› "
    normal = policy.normalised(text)
    assert normal == "by " + " " * 6 + "\n   " + " blast" + " " * 15
    assert len(SYMBOL.findall(normal)) == len(SYMBOL.findall(text))
    assert policy.normalised("using ‹A ⟹ B›") == "using \\<open>A \\<Longrightarrow> B\\<close>"


@given(st.text(alphabet='ab \n"\\<>^(*)αβ‹›⟹é―' + "\u21e9", max_size=80))
def test_no_symbol_moves_when_a_text_is_made_ready(text: str) -> None:
    normal, starts = policy.normalised(text), symbols.offsets(text)
    assert len(SYMBOL.findall(normal)) + 1 == len(starts)
    assert starts[-1] == len(text)
    lines = [at for at, found in enumerate(SYMBOL.findall(normal)) if found == "\n"]
    assert [starts[at] for at in lines] == [at for at, char in enumerate(text) if char == "\n"]


@given(st.text(alphabet="ab \n\"\\<>^(*)αβ‹›⟹é―@{}`'.sorytacih1", max_size=60))
def test_a_text_that_passes_is_the_prover_s_own_alphabet(text: str) -> None:
    if policy.findings(text) == []:
        assert policy.normalised(text).isascii()
        assert policy.findings(policy.normalised(text)) == []


def test_symbols_are_the_table_of_the_distribution() -> None:
    assert symbols.encode("∀x⇩1. x ∈ A ⟶ ‹y›") == (
        "\\<forall>x\\<^sub>1. x \\<in> A \\<longrightarrow> \\<open>y\\<close>"
    )
    assert symbols.decode("\\<forall>x\\<^sub>1. \\<unknown>") == "∀x⇩1. \\<unknown>"


@pytest.mark.parametrize(
    "text",
    [
        STATEMENT + "\n  by simp",
        '(* mine *) lemma swapped: assumes "A" (* first *)\n and "B" shows "B ∧   A"\n  by simp',
    ],
)
def test_restated_statement_is_cut_and_lines_are_counted(text: str) -> None:
    split = statements.split_statement(STATEMENT, text)
    assert split == ("\n  by simp", text.count("\n") - 1)


def test_a_text_without_the_statement_is_left_alone() -> None:
    assert statements.split_statement(STATEMENT, "using assms by simp") == ("using assms by simp", 0)
    assert statements.split_statement(STATEMENT, "theory T imports Main begin") == ("theory T imports Main begin", 0)
    assert statements.split_statement(STATEMENT, "") == ("", 0)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('lemma other: assumes "A"', (1, 7)),
        ('theorem swapped:\n  assumes "A" and "B"\n  shows "B ∧ A" by simp', (1, 1)),
        ('lemma swapped:\n  assumes "A" and "B"\n  shows "B ∧ A ∧ A" by simp', (3, 9)),
        (STATEMENT.replace("\\<and>", "∧") + ' if "False" by simp', (3, 17)),
        ("lemma swapped:", (1, 14)),
    ],
)
def test_another_statement_is_refused_where_it_differs(text: str, place: tuple[int, int]) -> None:
    found = statements.split_statement(STATEMENT, text)
    assert isinstance(found, Finding)
    assert found.reason is Reason.STATEMENT_CHANGED
    assert (found.line, found.column) == place


def test_every_message_has_a_case_or_says_why_none_can_be() -> None:
    folders = {path.name: path for path in (CORPUS / "messages").iterdir()}
    assert set(folders) == {row.name for row in messages.ROWS}
    for name, folder in folders.items():
        files = {path.name for path in folder.iterdir()}
        assert files in ({"proof.thy", "expected.toml"}, {"cannot.txt"}), name


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ('Undefined fact: "foo" (line 1 of "proof")\nAt command "using" (line 1 of "proof")', Reason.UNDEFINED_FACT),
        ('*** Undefined method: "foo"', Reason.UNDEFINED_METHOD),
        ('Failed to apply initial proof method:\ngoal (1 subgoal):\n 1. Undefined fact: "x"', Reason.METHOD_FAILED),
        ("Failed to finish proof:\n 1. Outer syntax error", Reason.GOALS_LEFT),
        ('Something odd\nAt command "<malformed>" (line 1 of "proof")', Reason.SYNTAX),
        ("words nobody knows", Reason.UNCLASSIFIED),
        ("", Reason.UNCLASSIFIED),
    ],
)
def test_the_first_line_decides(message: str, reason: Reason) -> None:
    assert messages.classify(message) is reason


def test_messages_are_told_without_the_driver_s_own_words() -> None:
    said = (
        'Inner syntax error\x05\x06x\x05 (line 2 of "proof")\nat "\\<alpha>"\nFailed to parse prop\n'
        'At command "have" (line 2 of "proof")'
    )
    assert messages.tidy(said) == 'Inner syntax error (line 2)\nat "α"\nFailed to parse prop'
    assert messages.tidy('At command "x"') == ""
