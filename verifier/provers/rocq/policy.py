"""What a submitted Rocq proof may hold: tactics, bullets, braces, `Proof`, `Qed`, `Defined`. No process needed.

Sentences are on an allow-list by how they start; which words are refused anywhere is `wordguard`'s business. The judge
feeds sentence by sentence, so what slips through here still cannot end the proof early.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Final

from verifier.core import rocq
from verifier.core.finding import NAMED, Consequence, Finding, few
from verifier.core.reason import Reason
from verifier.core.rocq_lexer import NAME
from verifier.core.text import place_of
from verifier.provers.rocq import wordguard
from verifier.provers.rocq.faults import Guard

_ENDS: Final = frozenset({"Qed", "Defined"})
_SELECTOR: Final = re.compile(
    rf"\s*(?:(all|par|!)|\d++(?:\s*-\s*\d++)?(?:\s*,\s*\d++(?:\s*-\s*\d++)?)*|\[\s*{NAME}\s*\])\s*:(?!=)"
)
_BAD: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_BAD_ASCII: Final = bytes(code for code in range(0x80) if _BAD.match(chr(code)))
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


def findings(text: str, known_tactics: frozenset[str], guards: frozenset[Guard]) -> list[Finding]:
    """Everything that policy has against a proof, in the order of the text; empty for a proof that may be judged.

    `known_tactics` are capitalised tactics of the pack, `guards` what the faults of the prover's release ask for.
    """
    reading = rocq.Reading(text, known_tactics)
    commands = list(islice(_commands(text, reading, known_tactics), NAMED + 1))
    if open_part := reading.unclosed():
        message = f"A {open_part.what} is still open at the end of the proof."
        remedies = {"comment": "Close it with `*)`.", "string": 'Close it with `"`.', "sentence": "End it with a dot."}
        return [_found(Reason.UNCLOSED, message, remedies[open_part.what], open_part.line, open_part.column)]
    if reading.first == len(text):
        message, remedy = "The proof holds nothing but blanks and comments.", "Write tactics and end with `Qed.`"
        return [_found(Reason.EMPTY, message, remedy, 1, 1)]
    found = [*_characters(text), *commands, *wordguard.findings(text, guards)]
    return few(sorted(found, key=lambda finding: (finding.line or 0, finding.column or 0)))


def _found(reason: Reason, message: str, remedy: str, line: int, column: int) -> Finding:
    return Finding(Consequence.REJECTED, message, remedy, line=line, column=column, reason=reason)


def _characters(text: str) -> Iterator[Finding]:
    if text.isascii() and len(text.encode().translate(None, _BAD_ASCII)) == len(text):
        return
    if match := _BAD.search(text):
        line, column = place_of(text, match.start())
        name = f"U+{ord(match.group()):04X}"
        yield _found(Reason.BAD_CHARACTER, f"The character {name} is not allowed.", "Remove it.", line, column)


def _commands(text: str, reading: rocq.Reading, known_tactics: frozenset[str]) -> Iterator[Finding]:
    for sentence in reading.notable():
        here = sentence.line, sentence.column
        bare = rocq.without_comments(sentence.text)
        selector = _SELECTOR.match(bare)
        words = rocq.words(bare[selector.end() :] if selector else bare, 4)
        if selector and selector.group(1) == "par":
            message = "`par:` starts further prover processes."
            yield _found(Reason.FORBIDDEN_COMMAND, message, "Write `all:` instead.", *here)
        elif words[:1] == ("Proof",) and selector is None:
            yield from _opening(words, here, first=sentence.start == reading.first)
        elif words and words[0] in _ENDS and words[1:] == (".",) and selector is None:
            if (after := rocq.code_start(text, sentence.end)) < len(text):
                message = "The text goes on after the proof has ended."
                remedy = "Let `Qed.` or `Defined.` be the last word."
                yield _found(Reason.FORBIDDEN_COMMAND, message, remedy, *place_of(text, after))
            return
        elif words == ("Unshelve", ".") and selector is None:
            continue  # brings shelved goals back, nothing else
        elif words and _is_command(words, known_tactics) and words[0] not in wordguard.CHEATS:
            name = "#[...]" if words[0] == "#" else words[0]
            remedy = _REMEDIES.get(name, _REMEDIES["Lemma"] if name in rocq.LEMMA_KEYWORDS else _REMEDY)
            yield _found(Reason.FORBIDDEN_COMMAND, f"`{name}` is not allowed in a proof.", remedy, *here)


def _opening(words: tuple[str, ...], here: tuple[int, int], *, first: bool) -> Iterator[Finding]:
    if not first:
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
