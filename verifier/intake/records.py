"""JSON lines: one object per proof, with the line it stands on."""

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from verifier.core.archive_names import refused
from verifier.core.display import shown
from verifier.core.finding import Finding

EXAMPLE: Final = '{"problem": "an_id", "attempt": 1, "proof": "…", "seconds": 3.5}'
MAX_ATTEMPT: Final = 9999
MAX_SECONDS: Final = 1e7
_BLANKS: Final = re.compile(rb"[ \t\n\r\x0b\x0c]*")
_LONG: Final = 1_000_000  # bytes of a line; a value of JSON takes some thirty times as much memory as text
_MOST_SIGNS: Final = 200_000


@dataclass(frozen=True, slots=True)
class Record:
    """One line: problem id, attempt, text as it came, seconds that the team states."""

    line: int
    problem: str
    attempt: int
    proof: str
    seconds: float | None


class _UnusableError(ValueError):
    """What is wrong with a line."""


def read_records(
    member: str, data: bytes, most: int, told: Callable[[int], None] = lambda _at: None
) -> Iterator[Record | Finding]:
    """The records of a file; a line that cannot be used refuses the upload, since nobody knows what it was for.

    Bytes that are not UTF-8 come through as lone surrogates, so that they stay the fault of one proof. Stops after
    `most` records. `told` hears after each line how many bytes were read.
    """
    for seen, (line, at, raw) in enumerate(_lines(data), 1):
        told(at)
        if seen > most:
            yield _fault(member, line, f"The file holds more than {most:,} records.", "Split the submission.")
            return
        try:
            yield _record(line, raw)
        except _UnusableError as fault:
            yield _fault(member, line, str(fault), f"A line looks like {EXAMPLE}.")


def _lines(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Number, offset and bytes of every line that is not blank; blank ones are passed many at a time."""
    at = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    line = 1
    while True:
        blanks = _BLANKS.match(data, at)
        code = blanks.end() if blanks else at
        if code == len(data):
            return
        line += data.count(b"\n", at, code)
        at = max(at, data.rfind(b"\n", at, code) + 1)
        end = data.find(b"\n", code)
        end = len(data) if end < 0 else end
        yield line, at, data[at:end]
        at, line = end + 1, line + 1


def _record(line: int, raw: bytes) -> Record:
    if len(raw) > _LONG and sum(raw.count(sign) for sign in (b",", b"[", b"{")) > _MOST_SIGNS:
        most = f"over {_LONG:,} bytes with more than {_MOST_SIGNS:,} commas and brackets"
        raise _UnusableError(f"The line is {most}, which no proof needs. Write one record a line.")
    try:
        values = _decode(raw.decode("utf-8", "surrogateescape"))
    except _UnusableError:
        raise
    except json.JSONDecodeError as error:
        raise _UnusableError(f"The line is not JSON: {error.msg} at column {error.colno}.") from None
    except (ValueError, RecursionError):
        raise _UnusableError("The line is not JSON that can be read: nested too deep, or a number too long.") from None
    if not isinstance(values, dict):
        raise _UnusableError("The line is not a JSON object.")
    if "fields" in values:
        raise _UnusableError('The line gives "fields"; a proof of this benchmark is one text, given as "proof".')
    problem, proof = values.get("problem"), values.get("proof")
    if not isinstance(problem, str) or not problem:
        raise _UnusableError('"problem" is missing or not a text.')
    if not isinstance(proof, str):
        raise _UnusableError('"proof" is missing or not a text.')
    return Record(line, problem, _attempt(values.get("attempt", 1)), proof, _seconds(values.get("seconds")))


def _decode(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise _UnusableError("The object has one key twice.")
    return values


def _no_constant(name: str) -> Any:
    raise _UnusableError(f"{name} is not JSON.")


def _attempt(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MAX_ATTEMPT:
        raise _UnusableError('"attempt" is not a whole number from 0 up.')
    return value


def _seconds(value: Any) -> float | None:
    if value is None:
        return None
    usable = type(value) in {int, float} and 0 <= value <= MAX_SECONDS and math.isfinite(value)
    if not usable:
        raise _UnusableError('"seconds" is not a number from 0 up.')
    return float(value)


def _fault(member: str, line: int, message: str, remedy: str) -> Finding:
    found = refused(member, shown(message), remedy)
    return Finding(found.consequence, found.message, found.remedy, found.member, line)
