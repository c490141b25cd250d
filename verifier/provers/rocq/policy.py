"""What a submitted Rocq proof may hold: tactics, bullets, braces, `Proof`, `Qed`, `Defined`. No process needed.

Two layers: sentences are on an allow-list by how they start, words are looked for anywhere outside comments and
strings. The judge feeds sentence by sentence, so what slips through here still cannot end the proof early.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from verifier.core import rocq
from verifier.core.finding import Consequence, Finding
from verifier.core.reason import Reason
from verifier.provers.rocq import faults

VERSION: Final = "2"  # part of every environment's recipe: a change of policy is a new environment

_CHEATS: Final = frozenset({"admit", "give_up", "Admitted", "Abort"})
_ENDS: Final = frozenset({"Qed", "Defined"})
_SELECTOR: Final = re.compile(
    r"\s*(?:(all|par|!)|\d+(?:\s*-\s*\d+)?(?:\s*,\s*\d+(?:\s*-\s*\d+)?)*|\[\s*[^\W\d][\w']*\s*\])\s*:(?!=)"
)
_BAD: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_STRING: Final = re.compile(r'"(?:[^"]|"")*"')
_RUN: Final = re.compile(r"[\w']+")
_ASCII_RUN: Final = re.compile(r"[\w']+", re.ASCII)
_NUMBER: Final = re.compile(r"\d+|0[xX][0-9a-fA-F]+|\d+[eE]\d+")
_NAMED_CONTEXT: Final = re.compile(r"\bcontext\s+[^\W\d][\w']*\s*\[")
_TACTIC_NAMES: Final = re.compile(r'(?:Ltac\s+|Tactic\s+Notation\s+(?:\([^)]*\)\s*)?")([A-Z][\w\']*)')

_REMEDIES: Final = {
    "Lemma": "Prove it inside with `assert` or `enough`; a proof cannot state lemmas of its own.",
    "Require": "Only what the statement's file loads is there; the pack's page lists it.",
    "Import": "Write names in full, such as `Nat.add_comm`.",
    "Ltac": "Write the tactic out, or bind it with `let tac := ... in ...`.",
    "Set": "Options belong to the benchmark; leave them out.",
    "Unset": "Options belong to the benchmark; leave them out.",
    "Search": "Leave out commands that only print.",
    "Check": "Leave out commands that only print.",
    "Print": "Leave out commands that only print.",
    "Time": "Leave out `Time`; times are shown with every result.",
    "Timeout": "Use the tactic `timeout` with a number of seconds.",
    "Fail": "Leave out `Fail`; to try a tactic and go on, write `try`.",
    "Save": "End the proof with `Qed.`",
}
_REMEDY: Final = "Leave the command out. A proof holds tactics, bullets, braces, `Proof`, `Qed` and `Defined`."


@lru_cache(maxsize=32)
def tactic_names(sources: str) -> frozenset[str]:
    """Capitalised tactics that a pack's own sources define."""
    return frozenset(_TACTIC_NAMES.findall(rocq.without_comments(sources)))


def findings(text: str, known_tactics: frozenset[str]) -> list[Finding]:
    """Everything that policy has against a proof, in the order of the text; empty for a proof that may be judged."""
    parts = rocq.sentences(text)
    if open_part := rocq.unclosed(text, parts):
        message = f"A {open_part.what} is still open at the end of the proof."
        remedies = {"comment": "Close it with `*)`.", "string": 'Close it with `"`.', "sentence": "End it with a dot."}
        return [_found(Reason.UNCLOSED, message, remedies[open_part.what], open_part.line, open_part.column)]
    if not parts:
        message, remedy = "The proof holds nothing but blanks and comments.", "Write tactics and end with `Qed.`"
        return [_found(Reason.EMPTY, message, remedy, 1, 1)]
    found = [*_characters(text), *_commands(parts, known_tactics), *_words(text)]
    return sorted(found, key=lambda finding: (finding.line or 0, finding.column or 0))


def _found(reason: Reason, message: str, remedy: str, line: int, column: int) -> Finding:
    return Finding(Consequence.REJECTED, message, remedy, line=line, column=column, reason=reason)


def _characters(text: str) -> Iterator[Finding]:
    if match := _BAD.search(text.replace("\r\n", "\n")):
        line, column = rocq.Lines(text).place(match.start())
        name = f"U+{ord(match.group()):04X}"
        yield _found(Reason.BAD_CHARACTER, f"The character {name} is not allowed.", "Remove it.", line, column)


def _commands(parts: list[rocq.Sentence], known_tactics: frozenset[str]) -> Iterator[Finding]:
    ended = False
    for index, sentence in enumerate(parts):
        here = sentence.line, sentence.column
        if ended:
            message = "The text goes on after the proof has ended."
            yield _found(Reason.FORBIDDEN_COMMAND, message, "Let `Qed.` or `Defined.` be the last word.", *here)
            return
        if sentence.kind is not rocq.SentenceKind.SENTENCE:
            continue
        if sentence.text[0].islower() and ":" not in sentence.text:
            continue  # neither a command, which starts with a capital, nor a selector before one
        bare = rocq.without_comments(sentence.text)
        selector = _SELECTOR.match(bare)
        words = rocq.words(bare[selector.end() :], 4) if selector else sentence.words[:4]
        if selector and selector.group(1) == "par":
            message = "`par:` starts further prover processes."
            yield _found(Reason.FORBIDDEN_COMMAND, message, "Write `all:` instead.", *here)
        elif words[:1] == ("Proof",) and selector is None:
            yield from _opening(index, words, here)
        elif words and words[0] in _ENDS and words[1:] == (".",) and selector is None:
            ended = True
        elif words == ("Unshelve", ".") and selector is None:
            continue  # brings shelved goals back, nothing else
        elif words and _is_command(words, known_tactics) and words[0] not in _CHEATS:
            name = "#[...]" if words[0] == "#" else words[0]
            remedy = _REMEDIES.get(name, _REMEDIES["Lemma"] if name in rocq.LEMMA_KEYWORDS else _REMEDY)
            yield _found(Reason.FORBIDDEN_COMMAND, f"`{name}` is not allowed in a proof.", remedy, *here)


