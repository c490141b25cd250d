"""A finding: what is wrong, where, and what to do. Used by pack checks, preflight and lint alike."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from verifier.core.reason import Reason

NAMED: Final = 5  # findings of one proof that are told one by one; to find all of them may take long


class Consequence(StrEnum):
    """What follows from a finding, in the order in which reports group them."""

    REFUSED = "refused"  # the whole upload or pack is refused
    REJECTED = "rejected"  # this proof counts as rejected, the rest goes on
    FAILING = "failing"  # the prover judges this proof, and will not accept it
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


def few(found: Sequence[Finding]) -> list[Finding]:
    """The first findings of one proof, and one that says that there are more."""
    if len(found) <= NAMED:
        return list(found)
    message = f"There is more in this proof that is not allowed; the first {NAMED} findings are named."
    return [*found[:NAMED], replace(found[NAMED], message=message, remedy="Mend these and look again.")]
