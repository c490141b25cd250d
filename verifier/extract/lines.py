"""Which facts does the rough, line-based parser of the paper's section 3.3 see."""

import re
from typing import Final

from verifier.extract.facts import Ending, Fact
from verifier.extract.sources import Where

_STATEMENT: Final = re.compile(r"(lemma|theorem)\b\s*(?:\(in\s+([\w.']+)\))?\s*([\w.']*)")
_PROOF: Final = re.compile(
    r"\s*(apply|by|proof|unfolding|using|supply|including|subgoal|prefer|defer|done|qed|oops|sorry)\b|\s*\.\.?\s*$"
)
_WORD: Final = re.compile(r"\s*(apply|by|proof|done|qed|oops|sorry|\.\.?)(?![\w.'])")
_DECLARATIVE: Final = re.compile(r"\s*proof\b")
_QUOTED: Final = re.compile(
    r'"\s*(?:apply|by|proof|unfolding|using)\b'
)  # a proof that begins on the statement's last line
_QUOTED_WORD: Final = re.compile(r'"\s*(apply|by|proof)\b')
_OPENS: Final = re.compile(
    r"\s*begin\s*$|(?:context|locale|class|instantiation|overloading|notepad|experiment|bundle)\b.*\bbegin\b"
)
_HEADER_ENDS: Final = re.compile(r"(?:.*\s)?begin\s*$")
_END: Final = re.compile(r"end\b")


def facts_by_lines(where: Where, text: str) -> list[Fact]:
    """The facts of a theory, found by how its lines begin.

    A line that begins with `lemma` or `theorem` starts one. The first line after it that begins with `by`, `done`,
    `qed`, `oops`, `.` or `..` ends it, after a `proof` the first `qed` alone; so does a `by` right behind the quote
    that ends the statement. `by` and `apply` go on until their brackets close. Where the next `lemma` or
    `theorem` comes before such an end, the fact is given up and that line starts the next one. A line that is
    `begin`, or that begins with `context`, `locale` and the like and holds `begin`, opens a block; one that begins
    with `end` closes it.

    Comments, strings and ends further within a line are not read, as the paper says of its own parser: what stands
    between a missed end and the next statement is swallowed, also a `begin` or an `end`.
    """
    lines = text.splitlines()
    facts: list[Fact] = []
    depth, at = 0, 1 + next((n for n, line in enumerate(lines) if _HEADER_ENDS.match(line)), -1)
    while at < len(lines):
        line = lines[at]
        found = _STATEMENT.match(line)
        if found is not None:
            fact, at = _fact(where, lines, at, found, in_block=depth > 0)
            facts.append(fact)
            continue
        if _OPENS.match(line):
            depth += 1
        elif _END.match(line):
            depth = max(0, depth - 1)
        at += 1
    return facts


def _fact(where: Where, lines: list[str], at: int, found: re.Match[str], *, in_block: bool) -> tuple[Fact, int]:
    first = next((n for n in range(at, len(lines)) if _begins_proof(lines[n], stated=n > at)), len(lines))
    ending, stop = _end(lines, at, first)
    proof = [line for line in lines[first:stop] if line.strip()]
    fact = Fact(
        session=where.session,
        theory=where.theory,
        member=where.member,
        line=at + 1,
        keyword=found[1],
        name=found[3],
        proof_lines=len(proof),
        declarative=any(_DECLARATIVE.match(line) for line in proof),
        ending=ending,
        target=found[2] or "",
        in_block=in_block,
    )
    return fact, max(stop, at + 1)


def _begins_proof(line: str, *, stated: bool) -> bool:
    """Whether a statement ends on this line or before it; `stated` says that the line is not the statement's first."""
    return bool(_QUOTED.search(line) or (stated and (_PROOF.match(line) or _STATEMENT.match(line))))


def _end(lines: list[str], stated: int, first: int) -> tuple[Ending, int]:
    """How the proof that begins at `first` ends, and the line after it; after `proof` only a `qed` ends it."""
    structured, at = False, first
    while at < len(lines):
        if at > stated and _STATEMENT.match(lines[at]):
            return Ending.OPEN, at
        word = _WORD.match(lines[at]) or (_QUOTED_WORD.search(lines[at]) if at == first else None)
        after = at + 1 if word is None else _balanced(lines, at)
        if word is not None:
            if word[1] in {"oops", "sorry"}:
                return Ending.GIVEN_UP, at + 1
            structured = structured or word[1] == "proof"
            if word[1] == "qed" or (word[1] not in {"proof", "apply"} and not structured):
                return Ending.PROVED, after
        at = after
    return Ending.OPEN, len(lines)


def _balanced(lines: list[str], at: int) -> int:
    """The line after the one on which the brackets opened since line `at` are closed again."""
    depth = 0
    for number in range(at, len(lines)):
        depth += sum(lines[number].count(char) for char in "([") - sum(lines[number].count(char) for char in ")]")
        if depth <= 0:
            return number + 1
    return len(lines)
