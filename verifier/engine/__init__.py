"""Check proofs: lint -> session -> verdict. The only caller of the sandbox; knows no user and no database.

What the platform does wrong is `internal`, never a failed proof. How one proof gets its verdict is in `attempts`.
"""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from math import ceil
from pathlib import Path
from typing import Final

from verifier.core.errors import PlatformFault
from verifier.core.limits import Limits
from verifier.core.problem import Pack, ProblemSpec, Status, Use
from verifier.core.process import Sandbox
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ConfirmationResult, Place, ProofResult, ProofTask
from verifier.core.verdict import Verdict
from verifier.engine.attempts import Line, internal
from verifier.engine.trial import Trial, Tried
from verifier.provers import REGISTRY
from verifier.provers.base import BuiltEnvironment, Prover, ToolchainInfo, Unavailable

_AUDIT: Final = ".audit-"
_LEFT_SECONDS: Final = 24 * 3600  # no audit takes so long
_Job = tuple[ProblemSpec, ProofTask]


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


def readable(prover: str, text: str) -> str:
    """A statement as people read it: with the characters that the prover's own encoding stands for."""
    return REGISTRY[prover].readable(text)


def uses(environment: BuiltEnvironment) -> Mapping[str, Sequence[Use]]:
    """By problem what the prover said that it uses; nothing where it does not tell."""
    return REGISTRY[environment.prover].uses(environment)


def has_audit(prover: str) -> bool:
    """Whether a prover has an independent look beside its confirmation."""
    return REGISTRY[prover].audits


def session_unit(prover: str, unit: str) -> str:
    """What proofs have in common that one process can check: their unit, or nothing where one holds all."""
    return "" if REGISTRY[prover].session_holds_all else unit


def build(
    pack: Pack, found: ToolchainInfo, folder: Path, sandbox: Sandbox, say: Callable[[str], None]
) -> BuiltEnvironment:
    """Build the environment of a pack into `folder`, and try every ground truth through the judge itself.

    What an interrupted build left in `folder` is gone on from. A problem whose own proof is not accepted in isolation
    is kept out, with the reason; PlatformFault where the platform could not ask the prover.
    """
    trial = Trial(folder, pack)
    built = _left(trial, pack)
    if built is None:
        trial.clear()
        built = prover_of(pack).build(pack, found, folder, sandbox.run, say)
        trial.begin(built)
    tried = _tried(trial, built, pack, sandbox, say)
    refused = {one.problem: f"its own proof is not accepted ({one.reason})" for one in tried if one.reason}
    times = sorted(one.wall_ms for one in tried if not one.reason)
    if times:
        mean, p95 = sum(times) / len(times), times[ceil(0.95 * len(times)) - 1]
        say(f"{len(times)} verified, {len(refused)} refused; a proof takes {mean:.0f} ms on average, p95 {p95} ms")
    said = {one.problem: one.said for one in tried if one.reason}
    return replace(built, problems=places(pack), refused={**built.refused, **refused}, said=said)


def places(pack: Pack) -> dict[str, str]:
    """Where the lemma of each problem stands: theories make an environment's digest, problems do not."""
    return {problem.id: _place(problem) for problem in pack.problems}


def _place(problem: ProblemSpec) -> str:
    return f"{problem.unit}:{problem.position}"


def _left(trial: Trial, pack: Pack) -> BuiltEnvironment | None:
    """What an interrupted build made in full and can still be judged with."""
    made = trial.made()
    with suppress(PlatformFault):
        if made is not None:
            check_intact(pack, made)
            return made
    return None


