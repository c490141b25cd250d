"""What a system may be given beyond the statement (the paper's augmentations)."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final


class Augmentation(StrEnum):
    """In the order in which they are shown."""

    SIMILAR = "similar"
    DEPENDENCY = "dependency"
    FIXING = "fixing"
    TRYAGAIN = "tryagain"


AUGMENTATION_WORDS: Final[dict[str, str]] = {Augmentation.TRYAGAIN: "try again"}  # the others are said as they are


def augmentations_said(names: Iterable[str], between: str = " + ") -> str:
    """Augmentations in words, one after the other; empty without any."""
    return between.join(AUGMENTATION_WORDS.get(name, name) for name in names)
