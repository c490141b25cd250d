"""What a theory imports, and what it defines or states under a name. One reader a prover, by text alone."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from verifier.core import isar, rocq

_DEFINES_ROCQ: Final = frozenset(
    {"Definition", "Fixpoint", "CoFixpoint", "Inductive", "CoInductive", "Record", "Structure", "Class", "Parameter"}
    | {"Axiom", "Function"}
)
_REQUIRE: Final = re.compile(r"\bRequire\s+(?:Import\s+|Export\s+)?([^.]*(?:\.[^.\s][^.]*)*)")


@dataclass(frozen=True, slots=True)
class Item:
    """A definition or the statement of a fact, without any proof: its name and where it stands in the text."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reader:
    """`items` of a text, with the commands its imports bring, in order; stems of the theories that a text imports."""

    items: Callable[[str, Mapping[str, str]], Sequence[Item]]
    imports: Callable[[str], Sequence[str]]


def _items_isabelle(text: str, commands: Mapping[str, str]) -> list[Item]:
    return [Item(*found) for found in isar.named(text, commands)]


def _items_rocq(text: str, _: Mapping[str, str]) -> list[Item]:
    return list(_rocq(text))


def _rocq(text: str) -> Iterator[Item]:
    stated = {lemma.start: lemma for lemma in rocq.lemmas(text)}
    for sentence in rocq.sentences(text):
        words = rocq.command_words(sentence)
        if sentence.start in stated:
            yield Item(stated[sentence.start].name, sentence.start, sentence.end)
        elif len(words) > 1 and words[0] in _DEFINES_ROCQ:
            yield Item(words[1], sentence.start, sentence.end)


def _imports_rocq(text: str) -> list[str]:
    found = (match.group(1).split() for match in _REQUIRE.finditer(rocq.without_comments(text)))
    return [name.rpartition(".")[2] for names in found for name in names]


READERS: Final = {
    "isabelle": Reader(_items_isabelle, isar.imports),
    "rocq": Reader(_items_rocq, _imports_rocq),
}
