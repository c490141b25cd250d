"""What the sources of a pack state. One reader a prover; a new prover is one row of `SOURCES`."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from verifier.core import isar, rocq


@dataclass(frozen=True, slots=True)
class Stated:
    """A lemma that a theory states, with the proof that stands there.

    `position` orders the lemmas of a theory; `line` counts from 1. `lines` and `declarative` are what categories
    are made of: lines of the proof, and whether it states intermediate goals. `finished` is False where the source
    gives the goal up, `transparent` True where proofs of later lemmas can read what this one's proof made. `start` is
    where the statement begins; `proof_start` and `proof_end` enclose the proof.
    """

    name: str
    statement: str
    proof: str
    position: int
    line: int
    scope: tuple[str, ...]
    lines: int
    declarative: bool
    finished: bool
    transparent: bool
    start: int
    proof_start: int
    proof_end: int


@dataclass(frozen=True, slots=True)
class Source:
    """How theories of one prover are read, and what teams get in place of a proof that the host keeps.

    `sample` is a proof that is well formed and often wrong: what the sample submission holds. `kept` stands behind
    what `head` finds at the start of the proof, which says what the lemma takes from its surroundings.
    """

    extension: str
    project_files: frozenset[str]  # other files that may stand beside the theories
    stated: Callable[[str, Mapping[str, str]], Sequence[Stated]]  # of a text, with the commands its imports bring
    declared: Callable[[Iterable[str]], Mapping[str, str]]  # commands that texts declare
    head: re.Pattern[str]
    kept: str
    sessions: bool  # folders are sessions, whose theories need not all be units
    sample: str


# Tactics of the standard library and of ssreflect that state a goal in words of the author (design, section 7.2).
# `pose proof` and `set` name terms that exist already; `have :=` and `assert (x := t)` do the same.
_INTERMEDIATE: Final = re.compile(
    r"(?<![\w'])(?:(?:e?assert|e?enough|have|suff|suffices|gen have|wlog|without loss|claim)(?![\w'])(?!\s*:=)"
    r"|cut(?![\w']))"
)
_NAMED_TERM: Final = re.compile(r"(?:e?assert|have)\s*(?:\(\s*)?[\w']*\s*:=")
_STRING: Final = re.compile(r'"[^"]*"')


def states_goals_rocq(proof: str) -> bool:
    """Whether a Rocq proof states an intermediate goal outside comments and strings."""
    bare = _STRING.sub('""', rocq.without_comments(proof))
    return any(not _NAMED_TERM.match(bare, match.start()) for match in _INTERMEDIATE.finditer(bare))


def _stated_rocq(text: str, _: Mapping[str, str]) -> list[Stated]:
    return [
        Stated(
            name=lemma.name,
            statement=lemma.statement,
            proof=lemma.proof,
            position=lemma.index,
            line=lemma.line,
            scope=lemma.scope,
            lines=lemma.proof_lines,
            declarative=states_goals_rocq(lemma.proof),
            finished=lemma.ending in {"Qed", "Defined", "Save"},
            transparent=lemma.ending == "Defined",
            start=lemma.start,
            proof_start=lemma.end - len(lemma.proof),
            proof_end=lemma.end,
        )
        for lemma in rocq.lemmas(text)
    ]


def _declared_rocq(_: Iterable[str]) -> dict[str, str]:
    return {}


def _stated_isabelle(text: str, commands: Mapping[str, str]) -> list[Stated]:
    return [
        Stated(
            name=fact.name,
            statement=fact.statement,
            proof=fact.proof,
            position=fact.index,
            line=fact.line,
            scope=fact.scope,
            lines=fact.proof_lines,
            declarative=fact.declarative,
            finished=fact.finished,
            transparent=False,
            start=fact.start,
            proof_start=fact.proof_start,
            proof_end=fact.end,
        )
        for fact in isar.stated(text, commands)
    ]


SOURCES: Final[dict[str, Source]] = {
    "rocq": Source(
        extension=".v",
        project_files=frozenset({"_CoqProject"}),
        stated=_stated_rocq,
        declared=_declared_rocq,
        head=re.compile(r"Proof(?:\s+using\b[^.]*)?\.|"),
        kept="\n  (* The host keeps this proof. *)\nAdmitted.",
        sessions=False,
        sample="Proof.\n  intros.\n  auto.\nQed.\n",
    ),
    "isabelle": Source(
        extension=".thy",
        project_files=frozenset({"ROOT"}),
        stated=_stated_isabelle,
        declared=isar.declared,
        head=re.compile(r""),
        kept="(* The host keeps this proof. *)\n  sorry",
        sessions=True,
        sample="by auto\n",
    ),
}