def _tried(
    trial: Trial, built: BuiltEnvironment, pack: Pack, sandbox: Sandbox, say: Callable[[str], None]
) -> list[Tried]:
    """What becomes of every ground truth."""
    tasks = [
        ProofTask(problem.id, 1, problem.ground_truth)
        for problem in pack.problems
        if problem.ground_truth and problem.status is not Status.WITHDRAWN and problem.id not in built.refused
    ]
    known = trial.tried()
    tried = {task.problem: known[task.problem] for task in tasks if task.problem in known}
    before = f", {len(tried)} of them before the interruption" if tried else ""
    say(f"Trying {len(tasks)} ground truths in isolation{before}")
    waiting = [task for task in tasks if task.problem not in tried]
    results = check(built, pack, waiting, sandbox, pack.limits, linted=False)
    tried |= {one.problem: one for one in trial.follow(results, len(waiting), say)}
    prover = prover_of(pack).for_release(built.version)
    if not prover.audits:  # then the second look is the official check, and it alone sees the axioms
        sent = [task for task in tasks if not (tried[task.problem].reason or _unsent(prover, pack, task))]
        waiting = [task for task in sent if not tried[task.problem].looked]
        say(f"Looking at what {len(waiting)} of them rest on")
        looks = confirm(built, pack, waiting, sandbox, pack.limits)
        tried |= {one.problem: one for one in trial.look(looks, tried)}
    return list(tried.values())


def _unsent(prover: Prover, pack: Pack, task: ProofTask) -> bool:
    """Whether policy would refuse this proof of a team: then nobody can say how it would be confirmed."""
    problem = pack.problem(task.problem)
    return problem is not None and any(finding.reason for finding in prover.lint(pack, problem, task.text))


def check_intact(pack: Pack, environment: BuiltEnvironment) -> None:
    """PlatformFault when a part of a built environment is gone or was changed."""
    try:
        prover_of(pack).session(environment, pack, pack.units[-1], pack.limits)
    except OSError as error:
        raise PlatformFault(f"A part of environment {environment.digest[:12]} cannot be read: {error}.") from error


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
        line = Line(prover, environment, pack, unit, sandbox, limits)
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
    """The second look at proved proofs, unit by unit, in fresh processes.

    None where a look came to no answer; with the reason `sandbox_failed` where the platform could not look at all.
    """
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
            look = ConfirmationResult("", 0, None, str(fault), reason=Reason.SANDBOX_FAILED)
            yield from (replace(look, problem=task.problem, attempt=task.attempt) for task in group)


def audit(
    environment: BuiltEnvironment, pack: Pack, tasks: Sequence[ProofTask], sandbox: Sandbox
) -> Iterator[ConfirmationResult]:
    """The independent look at proved proofs of one team; nothing where the prover's confirmation is that already.

    Several proofs of one problem are built one after the other; None where the platform could not look.
    """
    prover = prover_of(pack)
    rounds: list[dict[str, ProofTask]] = []
    for task in tasks:
        problem = pack.problem(task.problem)
        if problem is not None and problem.permitted_axioms:
            why = "The problem permits instances of oracles, which a plain build cannot tell from others."
            yield ConfirmationResult(task.problem, task.attempt, None, why)
            continue
        free = next((taken for taken in rounds if task.problem not in taken), None)
        if free is None:
            rounds.append(free := {})
        free[task.problem] = task
    for together in rounds:
        group = list(together.values())
        with tempfile.TemporaryDirectory(prefix=_AUDIT, dir=_without_leftovers(environment.folder.parent)) as name:
            workspace = Path(name)
            workspace.chmod(0o755)
            try:
                yield from prover.audit(environment, pack, group, workspace, sandbox.run)
            except (PlatformFault, OSError) as fault:
                yield from (ConfirmationResult(task.problem, task.attempt, None, str(fault)) for task in group)


def _without_leftovers(folder: Path) -> Path:
    """The folder, once audits of killed workers are gone from it: they hold proofs and gigabytes of heaps."""
    for left in folder.glob(f"{_AUDIT}*"):
        with suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > _LEFT_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
    return folder


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
        return internal(task, Reason.PACK_BROKEN, f"Pack {pack.slug} has no problem {task.problem}.")
    if environment.problems and environment.problems.get(problem.id) != _place(problem):
        message = f"The environment was built for other problems. Run manage.py packs build {pack.slug}."
        return internal(task, Reason.PACK_BROKEN, message)
    if why := environment.refused.get(problem.id):
        return internal(task, Reason.PACK_BROKEN, f"The problem is kept out of this environment: {why}")
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
