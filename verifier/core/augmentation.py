"""What a system may be given beyond the statement (the paper's augmentations)."""

from enum import StrEnum


class Augmentation(StrEnum):
    """In the order in which they are shown."""

    SIMILAR = "similar"
    DEPENDENCY = "dependency"
    FIXING = "fixing"
    TRYAGAIN = "tryagain"
