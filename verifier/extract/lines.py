"""Which facts does the rough, line-based parser of the paper's section 3.3 see."""

import re
from typing import Final

from verifier.extract.facts import Ending, Fact
from verifier.extract.sources import Where

_STATEMENT: Final = re.compile(r"(lemma|theorem)\b\s*(?:\(in\s+([\w.']+)\))?\s*([\w.']*)")
_PROOF: Final = re.compile(
    r"\s*(apply|by|proof|unfolding|using|supply|including|subgoal|prefer|defer|done|qed|oops|sorry)\b|\s*\.\.?\s*$"
)
_OPENS: Final = re.compile(r"(?:context|locale|class|instantiation|overloading|notepad|experiment|bundle)\b")
_BEGIN: Final = re.compile(r"\bbegin\b")
_END: Final = re.compile(r"end\b")


def facts_by_lines(where: Where, text: str) -> list[Fact]:
    """The facts of a theory, found by how its lines begin.

    A line that begins with `lemma` or `theorem` starts one and the first line that
    begins with `by`, `done`, `qed`, `oops`, `.` or `..` ends it; `by` goes on until its brackets close.

    Comments, strings and nesting of proofs are not read, as the paper says of its own parser. A statement whose end is
    missed swallows the lines up to the next line that could end it.
    """
    lines = text.splitlines()
    facts: list[Fact] = []
    depth = header = at = 0
    while at < len(lines):
        line = lines[at]
        found = _STATEMENT.match(line)
        if found is not None:
            fact, at = _fact(where, lines, at, found, in_block=depth > 0)
            facts.append(fact)
            continue
        header = 1 if _OPENS.match(line) else 0 if not line.strip() else header
        if header and _BEGIN.search(line):
            depth, header = depth + 1, 0
        elif _END.match(line):
            depth = max(0, depth - 1)
        at += 1
    return facts


def _fact(where: Where, lines: list[str], at: int, found: re.Match[str], *, in_block: bool) -> tuple[Fact, int]:
    first = next((n for n in range(at + 1, len(lines)) if _PROOF.match(lines[n])), len(lines))
    ending, stop = _end(lines, first)
    proof = [line for line in lines[first:stop] if line.strip()]
    fact = Fact(
        session=where.session,
        theory=where.theory,
        member=where.member,
        line=at + 1,
        keyword=found[1],
        name=found[3],
        proof_lines=len(proof),
        declarative=any(line.split()[0] == "proof" for line in proof),
        ending=ending,
        target=found[2] or "",
        in_block=in_block,
    )
    return fact, max(stop, at + 1)


def _end(lines: list[str], first: int) -> tuple[Ending, int]:
    """How the proof that begins at `first` ends, and the line after it."""
    for at in range(first, len(lines)):
        word = re.match(r"\s*(by|done|qed|oops|sorry|\.\.?)(?![\w.'])", lines[at])
        if word is None:
            continue
        if word[1] in {"oops", "sorry"}:
            return Ending.GIVEN_UP, at + 1
        return Ending.PROVED, (_balanced(lines, at) if word[1] == "by" else at + 1)
    return Ending.OPEN, len(lines)


def _balanced(lines: list[str], at: int) -> int:
    """The line after the one on which the brackets opened since line `at` are closed again."""
    depth = 0
    for number in range(at, len(lines)):
        depth += sum(lines[number].count(char) for char in "([") - sum(lines[number].count(char) for char in ")]")
        if depth <= 0:
            return number + 1
    return len(lines)
