"""What a system may be given beyond the statement (the paper's augmentations)."""

from enum import StrEnum
from typing import Final


class Augmentation(StrEnum):
    """In the order in which they are shown."""

    SIMILAR = "similar"
    DEPENDENCY = "dependency"
    FIXING = "fixing"
    TRYAGAIN = "tryagain"


AUGMENTATION_WORDS: Final[dict[str, str]] = {Augmentation.TRYAGAIN: "try again"}  # the others are said as they are
