"""Check proofs: lint -> session -> verdict. The only caller of the sandbox; knows no user and no database.

What the platform does wrong is `internal`, never a failed proof. A proof during which the process dies without a
limit that explains it is tried once more, alone in a fresh process, before it is blamed.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Final

from verifier.core.errors import PlatformFault
from verifier.core.limits import Limits
from verifier.core.problem import Pack, ProblemSpec, Status
from verifier.core.process import LimitHit, Outcome, Sandbox, Session, SessionDied
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ConfirmationResult, Place, ProofResult, ProofTask
from verifier.core.verdict import Verdict
from verifier.provers import REGISTRY
from verifier.provers.base import (
    UNSURE,
    AnswerLost,
    BuiltEnvironment,
    Dialogue,
    Opening,
    Prover,
    ProverSession,
    ToolchainInfo,
    Unavailable,
)

_MESSAGE: Final = 20_000
_OWN_LIMITS: Final = frozenset({LimitHit.WALL, LimitHit.CPU, LimitHit.OUTPUT})  # seen while this proof ran, for certain
_Job = tuple[ProblemSpec, ProofTask]


class _SessionDeathError(Exception):
    """The session ended; `timed` says whether the proof's own clock was running."""

    def __init__(self, outcome: Outcome, timed: bool) -> None:
        self.outcome = outcome
        self.timed = timed
        super().__init__(str(outcome))


def toolchain(pack: Pack, sandbox: Sandbox) -> ToolchainInfo:
    """The installed prover of a pack; PlatformFault with what to do when there is none."""
    found = prover_of(pack).probe(sandbox.run)
    if isinstance(found, Unavailable):
        raise PlatformFault(f"{found.name} cannot be used here. {found.reason} {found.remedy}")
    return found


def prover_of(pack: Pack) -> Prover:
    """The adapter that a pack names."""
    prover = REGISTRY.get(pack.prover)
    if prover is None:
        raise PlatformFault(f"Pack {pack.slug} asks for the prover {pack.prover!r}; known are {', '.join(REGISTRY)}.")
    return prover


def has_audit(prover: str) -> bool:
    """Whether a prover has an independent look beside its confirmation."""
    return REGISTRY[prover].audits


def session_unit(prover: str, unit: str) -> str:
    """What proofs have in common that one process can check: their unit, or nothing where one holds all."""
    return "" if REGISTRY[prover].session_holds_all else unit


def build(
    pack: Pack, found: ToolchainInfo, folder: Path, sandbox: Sandbox, say: Callable[[str], None]
) -> BuiltEnvironment:
    """Build the environment of a pack into the empty `folder`, and try every ground truth through the judge itself.

    A problem whose own proof is not accepted in isolation is kept out, with the reason.
    """
    built = prover_of(pack).build(pack, found, folder, sandbox.run, say)
    tasks = [
        ProofTask(problem.id, 1, problem.ground_truth)
        for problem in pack.problems
        if problem.ground_truth and problem.status is not Status.WITHDRAWN
    ]
    say(f"Trying {len(tasks)} ground truths in isolation")
    refused = {
        result.problem: f"{result.reason}: {result.message[:500]}"
        for result in check(built, pack, tasks, sandbox, pack.limits, linted=False)
        if result.verdict is not Verdict.PROVED
    }
    return replace(built, refused={**built.refused, **refused})


def adopt(pack: Pack, environment: BuiltEnvironment, found: ToolchainInfo, sandbox: Sandbox) -> None:
    """Make another host's environment work here and try one ground truth; PlatformFault when it is not accepted."""
    prover_of(pack).adopt(environment, found)
    problem = next((one for one in pack.problems if one.ground_truth and one.id not in environment.refused), None)
    tasks = [] if problem is None else [ProofTask(problem.id, 1, problem.ground_truth)]
    for result in check(environment, pack, tasks, sandbox, pack.limits, linted=False):
        if result.verdict is not Verdict.PROVED:
            raise PlatformFault(f"The ground truth of {result.problem} is not accepted with it: {result.message[:500]}")


def check(  # noqa: PLR0917 - the contract's order
    environment: BuiltEnvironment,
    pack: Pack,
    tasks: Sequence[ProofTask],
    sandbox: Sandbox,
    limits: Limits,
    on_start: Callable[[ProofTask], None] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
    *,
    linted: bool = True,
) -> Iterator[ProofResult]:
    """Check proofs and yield each result as soon as it is known; `stopped` is asked before every proof.

    Order: what policy refuses first, then unit by unit, by position and attempt. `on_start` hears of each proof
    before the prover does. `linted=False` is for ground truths, which are the host's own and under no policy.
    """
    prover = prover_of(pack).for_release(environment.version, trusted=not linted)
    jobs: list[_Job] = []
    for task in tasks:
        problem = pack.problem(task.problem)
        refusal = _refusal(prover, environment, pack, problem, task, linted=linted)
        if refusal is not None:
            yield refusal
        elif problem is not None:
            jobs.append((problem, task))
    order = {unit: at for at, unit in enumerate(pack.units)}
    jobs.sort(key=lambda job: (order[job[0].unit], job[0].position, job[0].id, job[1].attempt))
    for unit, group in groupby(jobs, key=lambda job: session_unit(prover.name, job[0].unit)):
        line = _Line(prover, environment, pack, unit, sandbox, limits)
        try:
            for problem, task in group:
                if stopped():
                    return
                on_start(task)
                yield line.result(problem, task)
        finally:
            line.close()


