"""How one proof gets its verdict: in a warm session, in a fresh one when that dies, by the second look when unsure.

A proof during which the process dies without a limit that explains it is tried once more, alone in a fresh process,
before it is blamed; so is one that ran out of time without having had it, because the machine was busy.
"""

import time
from dataclasses import replace
from typing import Final

from verifier.core.errors import PlatformFault
from verifier.core.limits import Limits
from verifier.core.problem import Pack, ProblemSpec
from verifier.core.process import LimitHit, Outcome, Sandbox, Session, SessionDied
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ProofResult, ProofTask
from verifier.core.verdict import Verdict
from verifier.provers.base import UNSURE, AnswerLost, BuiltEnvironment, Dialogue, Opening, Prover, ProverSession

_MESSAGE: Final = 20_000
_STARVED: Final = 0.5  # of its time; a proof that had less of a processor than this waited for the machine
_OWN_LIMITS: Final = frozenset({LimitHit.WALL, LimitHit.CPU, LimitHit.OUTPUT})  # seen while this proof ran, for certain


class _SessionDeathError(Exception):
    """The session ended; `timed` says whether the proof's own clock was running."""

    def __init__(self, outcome: Outcome, timed: bool) -> None:
        self.outcome = outcome
        self.timed = timed
        super().__init__(str(outcome))


def internal(task: ProofTask, reason: Reason, message: str) -> ProofResult:
    """The platform's own fault, of which the proof bears nothing."""
    return ProofResult(task.problem, task.attempt, Verdict.INTERNAL, reason, message=message[:_MESSAGE])


class Line:
    """The sessions of one unit, one after the other: a new one is opened when the last has died."""

    def __init__(  # noqa: PLR0917 - one caller
        self, prover: Prover, environment: BuiltEnvironment, pack: Pack, unit: str, sandbox: Sandbox, limits: Limits
    ) -> None:
        self._prover, self._environment, self._pack, self._unit = prover, environment, pack, unit
        self._sandbox, self._limits = sandbox, limits
        self._session: Session | None = None
        self._plan: ProverSession | None = None
        self._wall_ms = 0
        self._cpu_ms = 0

    def result(self, problem: ProblemSpec, task: ProofTask) -> ProofResult:
        """The verdict on one proof; never raises."""
        try:
            return self._made_sure(task, self._tried(problem, task))
        except _SessionDeathError as death:
            reason = Reason.PROVER_BROKEN
            message = f"The prover ended outside the proof: {_ending(death.outcome)}"
        except PlatformFault as fault:
            reason = Reason.SANDBOX_FAILED if self._session is None else Reason.PROVER_BROKEN
            message = str(fault)
        except OSError as error:
            reason, message = Reason.SANDBOX_FAILED, str(error)
        self.close()
        return internal(task, reason, message)

    def _made_sure(self, task: ProofTask, result: ProofResult) -> ProofResult:
        """The result, or where its session could not tell, what the second look says of this proof alone."""
        if UNSURE not in result.evidence:
            return result
        run = self._sandbox.run
        found = self._prover.confirm(self._environment, self._pack, self._unit, [task], self._limits, run)[0]
        if found.agreed:
            return result
        if found.reason is None:
            raise PlatformFault(f"A second look at the proof could not make sure of it. {found.message}")
        message, verdict = found.message[:_MESSAGE], REASONS[found.reason].verdict
        return replace(result, verdict=verdict, reason=found.reason, message=message, evidence={})

    def _tried(self, problem: ProblemSpec, task: ProofTask) -> ProofResult:
        try:
            result = self._checked(problem, task)
            if not self._starved(result):
                return result
            self.close()
        except _SessionDeathError as death:
            self.close()
            if death.timed and death.outcome.limit in _OWN_LIMITS:
                result = self._dead(problem, task, death.outcome)
                if not self._starved(result):
                    return result
        # A death that no limit of this proof explains may be the session's, a time that a proof did not have the
        # machine's: once more, alone in a fresh process.
        try:
            return self._checked(problem, task)
        except _SessionDeathError as death:
            self.close()
            if death.timed:
                return self._dead(problem, task, death.outcome)
            raise
        finally:
            self.close()

    def _starved(self, result: ProofResult) -> bool:
        return result.verdict is Verdict.TIMEOUT and result.cpu_ms < _STARVED * 1000 * self._limits.wall_seconds

    def _dead(self, problem: ProblemSpec, task: ProofTask, outcome: Outcome) -> ProofResult:
        result = self._prover.interpret_death(problem, task, outcome, self._limits)
        return replace(result, wall_ms=self._wall_ms, cpu_ms=self._cpu_ms)

    def _checked(self, problem: ProblemSpec, task: ProofTask) -> ProofResult:
        if self._plan is not None and self._plan.spent:
            self.close()
        if self._session is None or self._plan is None:
            self._plan = self._prover.session(self._environment, self._pack, self._unit, self._limits)
            self._session = self._sandbox.open(self._plan.command)
            self._drive(self._plan.opening())
        self._wall_ms = self._cpu_ms = 0
        result = self._drive(self._plan.check(problem, task, self._limits))
        if result is None:
            raise PlatformFault("The adapter ended a check without a result.")
        wall_ms, cpu_ms = self._wall_ms or result.wall_ms, self._cpu_ms or result.cpu_ms
        return replace(result, message=result.message[:_MESSAGE], wall_ms=wall_ms, cpu_ms=cpu_ms)

    def _drive(self, dialogue: Dialogue | Opening) -> ProofResult | None:
        """Send what the adapter yields, give back what the prover said, and keep the proof's own clock."""
        assert self._session is not None
        try:
            request = next(dialogue)
            while True:
                started, cpu = time.monotonic(), self._session.cpu_ms() if request.timed else 0
                try:
                    reply = self._session.ask(request.data, request.until, request.wall_seconds)
                except SessionDied as death:
                    if request.spare:
                        request = dialogue.throw(AnswerLost())
                        continue
                    if request.timed:
                        self._wall_ms += round((time.monotonic() - started) * 1000)
                        self._cpu_ms += max(0, death.outcome.cpu_ms - cpu)
                    raise _SessionDeathError(death.outcome, request.timed) from death
                if request.timed:
                    self._wall_ms += reply.wall_ms
                    self._cpu_ms += max(0, self._session.cpu_ms() - cpu)
                request = dialogue.send(reply)
        except StopIteration as end:
            result: ProofResult | None = end.value
            return result

    def close(self) -> None:
        """End the session that is open, if any."""
        session, self._session, self._plan = self._session, None, None
        if session is not None:
            session.close()


def _ending(outcome: Outcome) -> str:
    said = outcome.stderr.decode(errors="replace").strip()[-300:]
    return f"exit {outcome.exit_code}, signal {outcome.signal}, limit {outcome.limit}. {said}".strip()
