"""Values that pass between intake, provers, engine and the database. All frozen, no behaviour but construction."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from verifier.core.reason import REASONS, Reason
from verifier.core.verdict import ErrorClass, Verdict


@dataclass(frozen=True, slots=True)
class Place:
    """A span in a submitted text: lines and columns count from 1, columns in characters, the end is exclusive."""

    line: int
    column: int = 1
    end_line: int | None = None
    end_column: int | None = None


@dataclass(frozen=True, slots=True)
class NearFact:
    """An existing fact or tactic offered where a name was unknown, nearest first."""

    name: str
    says: str
    because: str


@dataclass(frozen=True, slots=True)
class ProofTask:
    """One proof to check: problem id, attempt (0 greedy, 1..k samples) and canonical text."""

    problem: str
    attempt: int
    text: str


@dataclass(frozen=True, slots=True)
class ProofResult:
    """What one look at one proof found.

    `reason` is None exactly when `verdict` is `proved`. `message` is capped by the caller; `verbatim` tells that it is
    the prover's own words and not the judge's. `place` and `command` point at what failed in the submitted text;
    `goals` is the proof state just before it. `wall_ms` and `cpu_ms` are those of this proof alone, without waiting or
    session start. `evidence` holds what a `proved` rests on (nonce, digests, axioms), by name.
    """

    problem: str
    attempt: int
    verdict: Verdict
    reason: Reason | None = None
    message: str = ""
    place: Place | None = None
    command: str = ""
    goals: str = ""
    near: tuple[NearFact, ...] = ()
    wall_ms: int = 0
    cpu_ms: int = 0
    evidence: Mapping[str, str] = field(default_factory=dict)
    verbatim: bool = False

    def __post_init__(self) -> None:
        """Verdict and reason can never contradict each other."""
        if (self.reason is None) != (self.verdict is Verdict.PROVED):
            raise ValueError(f"verdict {self.verdict} does not go with reason {self.reason}")
        if self.reason is not None and REASONS[self.reason].verdict is not self.verdict:
            raise ValueError(f"reason {self.reason} belongs to verdict {REASONS[self.reason].verdict}")

    @property
    def error_class(self) -> ErrorClass | None:
        """Class of the paper's error table, None for proved and internal."""
        return None if self.reason is None else REASONS[self.reason].error_class


@dataclass(frozen=True, slots=True)
class ConfirmationResult:
    """What the second look at one proved proof found; `agreed` is None when the platform could not look.

    `reason` goes with `agreed` False where the look found a fault of the proof itself, which then decides its verdict;
    without one the two looks contradict each other. With `agreed` None it names the limit that the proof passed, alone
    in a fresh process, or is `sandbox_failed` where the platform could not look at all.
    """

    problem: str
    attempt: int
    agreed: bool | None
    message: str = ""
    axioms: tuple[str, ...] = ()
    reason: Reason | None = None
