"""The Rocq scanner reads sources as Rocq's own lexer does."""

import re
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from verifier.core.rocq import SentenceKind, lemmas, outline, sentences, without_comments
from verifier.core.rocq_lexer import comment_end

# Whatever a scan may trip over: ends and false ends of sentences, comments, strings, selectors, bullets, braces.
PIECES = ["a", "all", "all:", "par:", "Lemma x", "Qed", "1:", "[g]:", "!", ".", ". ", "..", "... ", ".(", "(*", "*)"]
PIECES += ['"', '""', "(", ")", "{", "}", "- ", "**", " ", "\n", "\t", "auto. ", "(* c *) ", "é", "2", ":=", "'"]

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
    ("opening", "scope"),
    [
        ("Module M (X : S) <: T with Module E := X.", ("M",)),
        ("Module M (X : S with Definition t := nat).", ("M",)),
        ("Module Type M := T with Definition t := nat.", ()),
        ("Module M : T with Module E := X := Body X.", ()),
        ("Module M <: T with Definition t := (fun x : nat => x) with Definition u := nat.", ("M",)),
        ("Lemma before : (let x := 1 in x) = 1 := eq_refl.", ()),
        ("Lemma before : let x := 1 in x = 1 := eq_refl.", ()),
    ],
)
def test_what_a_module_is_with_is_not_its_body(opening: str, scope: tuple[str, ...]) -> None:
    assert [(x.name, x.scope) for x in lemmas(f"{opening}\nLemma inner : True. Proof. exact I. Qed.")] == [
        ("inner", scope)
    ]


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
    found = outline(source).unclosed
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


TACTICS = frozenset({"Crush"})


def plain(text: str) -> bool:
    if re.match(r"Unshelve\s*\.", text):
        return True
    selects = re.match(r"(?:\d[-\d\s,]*|all|par|!|\[\s*[^\W\d]\w*\s*\])\s*:", without_comments(text))
    if selects is None and not text[0].isupper() and not re.match(r"[#\s\d]", re.sub("[0-9]", "n", text[0])):
        return True
    selector = r"(?:(?:[-0-9, \t\n\r]+|all|!|\[ *[A-Za-z]+ *\])[ \t\n\r]*:[ \t\n\r]*)?"
    return re.match(selector + r"(?!(?:all|par)(?![\w']))(?:[a-z]|Crush(?![\w']))", text) is not None


@example("a.. Lemma x. ")
@example("a.... Lemma x. ")
@example("a.(* c *) Lemma x. ")
@example("a (* c (* d *) *). Lemma x. ")
@example('a ". Lemma x. "" " . Lemma y. ')
@example("all: par: Lemma x. ")
@example("1: { a. } Lemma x. (* open")
@example("Crush. Crusher. Crush' a. Crush x. Lemma x. 2: Crush.")
@example("a (* (* b *) *) . (* (* (* c *) *) *) Lemma x. (* (* d *)")
@example("[g] : a. [g]: Lemma x. [g]: { a. }")
@example("1-2, 3: a. 2-3: Lemma x. all:= a. allow. par: a. all . alle. all(*:*): Lemma x.")
@example("1. 12a. [. [| a ]. !. !a. 1 (* c *): Lemma x. 1(**):Lemma x. [(* c *) g]: Lemma x. ! (* c *) : Lemma x.")
@example('é. É. (a). ?x. _a. "s". . ... Unshelve. Unshelve x. Unshelve (* c *) . 1:Unshelve.')
@example("\u0661: Lemma x. \u3000Lemma x. \x0cLemma x. \u01c5a. \U0001d400x. [\x0cg]: Lemma x. 1\u3000: Lemma x.")
@settings(max_examples=200)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_an_outline_leaves_out_nothing_but_plain_sentences(source: str) -> None:
    parts = sentences(source)
    found = outline(source, TACTICS)
    starts = [one.start for one in found.notable]
    rest = [part for part in parts if part.start not in starts]
    assert all(part.kind is not SentenceKind.SENTENCE or (part.closed and plain(part.text)) for part in rest)
    seen = [(p.text, p.start, p.end, p.line, p.column) for p in parts if p.start in starts]
    assert seen == list(found.notable)
    assert found.first == (parts[0].start if parts else len(source))
    open_sentence = bool(parts) and not parts[-1].closed
    tail = source[parts[-1].end :] if parts else source
    assert (found.unclosed is not None) == (open_sentence or "(*" in without_comments_that_close(tail))


def without_comments_that_close(tail: str) -> str:
    while (start := tail.find("(*")) >= 0 and (end := comment_end(tail, start)) >= 0:
        tail = tail[:start] + tail[end:]
    return tail


@pytest.mark.parametrize("length", [50, 500, 5_000])
def test_an_outline_does_not_depend_on_how_often_a_pattern_repeats(length: int) -> None:
    for piece in ("(a) ", '"" ', "a.b ", "(* c *) ", '"a""b" '):
        source = f"x {piece * length}. Lemma y. " + "auto. " * length + "Qed."
        assert [sentence.text[:5] for sentence in outline(source).notable if sentence.text[0].isupper()] == [
            "Lemma",
            "Qed.",
        ]


@pytest.mark.parametrize(
    "piece", ["(*", '"', "a.b", "auto. ", "( * ", "{ ", "1: { ", "(* *) ", '(* " ', '"" ', 'x"" (* ', "auto. Qed. "]
)
def test_time_grows_with_the_length_and_no_faster(piece: str) -> None:
    def seconds(count: int) -> float:
        source = piece * count
        started = time.process_time()
        sentences(source)
        outline(source)
        without_comments(source)
        return time.process_time() - started

    seconds(100)
    small = max(min(seconds(500) for _ in range(3)), 0.0005)
    large = min(seconds(16_000) for _ in range(2))
    assert large < 200 * small, "32 times the text: 32 times the time if linear, 1,024 times if square"


@pytest.mark.parametrize(
    ("opening", "modules"),
    [
        ("Module A. Section S. Module Import B.", ("A", "B")),
        ("Module Type T. End T. Module A <: T.", ("A",)),
        ("Module Type T. Parameter x : nat. End T.", ()),
        ("Module Type T := Other.", ()),
        ("Module Short := Other. Module A.", ("A",)),
        ("Module A. Module F (X : T).", None),
        ("Module A : T.", None),
        ("Module Type T.", None),
        ("Module F (X : T). End F.", ()),
    ],
)
def test_a_lemma_knows_the_modules_by_which_it_is_named_from_outside(opening, modules) -> None:
    assert [x.modules for x in lemmas(f"{opening}\nLemma inner : True. Proof. exact I. Qed.")] == [modules]
