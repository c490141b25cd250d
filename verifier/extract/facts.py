"""What is a stated fact, and in which of the paper's categories does its proof fall."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from verifier.extract.used import Used

MOST_LINES: Final = 20
_ONE_LINE: Final = 1
_FEW_LINES: Final = 6


class Rules(StrEnum):
    """Which facts count as problems."""

    PAPER = "paper"  # the line-based parser that the paper's section 3.3 sketches
    STRICT = "strict"  # real tokens and the project's own keywords
    FULL = "full"  # the same reading, and every proposition and instance that can be isolated, in blocks too


class Ending(StrEnum):
    """How the proof of a stated fact ends."""

    PROVED = "proved"
    GIVEN_UP = "given up"  # `oops`, or `sorry` anywhere
    OPEN = "open"  # the text goes on with something else before the proof is finished


@dataclass(frozen=True, slots=True)
class Fact:
    """A stated fact with its proof, as it stands in the sources.

    `line` is that of the statement's keyword, counted from 1. `proof_lines` counts the non-blank lines from the first
    proof command to the last. `target` is the X of `(in X)`; `in_block` says that a `begin … end` other than the
    theory's own surrounds the fact; `proposition` that what is proved is a fact, as with `lemma` and `instance`, and
    no `interpretation`. `used` is what the proof names, None where that is not read.
    """

    session: str
    theory: str
    member: str
    line: int
    keyword: str
    name: str
    proof_lines: int
    declarative: bool
    ending: Ending
    target: str = ""
    in_block: bool = False
    proposition: bool = True
    used: Used | None = None


def category_of(fact: Fact) -> str | None:
    """P1 (one line), P2 (two to six), P3 (seven to twenty) or D (declarative); None where the proof is longer.

    Source: the paper's section 3.3, "Lemma category".
    """
    if fact.proof_lines > MOST_LINES:
        return None
    if fact.declarative:
        return "D"
    if fact.proof_lines <= _ONE_LINE:
        return "P1"
    return "P2" if fact.proof_lines <= _FEW_LINES else "P3"


def kept(fact: Fact, rules: Rules) -> bool:
    """Whether the fact counts: a proved lemma or theorem outside every block, with a proof of at most twenty lines.

    `full` takes all that a snapshot just before the statement can isolate: any proposition or instance, wherever it
    stands, with a name or without. What a type definition, a function or an interpretation proves comes with axioms
    or with facts that are made from it, and is left out. The paper says that lemmas within locales are left out, yet
    its own example is one with `(in …)`: `paper` keeps those, `strict` does not.
    """
    if rules is Rules.FULL:
        return fact.ending is Ending.PROVED and fact.proposition and category_of(fact) is not None
    if fact.keyword not in {"lemma", "theorem"} or fact.ending is not Ending.PROVED or fact.in_block:
        return False
    if fact.target and rules is Rules.STRICT:
        return False
    return category_of(fact) is not None
