"""How near accepted proofs are to the host's own, as figures from which no proof can be read.

The ground truth stays with the host; what leaves this module are counts and quartiles per category (design, section 5:
`ground_truth` never leaves the host).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

FEWEST: Final = 3  # a quartile of fewer proofs would tell about single ones
QUARTILES: Final = {"low": 0.25, "median": 0.5, "high": 0.75}
_COMMENTS: Final = {
    "lean": re.compile(r"/-.*?-/|--[^\n]*", re.DOTALL),
    "": re.compile(r"\(\*.*?\*\)", re.DOTALL),
}
_TOKEN: Final = re.compile(r"\\<\^?\w+>|\w[\w'.]*\w|\w|[^\w\s]")
_OPENING: Final = (("Proof", "."),)
_CLOSING: Final = (("Qed", "."), ("Defined", "."))


@dataclass(frozen=True, slots=True)
class Likeness:
    """One accepted proof beside the host's: the same token for token or not, and the similarity, 0 to 1."""

    category: str
    same: bool
    similarity: float


def proof_tokens(text: str, prover: str) -> tuple[str, ...]:
    """Words and signs of a proof without comments, and without the frame `Proof. … Qed.` that says nothing."""
    bare = _COMMENTS.get(prover, _COMMENTS[""]).sub(" ", text)
    tokens = tuple(_TOKEN.findall(bare))
    tokens = next((tokens[len(frame) :] for frame in _OPENING if tokens[: len(frame)] == frame), tokens)
    return next((tokens[: -len(frame)] for frame in _CLOSING if tokens[-len(frame) :] == frame), tokens)


def likeness(category: str, proof: Sequence[str], truth: Sequence[str]) -> Likeness:
    """`proof` beside `truth`, both as tokens.

    Similarity is the Dice coefficient 2 |A ∩ B| / (|A| + |B|) of the multisets of neighbouring token pairs, the ends of
    the text being tokens too. Source: Dice 1945, "Measures of the amount of ecologic association between species".
    """
    first, second = _pairs(proof), _pairs(truth)
    shared = (first & second).total()
    return Likeness(category, tuple(proof) == tuple(truth), 2 * shared / (first.total() + second.total()))


def originality(found: Iterable[Likeness]) -> dict[str, dict[str, Any]]:
    """Figures by category and, under "", of all.

    `proofs` were compared, `same` are the host's token for token; `low`, `median`, `high` are the quartiles of the
    similarity of the others, None where fewer than three are left.
    """
    groups: dict[str, list[Likeness]] = defaultdict(list)
    for each in found:
        groups[each.category].append(each)
        groups[""].append(each)
    return {name: _figures(inside) for name, inside in sorted(groups.items())}


def _figures(inside: Sequence[Likeness]) -> dict[str, Any]:
    values = sorted(each.similarity for each in inside if not each.same)
    figures: dict[str, Any] = {"proofs": len(inside), "same": len(inside) - len(values)}
    for name, share in QUARTILES.items():
        figures[name] = round(_quantile(values, share), 3) if len(values) >= FEWEST else None
    return figures


def _quantile(values: Sequence[float], share: float) -> float:
    """Linear interpolation between order statistics."""
    place = share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (place - below) * (values[above] - values[below])


def _pairs(tokens: Sequence[str]) -> Counter[tuple[str, str]]:
    framed = ["", *tokens, ""]
    return Counter(pairwise(framed))
