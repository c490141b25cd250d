"""What can be said about one proof, and whose doing it is.

Three axes are kept apart (design, section 4): the verdict, the reason behind it, and whether a second look
agreed. Only `proved` scores, and it needs positive evidence; whatever cannot be explained is `internal`.
"""

from enum import StrEnum


class Verdict(StrEnum):
    """Outcome of checking one proof. `missing` is derived from absence and never stored."""

    PROVED = "proved"
    FAILED = "failed"
    REJECTED = "rejected"
    TIMEOUT = "timeout"
    RESOURCE = "resource"
    INTERNAL = "internal"


class ErrorClass(StrEnum):
    """Classes of failure in the order in which they are always shown (Selene paper, section 4.3, Table 3)."""

    UNDEFINED = "undefined"
    LOGIC = "logic"
    OTHER = "other"


class Blame(StrEnum):
    """Who has to act. Blame on the platform or the benchmark never counts against a system."""

    SUBMISSION = "submission"
    BENCHMARK = "benchmark"
    PLATFORM = "platform"


class Confirmation(StrEnum):
    """Second look at a proved proof in a fresh process (design, section 7)."""

    NOT_NEEDED = "not_needed"
    PENDING = "pending"
    CONFIRMED = "confirmed"
    DISAGREED = "disagreed"


class Audit(StrEnum):
    """Independent route through the distribution's own tools, for a sample of proved proofs."""

    NOT_SAMPLED = "not_sampled"
    PENDING = "pending"
    AGREED = "agreed"
    DISAGREED = "disagreed"
