"""The second look: every proved proof once more, in a fresh process that has seen nothing else of this run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from verifier.core.errors import PlatformFault
from verifier.core.limits import Limits
from verifier.core.problem import Pack
from verifier.core.process import Command
from verifier.core.reason import Reason
from verifier.core.result import ConfirmationResult, ProofResult, ProofTask
from verifier.core.verdict import Verdict
from verifier.provers.base import Run
from verifier.provers.deaths import LIMIT_REASONS
from verifier.provers.isabelle import dialogue, records
from verifier.provers.isabelle.records import Expected

_START_SECONDS: Final = 300.0
_PATIENCE: Final = 2.0  # a cold process may take this many times the limit; the warm verdict held the limit
_NOT_TOLD: Final = frozenset({Verdict.TIMEOUT, Verdict.RESOURCE})  # a limit says nothing of the proof


@dataclass(frozen=True, slots=True)
class Bench:
    """What a confirmation needs: the command of a session, the recorded problems, the way to run."""

    command: Command
    environment: str
    problems: Mapping[str, str]
    pack: Pack
    limits: Limits
    run: Run


def confirm(bench: Bench, tasks: Sequence[ProofTask]) -> list[ConfirmationResult]:
    """One process for all, then one each for those that the first could not answer for."""
    together = _replay(bench, tasks)
    return [
        found if found.agreed or len(tasks) == 1 else _replay(bench, [task])[0]
        for task, found in zip(tasks, together, strict=True)
    ]


def _replay(bench: Bench, tasks: Sequence[ProofTask]) -> list[ConfirmationResult]:
    limits = replace(bench.limits, wall_seconds=bench.limits.wall_seconds * _PATIENCE)
    words = [dialogue.nonce() for _ in tasks]
    data = b""
    for word, task in zip(words, tasks, strict=True):
        problem = bench.pack.problem(task.problem)
        if problem is None:
            raise PlatformFault(f"The pack has no problem {task.problem} any more.")
        data += dialogue.request(word, problem, task.text, limits)
    seconds = _START_SECONDS + len(tasks) * (limits.wall_seconds + dialogue.grace(limits))
    output = bench.command.output_bytes + 64 * 1024 * len(tasks)
    outcome = bench.run(replace(bench.command, stdin=data, wall_seconds=seconds, output_bytes=output))
    own = LIMIT_REASONS.get(outcome.limit) if outcome.limit is not None and len(tasks) == 1 else None
    ending = f"exit {outcome.exit_code}, limit {outcome.limit}"
    return [
        _judged(bench, task, word, outcome.stdout, limits, ending, own) for word, task in zip(words, tasks, strict=True)
    ]


def _judged(  # noqa: PLR0917 - one caller
    bench: Bench, task: ProofTask, word: str, answers: bytes, limits: Limits, ending: str, own: Reason | None
) -> ConfirmationResult:
    start, end = answers.find(f'{{"nonce":"{word}"'.encode()), answers.find(f"\n{word}\n".encode())
    if start < 0 or end < start:
        message = f"The second process did not answer: {ending}."
        return ConfirmationResult(task.problem, task.attempt, None, message, reason=own)
    record = records.parse(answers[start : end + len(word) + 2], word)
    expected = Expected(word, bench.problems.get(task.problem, ""), bench.environment)
    found: ProofResult = records.result(record, task, expected, limits)
    if found.verdict is Verdict.PROVED:
        return ConfirmationResult(task.problem, task.attempt, True)
    message = f"{found.verdict}: {found.message}"
    if found.verdict in _NOT_TOLD:
        return ConfirmationResult(task.problem, task.attempt, None, message, reason=found.reason)
    return ConfirmationResult(task.problem, task.attempt, False, message)
