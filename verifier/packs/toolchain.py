"""Whether a release of a prover is one that a pack is meant for: comparisons as `>=8.16, <9.2`."""

import operator
import re
from collections.abc import Callable
from typing import Final

_COMPARISON: Final = re.compile(r"(>=|<=|==|<|>)\s*(\d+(?:\.\d+)*)")
_RELEASE: Final = re.compile(r"\d+(?:\.\d+)*")
_OPERATORS: Final[dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}


def suits(version: str, toolchain: str) -> bool:
    """Whether `version` meets every comparison; it counts by its first number, so `Isabelle2024` is 2024.

    Only as many places are compared as the pack writes: 8.16.1 is `==8.16` and `<=8.16`.
    """
    found = _RELEASE.search(version)
    if found is None:
        return False
    for comparison, wanted in _COMPARISON.findall(toolchain):
        places = _places(wanted)
        have = _places(found.group())[: len(places)]
        if not _OPERATORS[comparison](have + (0,) * (len(places) - len(have)), places):
            return False
    return True


def _places(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in release.split("."))
