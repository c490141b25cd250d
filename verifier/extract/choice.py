"""Which problems does a seed draw: the same names, number and seed draw the same ones on every machine."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from verifier.core.digest import digest_text

DEMONSTRATIONS: Final = 5  # of each category; the paper gives as many in its prompts


def shuffled(names: Iterable[str], seed: int) -> list[str]:
    """The names in the order of the digests of seed and name, which depends on nothing else than these."""
    return sorted(names, key=lambda name: (digest_text(f"{seed} {name}"), name))


def chosen(names: Iterable[str], number: int, seed: int) -> list[str]:
    """The first of the shuffled names."""
    return shuffled(names, seed)[:number]


def shares(sizes: Mapping[str, int], total: int) -> dict[str, int]:
    """How many of `total` fall to each group, in proportion to its size; largest remainders get what is left."""
    whole = sum(sizes.values())
    total = min(total, whole)
    exact = {name: total * size / whole for name, size in sizes.items()} if whole else {}
    found = {name: int(share) for name, share in exact.items()}
    order: Sequence[str] = sorted(exact, key=lambda name: (found[name] - exact[name], name))
    for name in order[: total - sum(found.values())]:
        found[name] += 1
    return found
