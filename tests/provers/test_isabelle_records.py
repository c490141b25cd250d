"""From a record of the driver to a verdict, without a prover."""

import json

import pytest

from verifier.core.errors import PlatformFault
from verifier.core.limits import Limits
from verifier.core.reason import Reason
from verifier.core.result import ProofResult, ProofTask
from verifier.core.verdict import Verdict
from verifier.provers.isabelle import records

NONCE = "ab" * 16
EXPECTED = records.Expected(NONCE, "problem digest", "environment digest")
LIMITS = Limits(wall_seconds=5.0)


def told(text: str = "by simp", **fields: object) -> ProofResult:
    record = {"nonce": NONCE, "digest": "problem digest", "elapsed_ms": 7, "cpu_ms": 6, "gc_ms": 0, **fields}
    answer = json.dumps(record).encode() + f"\n{NONCE}\n".encode()
    return records.result(records.parse(answer, NONCE), ProofTask("p", 1, text), EXPECTED, LIMITS)


def test_a_proof_needs_the_record_of_its_own_request_and_problem() -> None:
    found = told(status="proved")
    assert found.verdict is Verdict.PROVED
    assert found.evidence["nonce"] == NONCE
    with pytest.raises(PlatformFault):
        told(status="proved", nonce="cd" * 16)
    with pytest.raises(PlatformFault):
        told(status="proved", digest="another")
    with pytest.raises(PlatformFault):
        told(status="splendid")
    with pytest.raises(PlatformFault):
        records.parse(b'{"status":"proved"}\n', NONCE)


def test_a_proof_that_ends_after_its_time_is_over_the_limit() -> None:
    assert told(status="proved", elapsed_ms=5000).verdict is Verdict.PROVED
    late = told(status="proved", elapsed_ms=5001)
    assert (late.verdict, late.reason) == (Verdict.TIMEOUT, Reason.WALL_TIME)


@pytest.mark.parametrize(
    ("status", "verdict", "reason"),
    [
        ("forbidden_command", Verdict.REJECTED, Reason.FORBIDDEN_COMMAND),
        ("text_after_end", Verdict.FAILED, Reason.TEXT_AFTER_END),
        ("goals_left", Verdict.FAILED, Reason.GOALS_LEFT),
        ("unfinished", Verdict.FAILED, Reason.UNFINISHED),
        ("different_theorem", Verdict.FAILED, Reason.DIFFERENT_THEOREM),
        ("axiom_used", Verdict.FAILED, Reason.AXIOM_USED),
        ("wall_time", Verdict.TIMEOUT, Reason.WALL_TIME),
        ("interrupt", Verdict.RESOURCE, Reason.MEMORY),
    ],
)
def test_what_the_driver_decides_is_not_read_from_words(status: str, verdict: Verdict, reason: Reason) -> None:
    found = told(status=status, message='Undefined fact: "proved"')
    assert (found.verdict, found.reason) == (verdict, reason)
    assert not found.verbatim
    assert told(status="failed", message='Undefined fact: "proved"').verbatim


def test_places_are_those_of_the_submitted_text() -> None:
    text = "(* ä *) using ‹x ⟹ y›\n  nowhere by simp"
    start = text.index("using") + 1
    stop = text.index(" by")
    found = told(
        text,
        status="failed",
        message='Undefined fact: "nowhere" (line 2 of "proof")',
        offset=start,
        end_offset=stop + 1,
    )
    assert found.place is not None
    assert (found.place.line, found.place.column) == (1, 9)
    assert (found.place.end_line, found.place.end_column) == (2, 10)
    assert found.message == 'Undefined fact: "nowhere" (line 2)'
