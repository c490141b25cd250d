"""Reading Rocq sources without a prover: sentences, and the lemmas of a file with their proofs and scopes."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from verifier.core.rocq_lexer import (
    Lines,
    Sentence,
    SentenceKind,
    Unclosed,
    code_start,
    first_sentence,
    sentences,
    string_end,
    without_comments,
    words,
)
from verifier.core.rocq_outline import Outline, Reading, outline

__all__ = [
    "ENDINGS",
    "LEMMA_KEYWORDS",
    "Lines",
    "Outline",
    "Reading",
    "Sentence",
    "SentenceKind",
    "SourceLemma",
    "Unclosed",
    "code_start",
    "command_words",
    "first_sentence",
    "lemmas",
    "outline",
    "sentences",
    "string_end",
    "without_comments",
    "words",
]

LEMMA_KEYWORDS: Final = frozenset(
    {"Theorem", "Lemma", "Fact", "Remark", "Corollary", "Proposition", "Property", "Example"}
)
ENDINGS: Final = frozenset({"Qed", "Defined", "Admitted", "Abort", "Save"})
_MODIFIERS: Final = frozenset({"Local", "Global", "Program", "Polymorphic", "Monomorphic", "Time"})


@dataclass(frozen=True, slots=True)
class SourceLemma:
    """A lemma as it stands in a file.

    `statement` runs from its first word (attributes included) to its final dot. `proof` runs from the first sentence
    after it to the ending (`Qed.`, `Defined.`, ...), which `ending` names; it is empty for a file that stops early.
    `scope` names the sections and modules open around it, outermost first; `modules` the modules alone, or None where
    one of them keeps its lemmas from the outside: a functor, a module type, a module sealed by one. `proof_lines`
    counts the lines between `Proof.` and the ending that hold more than blanks and comments. `start` and `end` enclose
    statement and proof.
    """

    keyword: str
    name: str
    statement: str
    proof: str
    ending: str
    index: int
    line: int
    start: int
    end: int
    scope: tuple[str, ...]
    modules: tuple[str, ...] | None
    proof_lines: int


class _Scope(NamedTuple):
    name: str
    section: bool
    shut: bool = False


def command_words(sentence: Sentence) -> tuple[str, ...]:
    """The first words of a sentence behind attributes (`#[...]`) and modifiers such as `Local`."""
    found = sentence.words
    if found[:2] == ("#", "["):
        found = words(_behind_attributes(without_comments(sentence.text)), 12)
    while found and found[0] in _MODIFIERS:
        found = found[1:]
    return found


def _behind_attributes(text: str) -> str:
    while text.startswith("#["):
        close = text.find("]")
        if close < 0:
            return ""
        text = text[close + 1 :].lstrip()
    return text


def lemmas(text: str) -> list[SourceLemma]:
    """Every lemma of a file, in order. Definitions and instances that open a proof are not lemmas."""
    found: list[SourceLemma] = []
    scope: list[_Scope] = []
    parts = sentences(text)
    at = 0
    while at < len(parts):
        sentence = parts[at]
        head = command_words(sentence)
        at += 1
        if len(head) > 2 and head[0] in LEMMA_KEYWORDS and not _has_body(sentence):
            last = _proof_end(parts, at)
            found.append(_lemma(text, sentence, parts[at:last], head=head, index=len(found), scope=scope))
            at = last
        else:
            _move(scope, head, sentence)
    return found


def _move(scope: list[_Scope], head: tuple[str, ...], sentence: Sentence) -> None:
    match head:
        case ("Section", name, *_):
            scope.append(_Scope(name, section=True))
        case ("Module", "Type", name, *_):
            if not _has_body(sentence):
                scope.append(_Scope(name, section=False, shut=True))
        case ("Module", "Import" | "Export", name, *rest) | ("Module", name, *rest):
            if not _has_body(sentence):
                scope.append(_Scope(name, section=False, shut=rest[:1] not in ([], ["."], ["<"])))
        case ("End", name, *_) if scope and scope[-1].name == name:
            scope.pop()
        case _:
            pass


def _has_body(sentence: Sentence) -> bool:
    return ":=" in sentence.text and _opens_with_body(without_comments(sentence.text))


def _opens_with_body(bare: str) -> bool:
    """Whether a `:=` outside brackets belongs neither to a `let` nor to a `with Module` or `with Definition`."""
    depth, owed, before = 0, 0, ""
    for word in words(bare):
        if word in "([{":
            depth += 1
        elif word in ")]}":
            depth -= 1
        elif depth == 0 and (word == "let" or (before == "with" and word in {"Module", "Definition"})):
            owed += 1
        elif depth == 0 and word == ":=":
            if owed == 0:
                return True
            owed -= 1
        before = word
    return False


def _proof_end(parts: list[Sentence], at: int) -> int:
    """Index just after the sentence that ends the proof starting at `at`."""
    while at < len(parts):
        head = parts[at].words
        at += 1
        gives_term = len(head) > 1 and head[0] == "Proof" and head[1] not in {".", "using", "with", "..."}
        if head and (head[0] in ENDINGS or gives_term):
            return at
    return at


def _lemma(
    text: str, opening: Sentence, body: list[Sentence], *, head: tuple[str, ...], index: int, scope: list[_Scope]
) -> SourceLemma:
    end = body[-1].end if body else opening.end
    inner_start, inner_end = opening.end, end
    if body and body[0].words[0] == "Proof" and len(body) > 1:
        inner_start = body[0].end
    if body and body[-1].words[0] in ENDINGS:
        inner_end = body[-1].start
    inner = without_comments(text[inner_start:inner_end])
    return SourceLemma(
        keyword=head[0],
        name=head[1],
        statement=opening.text,
        proof=text[body[0].start : end] if body else "",
        ending=body[-1].words[0] if body else "",
        index=index,
        line=opening.line,
        start=opening.start,
        end=end,
        scope=tuple(one.name for one in scope),
        modules=None if any(one.shut for one in scope) else tuple(one.name for one in scope if not one.section),
        proof_lines=sum(1 for line in inner.splitlines() if line.strip()),
    )
