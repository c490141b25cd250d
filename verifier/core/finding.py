"""A finding: what is wrong, where, and what to do. Used by pack checks, preflight and lint alike."""

from dataclasses import dataclass
from enum import StrEnum

from verifier.core.reason import Reason


class Consequence(StrEnum):
    """What follows from a finding, in the order in which reports group them."""

    REFUSED = "refused"  # the whole upload or pack is refused
    REJECTED = "rejected"  # this proof counts as rejected, the rest goes on
    MISSING = "missing"  # counts as not solved
    IGNORED = "ignored"  # this member is left out
    TIDIED = "tidied"  # changed in a way that no prover reads


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `member` is a file or archive member (escaped for display), `line` counts from 1.

    `reason` is set when the finding decides the verdict of a proof; `problem` and `attempt` name that proof.
    """

    consequence: Consequence
    message: str
    remedy: str
    member: str = ""
    line: int | None = None
    column: int | None = None
    reason: Reason | None = None
    problem: str = ""
    attempt: int | None = None
