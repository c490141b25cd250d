"""From one record of the driver to a verdict. Nothing else that the process says is read."""

import json
import re
from dataclasses import dataclass
from typing import Final

from verifier.core.digest import digest_text
from verifier.core.errors import PlatformFault
from verifier.core.limits import Limits
from verifier.core.reason import REASONS, Reason
from verifier.core.result import NearFact, Place, ProofResult, ProofTask
from verifier.core.text import place_of
from verifier.core.verdict import Verdict
from verifier.provers.isabelle import messages, symbols

_SHOWN: Final = 20_000
# What the driver itself decides; everything else that fails is classified by the prover's own words.
_DECIDED: Final = {
    "forbidden_command": Reason.FORBIDDEN_COMMAND,
    "forbidden_word": Reason.FORBIDDEN_WORD,
    "syntax": Reason.SYNTAX,
    "text_after_end": Reason.TEXT_AFTER_END,
    "goals_left": Reason.GOALS_LEFT,
    "unfinished": Reason.UNFINISHED,
    "different_theorem": Reason.DIFFERENT_THEOREM,
    "axiom_used": Reason.AXIOM_USED,
    "wall_time": Reason.WALL_TIME,
    "interrupt": Reason.MEMORY,
}


_OFFERED: Final = {
    Reason.UNDEFINED_FACT: "a fact of a similar name that exists here",
    Reason.UNDEFINED_METHOD: "a method of a similar name",
    Reason.UNDEFINED_ATTRIBUTE: "an attribute of a similar name",
    Reason.UNDEFINED_CONSTANT: "a constant of a similar name",
}


@dataclass(frozen=True, slots=True)
class Expected:
    """What a record must carry to be believed: the nonce of its request, the digest of the recorded problem."""

    nonce: str
    problem_digest: str
    environment: str


def parse(data: bytes, nonce: str) -> dict[str, object]:
    """The record in an answer; PlatformFault when there is none, or when it answers another request."""
    line, _, rest = data.partition(b"\n")
    try:
        record = json.loads(line)
    except ValueError as error:
        raise PlatformFault(f"The prover answered in an unknown way: {data[-400:]!r}") from error
    if not isinstance(record, dict) or record.get("nonce") != nonce or rest.strip() != nonce.encode():
        raise PlatformFault(f"The prover answered another request: {data[-400:]!r}")
    return record


def result(record: dict[str, object], task: ProofTask, expected: Expected, limits: Limits) -> ProofResult:
    """The verdict that a record stands for."""
    status = str(record.get("status", ""))
    wall_ms, cpu_ms = _number(record, "elapsed_ms"), _number(record, "cpu_ms")
    if status in {"unknown_problem", ""} or record.get("digest") != expected.problem_digest:
        raise PlatformFault(f"The image does not hold problem {task.problem} as it was recorded; build it again.")
    if status == "proved" and wall_ms > limits.wall_seconds * 1000:
        status = "wall_time"  # a tool can miss the end of its time and go on
    if status == "proved":
        return _proved(task, expected, record, wall_ms, cpu_ms)
    said = str(record.get("message", ""))
    reason = messages.classify(said) if status == "failed" else _DECIDED.get(status)
    if reason is None:
        raise PlatformFault(f"The driver answered with the unknown status {status!r}.")
    if reason is Reason.WALL_TIME:
        said = f"The proof was still running after {limits.wall_seconds:g} s."
    if status == "interrupt":
        said = "The prover ran out of memory, or was interrupted by its own run-time system."
    return ProofResult(
        task.problem,
        task.attempt,
        REASONS[reason].verdict,
        reason,
        message=messages.tidy(said)[:_SHOWN],
        place=_place(record, task.text),
        command=symbols.decode(str(record.get("command", "")))[:_SHOWN],
        goals=_goals(str(record.get("goals", ""))),
        near=_near(record, _OFFERED[reason]) if reason in _OFFERED else (),
        wall_ms=wall_ms,
        cpu_ms=cpu_ms,
        verbatim=status == "failed" and reason is not Reason.WALL_TIME,
    )


def _proved(task: ProofTask, expected: Expected, record: dict[str, object], wall_ms: int, cpu_ms: int) -> ProofResult:
    evidence = {
        "nonce": expected.nonce,
        "environment": expected.environment,
        "problem": expected.problem_digest,
        "proof": digest_text(task.text),
        "garbage collection": f"{_number(record, 'gc_ms')} ms",
    }
    return ProofResult(task.problem, task.attempt, Verdict.PROVED, wall_ms=wall_ms, cpu_ms=cpu_ms, evidence=evidence)


def _number(record: dict[str, object], name: str) -> int:
    value = record.get(name, 0)
    return value if isinstance(value, int) else 0


def _place(record: dict[str, object], text: str) -> Place | None:
    """The span of the failing command in the submitted text."""
    start, stop = _number(record, "offset"), _number(record, "end_offset")
    if start < 1:
        return None
    offsets = symbols.offsets(text)
    first = offsets[min(start - 1, len(offsets) - 1)]
    after = offsets[min(max(stop - 1, start), len(offsets) - 1)]
    line, column = place_of(text, first)
    end_line, end_column = place_of(text, after)
    return Place(line, column, end_line, end_column)


def _goals(said: str) -> str:
    """The goals without the line that names the mode of the proof."""
    return symbols.decode(re.sub(r"\Aproof \((?:prove|state|chain)\)\n", "", said)).strip()[:_SHOWN]


def _near(record: dict[str, object], because: str) -> tuple[NearFact, ...]:
    rows = record.get("near")
    if not isinstance(rows, list):
        return ()
    return tuple(
        NearFact(symbols.decode(str(row["name"])), symbols.decode(str(row["says"])), because)
        for row in rows
        if isinstance(row, dict)
    )
