"""Which words of a proof are refused wherever they stand outside comments and strings, and why.

Some skip the proof; others would reach a published fault of the release that checks it, and are refused on no other.
Rocq's lexer and this scan may cut a run of word characters differently, so both ways to read it count, and where a name
may stand every character beyond ASCII is one of its letters. What tactics build without a word is seen by `recursion`.
"""

import heapq
import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from verifier.core import rocq
from verifier.core.finding import NAMED, Consequence, Finding
from verifier.core.reason import Reason
from verifier.core.text import place_of
from verifier.provers.rocq import faults
from verifier.provers.rocq.faults import Guard

CHEATS: Final = frozenset({"admit", "give_up", "Admitted", "Abort"})

_STRING: Final = re.compile(r'"(?:[^"]|"")*"')
_RUN: Final = re.compile(r"[\w']+")
_ASCII_RUN: Final = re.compile(r"[\w']+", re.ASCII)
_NUMBER: Final = re.compile(r"\d+|0[xX][0-9a-fA-F]+|\d+[eE]\d+")
_DIGITS_GO_ON: Final = re.compile(r"[0-9]+[A-Za-z_']")
_BLANKS: Final = r"[ \t\n\r]*"  # all that the prover's lexer takes for a blank
_LETTER: Final = r"[A-Za-z_\x80-\U0010ffff]"
_NAMED_CONTEXT: Final = re.compile(
    rf"(?<![A-Za-z0-9_])context(?![A-Za-z0-9_'])(?:{_BLANKS}(?:{_LETTER}|[0-9'])+){_BLANKS}\["
)
_SECOND_ORDER: Final = re.compile(rf"@{_BLANKS}\?")
_SECOND_ORDER_HINT: Final = re.compile(rf'@{_BLANKS}(?:[?"]|\(\*)')
_USING: Final = re.compile(r"(?<![A-Za-z0-9_])using(?![A-Za-z0-9_'])")
_WATCHED: Final = CHEATS | faults.RECURSION_WORDS | faults.UNCHECKED_WORDS | faults.SHIFT_WORDS | faults.ABSTRACT_WORDS
# A text that holds none of these holds no finding; the machine's own words are refused only beside others.
_TELLTALES: Final = tuple(
    sorted({"context", faults.UNCHECKED_ENDING, *(w for w in _WATCHED if not any(v in w for v in _WATCHED - {w}))})
)

_Place = Callable[[str], int]


class _At(NamedTuple):
    """A finding by its place in the text."""

    at: int
    reason: Reason
    message: str
    remedy: str


def findings(text: str, guards: frozenset[Guard]) -> Iterator[Finding]:
    """The first refused words of a text that closes its comments and strings, one more than are told.

    `guards` are those of the prover's release.
    """
    if _is_harmless(text):
        return
    bare = rocq.without_comments(text)
    if '"' in bare:
        bare = _STRING.sub(lambda match: " " * len(match.group()), bare)
    held = _readings(bare)
    for one in heapq.nsmallest(NAMED + 1, _found(bare, held, guards), key=lambda one: one.at):
        line, column = place_of(text, one.at)
        yield Finding(Consequence.REJECTED, one.message, one.remedy, line=line, column=column, reason=one.reason)


def _found(bare: str, held: frozenset[str], guards: frozenset[Guard]) -> Iterator[_At]:
    places: dict[str, int] = {}

    def place(word: str) -> int:
        if not places:
            places.update(_places(bare))
        return places.get(word, 0)

    yield from _skipping(held, place)
    if Guard.RECURSION in guards:
        yield from _recursion(bare, held, place)
    yield from _machine(held, place, guards)
    if Guard.ABSTRACT_USING in guards and _opens_with_using(bare):
        for word in sorted(held & faults.ABSTRACT_WORDS):
            message = f"`{word}` together with `Proof using` is refused: this prover has a published fault there."
            remedy = "Leave out `using ...`, or prove the step with `assert`."
            yield _At(place(word), Reason.KERNEL_FAULT_GUARD, message, remedy)


