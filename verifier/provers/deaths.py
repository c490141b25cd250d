"""What it means for a proof that the prover's process ended while it ran; the same for every prover."""

from collections.abc import Sequence
from typing import Final

from verifier.core.limits import Limits
from verifier.core.process import LimitHit, Outcome
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ProofResult, ProofTask

LIMIT_REASONS: Final = {
    LimitHit.WALL: Reason.WALL_TIME,
    LimitHit.CPU: Reason.WALL_TIME,
    LimitHit.MEMORY: Reason.MEMORY,
    LimitHit.OUTPUT: Reason.OUTPUT,
    LimitHit.PROCESSES: Reason.PROCESSES,
    LimitHit.DISK: Reason.DISK,
}
_LAST_WORDS: Final = 4000  # bytes


def death_result(task: ProofTask, outcome: Outcome, limits: Limits, out_of_memory: Sequence[bytes]) -> ProofResult:
    """The verdict by the limit that the supervisor saw; `out_of_memory` are a prover's own last words for that."""
    reason = Reason.PROVER_CRASH if outcome.limit is None else LIMIT_REASONS[outcome.limit]
    if outcome.limit is None and any(word in outcome.stderr[-_LAST_WORDS:] for word in out_of_memory):
        reason = Reason.MEMORY
    message = f"The prover ended: exit {outcome.exit_code}, signal {outcome.signal}, limit {outcome.limit}."
    if reason is Reason.WALL_TIME:
        message = f"The proof was still running after {limits.wall_seconds:g} s."
    return ProofResult(task.problem, task.attempt, REASONS[reason].verdict, reason, message=message)