def _opening(index: int, words: tuple[str, ...], here: tuple[int, int]) -> Iterator[Finding]:
    if index > 0:
        message, remedy = (
            "`Proof` stands in the middle of the proof.",
            "Write it once, at the beginning, or not at all.",
        )
        yield _found(Reason.FORBIDDEN_COMMAND, message, remedy, *here)
    elif words[1:2] not in {(".",), ("using",), ("with",)}:
        message, remedy = "`Proof` gives a term.", "Write `exact (...)` and `Qed.`"
        yield _found(Reason.FORBIDDEN_COMMAND, message, remedy, *here)


def _is_command(words: tuple[str, ...], known_tactics: frozenset[str]) -> bool:
    first = words[0]
    return first == "#" or (first[0].isupper() and first not in known_tactics)


def _readings(bare: str) -> frozenset[str]:
    """Every word that the prover's lexer could find.

    The lexer and this scan may cut a run of word characters differently, so both cuts count: characters beyond ASCII
    as letters and as separators, and what follows leading quotes.
    """
    runs = set(_RUN.findall(bare))
    if not bare.isascii():
        runs.update(_ASCII_RUN.findall(bare))
    return frozenset(run.lstrip("'") for run in runs)


def _offset(bare: str, word: str) -> int:
    for pattern in (_RUN, _ASCII_RUN):
        for match in pattern.finditer(bare):
            if match.group().lstrip("'") == word:
                return match.end() - len(word)
    return 0


def _words(text: str) -> Iterator[Finding]:
    bare = _STRING.sub(lambda match: " " * len(match.group()), rocq.without_comments(text))
    held = _readings(bare)

    def place(word: str) -> tuple[int, int]:
        return rocq.Lines(text).place(_offset(bare, word))

    for word in sorted(held):
        if word[:1].isdigit() and not _NUMBER.fullmatch(word):  # the lexer reads `1_fix` as a number and `fix`
            message = f"`{word}` starts as a number and goes on as something else."
            remedy = "Put a blank after the number, and write numbers without `_`."
            yield _found(Reason.FORBIDDEN_WORD, message, remedy, *place(word))
    if match := _NAMED_CONTEXT.search(bare):
        message = "A named `context` is refused: it can put terms into a recursive definition that nobody checked."
        remedy = "Match with `context [...]` without a name, and change the goal with `replace`, `rewrite` or `change`."
        yield _found(Reason.KERNEL_FAULT_GUARD, message, remedy, *rocq.Lines(text).place(match.start()))
    for word in sorted(held & _CHEATS):
        message = f"`{word}` skips the proof."
        yield _found(Reason.CHEAT_WORD, message, "Prove the goal, or leave the problem out.", *place(word))
    for word in sorted(held & faults.RECURSION_WORDS):
        message = f"`{word}` is refused: this prover's check of recursive proofs has published faults."
        yield _found(Reason.KERNEL_FAULT_GUARD, message, faults.RECURSION_REMEDY, *place(word))
    for first, second, remedy in (
        (faults.UNCHECKED_WORDS, faults.EVALUATING_WORDS, "Use the checked tactic: `change`, `exact`."),
        (faults.SHIFT_WORDS, faults.MACHINE_WORDS, "Compute with `lazy` or `cbv`."),
    ):
        if (one := sorted(held & first)) and (other := sorted(held & second)):
            message = f"`{one[0]}` together with `{other[0]}` is refused: the prover's machine has published faults."
            yield _found(Reason.KERNEL_FAULT_GUARD, message, remedy, *place(one[0]))
    if re.search(r"\A\s*Proof\s+using\b", bare) and (
        word := next(iter(held & {"abstract", "transparent_abstract"}), "")
    ):
        message = f"`{word}` together with `Proof using` is refused: this prover has a published fault there."
        remedy = "Leave out `using ...`, or prove the step with `assert`."
        yield _found(Reason.KERNEL_FAULT_GUARD, message, remedy, *place(word))


def split_statement(statement: str, text: str) -> tuple[str, int] | Finding:
    """Cut the owned statement off a text that restates it: (proof, lines cut), or why it is not the owned one."""
    first = rocq.first_sentence(text)
    if first is None:
        return text, 0
    head = rocq.command_words(first)
    if not head or head[0] not in rocq.LEMMA_KEYWORDS:
        return text, 0
    if rocq.words(rocq.without_comments(first.text)) != rocq.words(rocq.without_comments(statement)):
        message = "The file restates the problem in other words."
        remedy = "Copy the statement as the benchmark gives it, or leave it out and begin with `Proof.`"
        return _found(Reason.STATEMENT_CHANGED, message, remedy, first.line, first.column)
    return text[first.end :], text.count("\n", 0, first.end)