def _is_harmless(text: str) -> bool:
    """Whether a look at the raw text is enough; most proofs pass here, comments and strings included."""
    if not text.isascii() or any(telltale in text for telltale in _TELLTALES) or _SECOND_ORDER_HINT.search(text):
        return False
    for match in _DIGITS_GO_ON.finditer(text):
        before = text[match.start() - 1 : match.start()]
        if not (before.isalpha() or before == "_"):
            return False  # else the digits end a name, as in `x1'`
    return True


def _readings(bare: str) -> frozenset[str]:
    """Every word that the prover's lexer could find: letters beyond ASCII also as separators, quotes in front off."""
    runs = set(_RUN.findall(bare))
    if not bare.isascii():
        runs.update(_ASCII_RUN.findall(bare))
    return frozenset(run.lstrip("'") for run in runs) if "'" in bare else frozenset(runs)


def _places(bare: str) -> dict[str, int]:
    """Where each of the words first stands."""
    places: dict[str, int] = {}
    for pattern in (_RUN,) if bare.isascii() else (_RUN, _ASCII_RUN):
        for match in pattern.finditer(bare):
            word = match.group().lstrip("'")
            places.setdefault(word, match.end() - len(word))
    return places


def _opens_with_using(bare: str) -> bool:
    """Whether the proof begins with `Proof using ...` or `Proof with ... using ...`."""
    first = rocq.first_sentence(bare)
    return first is not None and first.words[:1] == ("Proof",) and _USING.search(first.text) is not None


def _skipping(held: frozenset[str], place: _Place) -> Iterator[_At]:
    """Words that skip the proof, and those that the lexer reads as a number and another word, as `1_fix`."""
    for word in sorted(word for word in held if word[:1].isdigit() and not _NUMBER.fullmatch(word)):
        message = f"`{word}` starts as a number and goes on as something else."
        remedy = "Put a blank after the number, and write numbers without `_`."
        yield _At(place(word), Reason.FORBIDDEN_WORD, message, remedy)
    for word in sorted(held & CHEATS):
        message, remedy = f"`{word}` skips the proof.", "Prove the goal, or leave the problem out."
        yield _At(place(word), Reason.CHEAT_WORD, message, remedy)


def _recursion(bare: str, held: frozenset[str], place: _Place) -> Iterator[_At]:
    if match := _NAMED_CONTEXT.search(bare):
        message = "A named `context` is refused: it can put terms into a recursive definition that nobody checked."
        remedy = "Match with `context [...]` without a name, and change the goal with `replace`, `rewrite` or `change`."
        yield _At(match.start(), Reason.KERNEL_FAULT_GUARD, message, remedy)
    if match := _SECOND_ORDER.search(bare):
        message = "A pattern `@?x` is refused: it can put terms into a recursive definition that nobody checked."
        remedy = "Match the parts of the term with `?x`, or state the step with `assert`, `change` or `pattern`."
        yield _At(match.start(), Reason.KERNEL_FAULT_GUARD, message, remedy)
    for word in sorted(word for word in held if word.endswith(faults.UNCHECKED_ENDING)):
        message = f"`{word}` is refused: it can put a recursive definition in place that nobody checked."
        remedy = "Use the checked tactic: `change`, `exact`, `vm_compute`."
        yield _At(place(word), Reason.KERNEL_FAULT_GUARD, message, remedy)
    for word in sorted(held & faults.RECURSION_WORDS):
        message = f"`{word}` is refused: this prover's check of recursive proofs has published faults."
        yield _At(place(word), Reason.KERNEL_FAULT_GUARD, message, faults.RECURSION_REMEDY)


def _machine(held: frozenset[str], place: _Place, guards: frozenset[Guard]) -> Iterator[_At]:
    for guard, first, second, remedy in (
        (
            Guard.UNCHECKED,
            faults.UNCHECKED_WORDS,
            faults.EVALUATING_WORDS,
            "Use the checked tactic: `change`, `exact`.",
        ),
        (Guard.SHIFT, faults.SHIFT_WORDS, faults.MACHINE_WORDS, "Compute with `lazy` or `cbv`."),
    ):
        one, other = sorted(held & first), sorted(held & second)
        if guard in guards and one and other:
            message = f"`{one[0]}` together with `{other[0]}` is refused: the prover's machine has published faults."
            yield _At(place(one[0]), Reason.KERNEL_FAULT_GUARD, message, remedy)
