"""Context for prompts, by problem: what is similar in the theory before it, and what its statement depends on.

The paper's augmentations (section 5.1). Everything is cut from theories in which the proofs of evaluation problems are
left out already, and from statements; no cut can reach into such a proof.
"""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from verifier.core.problem import Pack, ProblemSpec, Use
from verifier.core.tokens import count_tokens
from verifier.packs.surroundings import READERS, Item
from verifier.packs.theories import SOURCES

SIMILAR: Final = 5
DEPENDENCIES: Final = 20
_LONGEST: Final = 4_000  # characters of one excerpt
_K1, _B = 1.5, 0.75
_CHUNK: Final = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|\Z))+")
_WORD: Final = re.compile(r"[^\W\d_][\w']*")
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")

Masked = Mapping[str, tuple[str, Mapping[int, int]]]


@dataclass(frozen=True, slots=True)
class _Library:
    """The chunks of one theory with the place of each, and the index over them."""

    chunks: Sequence[tuple[int, int, str]]
    index: Any


@dataclass(frozen=True, slots=True)
class _Defining:
    """A theory as others see it: its text, what it defines and states, what it imports."""

    text: str
    items: Sequence[Item]
    imports: Sequence[str]

    def excerpt(self, item: Item) -> str:
        """The text of a definition or statement, as long as an excerpt may be."""
        return self.text[item.start : item.end].strip()[:_LONGEST]


def context_records(
    pack: Pack, problems: Sequence[ProblemSpec], masked: Masked, uses: Mapping[str, Sequence[Use]]
) -> Iterator[dict[str, Any]]:
    """What is told of each problem: `similar` and `dependency` excerpts, each with its size in tokens of cl100k_base.

    `uses` is by problem what the prover itself said that it uses; of the other problems the text is read.
    `masked` are the units without the proofs that the host keeps, and where each lemma starts in them.
    """
    defining = _defining(pack)
    imported = lru_cache(maxsize=1)(partial(_imported, defining))  # problems of one theory stand together
    libraries: dict[str, _Library] = {}
    for problem in problems:
        text, starts = masked[problem.unit]
        if problem.unit not in libraries:
            libraries[problem.unit] = _library(text)
        similar = list(_similar(libraries[problem.unit], problem, starts[problem.position]))
        said = uses.get(problem.id)
        found = (
            _dependency(defining, imported(problem.unit), problem)
            if said is None
            else _said(defining, problem, said, pack)
        )
        dependency = list(islice(found, DEPENDENCIES))
        yield {
            "from": "text" if said is None else "prover",
            "similar": [_sized(theory=problem.unit, text=one) for one in similar],
            "dependency": [_sized(theory=unit, name=name, text=one) for unit, name, one in dependency],
        }


def _sized(*, text: str, **names: str) -> dict[str, Any]:
    return {**names, "text": text, "tokens": count_tokens(text)}


def _library(text: str) -> _Library:
    import bm25s  # noqa: PLC0415 (numpy's start is dear, and only exports rank)

    logging.getLogger("bm25s").setLevel(logging.WARNING)  # it tells of every step on standard error
    chunks = [(found.start(), found.end(), found.group().rstrip()) for found in _CHUNK.finditer(text)]
    index = bm25s.BM25(k1=_K1, b=_B)
    index.index([_words(chunk) for _, _, chunk in chunks] or [["-"]], show_progress=False)
    return _Library(chunks, index)


def _similar(library: _Library, problem: ProblemSpec, start: int) -> Iterator[str]:
    """The likest chunks that end before the lemma begins, the likest first."""
    scores = library.index.get_scores(_words(problem.statement))
    before = [at for at, (_, end, _) in enumerate(library.chunks) if end <= start and scores[at] > 0]
    for at in sorted(before, key=lambda at: (-float(scores[at]), at))[:SIMILAR]:
        yield library.chunks[at][2][:_LONGEST]


def _words(text: str) -> list[str]:
    """Names as they stand, and their parts: `ev_mask` is similar to `ev_limit` too."""
    names = _WORD.findall(text)
    return [*names, *(part.lower() for name in names for part in _PART.findall(name) if part != name)]


def _defining(pack: Pack) -> dict[str, _Defining]:
    source, reader = SOURCES[pack.prover], READERS[pack.prover]
    found: dict[str, _Defining] = {}
    for path in sorted(Path(pack.root / "theories").rglob(f"*{source.extension}")):
        text = path.read_text(encoding="utf-8")
        found[path.stem] = _Defining(text, reader.items(text, pack.commands), reader.imports(text))
    return found


def _dependency(
    defining: Mapping[str, _Defining], imported: Mapping[str, tuple[str, Item]], problem: ProblemSpec
) -> Iterator[tuple[str, str, str]]:
    """Theory, name and text of what the statement's names mean, in the order of the statement, each once.

    `imported` is what the theory's imports define, by name.
    """
    own = defining[problem.unit]
    start = own.text.find(problem.statement)
    before = {item.name: (problem.unit, item) for item in own.items if item.end <= start}
    for name in dict.fromkeys(_WORD.findall(problem.statement)):
        plain = name.removesuffix("_def")
        meant = before.get(plain) or imported.get(plain)
        if meant is not None and name != problem.lemma:
            unit, item = meant
            yield unit, item.name, defining[unit].excerpt(item)


def _imported(defining: Mapping[str, _Defining], unit: str) -> dict[str, tuple[str, Item]]:
    """What the imports of a theory define: by name the nearest of them and the place there."""
    found: dict[str, tuple[str, Item]] = {}
    for name in _reached(defining, unit):
        for item in defining[name].items:
            found.setdefault(item.name, (name, item))
    return found


def _said(
    defining: Mapping[str, _Defining], problem: ProblemSpec, said: Sequence[Use], pack: Pack
) -> Iterator[tuple[str, str, str]]:
    """Theory, name and text of what the prover said that the problem uses, each place once.

    A constant of the distribution is known to everybody; facts of proofs are told only where the pack allows it, its
    own before those of the distribution.
    """
    met: set[tuple[str, str]] = set()
    for use in sorted(said, key=lambda use: (use.kind == "fact", use.kind == "fact" and use.theory not in defining)):
        own = defining.get(use.theory)
        told = pack.proof_dependencies if use.kind == "fact" else own is not None
        if not told:
            continue
        item = next((one for one in own.items if one.start <= use.at < one.end), None) if own else None
        name = use.name if item is None else item.name
        if (use.theory, name) in met or (use.theory == problem.unit and name == problem.lemma):
            continue
        met.add((use.theory, name))
        yield use.theory, name, use.says[:_LONGEST] if own is None or item is None else own.excerpt(item)


def _reached(defining: Mapping[str, _Defining], unit: str) -> list[str]:
    """Theories of the pack that a theory imports, at any distance, nearest first."""
    order: dict[str, None] = {}
    waiting = list(defining[unit].imports)
    while waiting:
        name = waiting.pop(0)
        if name in defining and name not in order and name != unit:
            order[name] = None
            waiting += defining[name].imports
    return list(order)
