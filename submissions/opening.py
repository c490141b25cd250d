"""Whether a benchmark takes submissions now.

Below services and selectors, because the ones refuse by it and the others show it.
"""

from datetime import datetime
from enum import StrEnum

from verifier.models import Pack


class Opening(StrEnum):
    """What a benchmark is at one moment."""

    SOON = "opens later"
    OPEN = "open"
    CLOSED = "closed"


def opening(pack: Pack, now: datetime) -> Opening:
    """State of a benchmark at one moment: it opens at the first moment that its pack names and closes at the second."""
    if pack.opens and now < pack.opens:
        return Opening.SOON
    return Opening.CLOSED if pack.closes and now >= pack.closes else Opening.OPEN