def confirm(
    environment: BuiltEnvironment, pack: Pack, tasks: Sequence[ProofTask], sandbox: Sandbox, limits: Limits
) -> Iterator[ConfirmationResult]:
    """The second look at proved proofs, unit by unit, in fresh processes; None where the platform could not look."""
    prover = prover_of(pack)
    by_unit: dict[str, list[ProofTask]] = {}
    for task in tasks:
        problem = pack.problem(task.problem)
        if problem is None:
            yield ConfirmationResult(task.problem, task.attempt, None, "The pack has no such problem any more.")
        else:
            by_unit.setdefault(session_unit(prover.name, problem.unit), []).append(task)
    for unit, group in by_unit.items():
        try:
            yield from prover.confirm(environment, pack, unit, group, limits, sandbox.run)
        except (PlatformFault, OSError) as fault:
            yield from (ConfirmationResult(task.problem, task.attempt, None, str(fault)) for task in group)


def audit(
    environment: BuiltEnvironment, pack: Pack, tasks: Sequence[ProofTask], sandbox: Sandbox
) -> Iterator[ConfirmationResult]:
    """The independent look at proved proofs of one team; nothing where the prover's confirmation is that already.

    Several proofs of one problem are built one after the other; None where the platform could not look.
    """
    prover = prover_of(pack)
    rounds: list[dict[str, ProofTask]] = []
    for task in tasks:
        free = next((taken for taken in rounds if task.problem not in taken), None)
        if free is None:
            rounds.append(free := {})
        free[task.problem] = task
    for together in rounds:
        group = list(together.values())
        with tempfile.TemporaryDirectory(prefix=".audit-", dir=environment.folder.parent) as name:
            workspace = Path(name)
            workspace.chmod(0o755)
            try:
                yield from prover.audit(environment, pack, group, workspace, sandbox.run)
            except (PlatformFault, OSError) as fault:
                yield from (ConfirmationResult(task.problem, task.attempt, None, str(fault)) for task in group)


def _refusal(
    prover: Prover,
    environment: BuiltEnvironment,
    pack: Pack,
    problem: ProblemSpec | None,
    task: ProofTask,
    *,
    linted: bool,
) -> ProofResult | None:
    """A result that needs no process, or None."""
    if problem is None:
        return _internal(task, Reason.PACK_BROKEN, f"Pack {pack.slug} has no problem {task.problem}.")
    if why := environment.refused.get(problem.id):
        return _internal(task, Reason.PACK_BROKEN, f"The problem is kept out of this environment: {why}")
    if not linted:
        return None
    found = next((finding for finding in prover.lint(pack, problem, task.text) if finding.reason is not None), None)
    if found is None or found.reason is None:
        return None
    place = None if found.line is None else Place(found.line, found.column or 1)
    message = f"{found.message} {found.remedy}"
    return ProofResult(
        task.problem, task.attempt, REASONS[found.reason].verdict, found.reason, message=message, place=place
    )


def _internal(task: ProofTask, reason: Reason, message: str) -> ProofResult:
    return ProofResult(task.problem, task.attempt, Verdict.INTERNAL, reason, message=message[:_MESSAGE])


class _Line:
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
        return _internal(task, reason, message)

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
            return self._checked(problem, task)
        except _SessionDeathError as death:
            self.close()
            if death.timed and death.outcome.limit in _OWN_LIMITS:
                return self._dead(problem, task, death.outcome)
        # A death that no limit of this proof explains may be the session's: once more, alone in a fresh process.
        try:
            return self._checked(problem, task)
        except _SessionDeathError as death:
            self.close()
            if death.timed:
                return self._dead(problem, task, death.outcome)
            raise
        finally:
            self.close()

    def _dead(self, problem: ProblemSpec, task: ProofTask, outcome: Outcome) -> ProofResult:
        result = self._prover.interpret_death(problem, task, outcome, self._limits)
        cpu_ms = max(self._cpu_ms, min(outcome.cpu_ms, self._wall_ms))
        return replace(result, wall_ms=self._wall_ms, cpu_ms=cpu_ms)

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
                    self._wall_ms += round((time.monotonic() - started) * 1000) if request.timed else 0
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
