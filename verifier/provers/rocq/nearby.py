"""Names that exist near one that does not: what the prover's own search knows, by edit distance."""

import difflib
import re
from typing import Final

from verifier.core.result import NearFact

_FOUND: Final = re.compile(r"^([^\W\d][\w.']*):(.*(?:\n[ \t].*)*)", re.MULTILINE)
_SHOWN: Final = 200


def question(name: str) -> str:
    """A search for facts that share the most telling part of the name."""
    parts = [part for part in re.split(r"[_.']", name) if part.isidentifier()]
    longest = max(parts, key=len, default="")
    return f'Search "{longest[:-1] if len(longest) > 5 else longest}".' if len(longest) > 2 else "Locate nothing."


def nearest(name: str, printed: str) -> tuple[NearFact, ...]:
    """The three nearest facts among what the search printed."""
    facts = {match.group(1): " ".join(match.group(2).split()) for match in _FOUND.finditer(printed)}
    base = name.rpartition(".")[2]
    by_base: dict[str, str] = {}
    for full in sorted(facts, key=len):
        by_base.setdefault(full.rpartition(".")[2], full)
    close = difflib.get_close_matches(base, by_base, n=3, cutoff=0.6)
    because = "its name is close to the one that does not exist"
    return tuple(NearFact(by_base[near], facts[by_base[near]][:_SHOWN], because) for near in close)
