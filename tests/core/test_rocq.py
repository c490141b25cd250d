"""The Rocq scanner reads sources as Rocq's own lexer does."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.rocq import SentenceKind, lemmas, sentences, unclosed, without_comments

FILE = """(* A file. *)
Section Trees.
Variable A : Type.

#[local] Lemma first (* why: "*)" *) : forall n : nat, n = n.
Proof.
  (* nothing *)
  intros n.

  reflexivity.
Qed.

Module Import Inner.
Theorem second : let x := 1 in x = 1. Proof. auto. Defined.
End Inner.
Module Short := Inner.
Example body : nat := 3.
Definition later : nat.
Proof. exact 0. Defined.
Lemma third : True. exact I. Qed.
End Trees.
Lemma fourth : True. Proof I.
"""


def texts(source: str) -> list[str]:
    return [sentence.text for sentence in sentences(source)]


def test_lemmas_carry_scope_statement_and_proof() -> None:
    found = lemmas(FILE)
    assert [(x.name, x.scope, x.ending, x.proof_lines) for x in found] == [
        ("first", ("Trees",), "Qed", 2),
        ("second", ("Trees", "Inner"), "Defined", 1),
        ("third", ("Trees",), "Qed", 1),
        ("fourth", (), "Proof", 1),
    ]
    assert found[1].statement == "Theorem second : let x := 1 in x = 1."
    assert found[1].proof == "Proof. auto. Defined."
    assert found[2].proof == "exact I. Qed."
    assert FILE[found[0].start : found[0].end].endswith("Qed.")
    assert found[0].line == 5


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("intros n. auto.", ["intros n.", "auto."]),
        ("apply Nat.add_comm. x.", ["apply Nat.add_comm.", "x."]),
        ("- auto... + auto.", ["-", "auto...", "+", "auto."]),
        ("--{ auto. } ** }", ["--", "{", "auto.", "}", "**", "}"]),
        ("1: { auto. } [ g ] : { auto. }", ["1: {", "auto.", "}", "[ g ] : {", "auto.", "}"]),
        ("2-3: auto. all: lia.", ["2-3: auto.", "all: lia."]),
        ('idtac "a. b "" c. ". auto.', ['idtac "a. b "" c. ".', "auto."]),
        ("auto (* a. (* b. *) c. *) . x.", ["auto (* a. (* b. *) c. *) .", "x."]),
        ('auto (* "*) . " *) . x.', ['auto (* "*) . " *) .', "x."]),
        ("exact (f x .. y). auto.", ["exact (f x .. y).", "auto."]),
        ("exact r.(field). auto.", ["exact r.(field).", "auto."]),
        ("(* only a comment. *)", []),
        ("auto.auto. x", ["auto.auto.", "x"]),
    ],
)
def test_sentences_end_where_rocq_ends_them(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


def test_places_count_lines_and_characters() -> None:
    second = sentences("(* é\n*) auto.\n  (* ∀ *) lia.")[1]
    assert (second.line, second.column, second.kind) == (3, 11, SentenceKind.SENTENCE)


@pytest.mark.parametrize(
    ("source", "what", "line"),
    [
        ("auto. (* a (* b *)", "comment", 1),
        ('auto.\nidtac "a.', "string", 2),
        ("auto.\n\nintros n", "sentence", 3),
        ('auto (* " *) .', "comment", 1),
        ("auto.", None, 0),
        ("{ auto. }", None, 0),
    ],
)
def test_unclosed_names_the_outermost_open_thing(source: str, what: str | None, line: int) -> None:
    found = unclosed(source, sentences(source))
    assert (found.what if found else None) == what
    assert (found.line if found else 0) == line


def test_comments_become_blanks_of_the_same_shape() -> None:
    assert without_comments('a (* x\ny *) "(* z *)" b') == 'a     \n     "(* z *)" b'


@given(st.text(alphabet='a.(*)" \n{}-1:[]', max_size=60))
def test_nothing_but_blanks_and_comments_is_left_out(source: str) -> None:
    at = 0
    for sentence in sentences(source):
        assert source[sentence.start : sentence.end] == sentence.text
        assert without_comments(source[at : sentence.start]).strip() == ""
        at = sentence.end
    assert without_comments(source[at:]).strip() == ""


@pytest.mark.parametrize("piece", ["(*", '"', "a.b", "auto. ", "( * ", "{ ", "1: { ", "(* *) ", '(* " '])
def test_time_grows_with_the_length_and_no_faster(piece: str) -> None:
    def seconds(count: int) -> float:
        source = piece * count
        started = time.process_time()
        sentences(source)
        unclosed(source, sentences(source))
        return time.process_time() - started

    seconds(100)
    small, large = max(seconds(2_000), 0.001), seconds(20_000)
    assert large < 60 * small
