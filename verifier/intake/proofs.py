"""One proof of an upload: canonical text, owned statement cut off, size, tokens, the prover's own lint."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from verifier.core.display import shown
from verifier.core.finding import Consequence, Finding
from verifier.core.problem import Pack, ProblemSpec
from verifier.core.reason import Reason
from verifier.core.text import CanonicalText, TextFault, canonical_string, canonical_text
from verifier.core.tokens import tokens_if_close
from verifier.intake.report import SubmittedProof
from verifier.provers.base import Prover

# What may be taken off a proof without changing what a prover reads, in the words of the report.
BOM_TAKEN: Final = "with a byte order mark; it was taken off"
CRLF_TAKEN: Final = "with CRLF line ends; they were read as LF"
STATEMENT_CUT: Final = "with the owned statement before the proof; it was cut off"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that is meant for a problem and attempt; `line` is set where the member holds many (JSON lines)."""

    problem: ProblemSpec
    attempt: int
    member: str
    content: bytes | str
    line: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A proof with everything that was found, and what was taken off its text."""

    proof: SubmittedProof
    findings: tuple[Finding, ...] = ()
    tidied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Cut:
    """The part of a text behind the owned statement, and where it begins in the whole."""

    text: str
    lines: int = 0
    columns: int = 0  # characters of the first line that stand before it


def judge(pack: Pack, prover: Prover, candidate: Candidate) -> Judged:
    """Look at one proof. Nothing here refuses an upload: every fault is this proof's own."""
    size = len(candidate.content)
    if isinstance(candidate.content, bytes):
        size_fault = size > pack.limits.proof_bytes
    else:
        size_fault = size * 4 > pack.limits.proof_bytes and _bytes(candidate.content) > pack.limits.proof_bytes
    if size_fault:
        message = f"The proof has more than the {pack.limits.proof_bytes:,} bytes that are allowed."
        return _rejected(candidate, "", [_finding(Reason.TOO_LARGE, message, "Shorten it.")])
    read = _read(candidate.content)
    if read.faults:
        found = [_text_finding(fault) for fault in read.faults]
        kept = "" if read.text is None else read.text.replace("\x00", "␀")
        judged = _rejected(candidate, kept, found)
    else:
        judged = _judge_text(pack, prover, candidate, read.text or "")
    if read.bom or read.crlf:
        taken = [BOM_TAKEN] * read.bom + [CRLF_TAKEN] * read.crlf
        judged = replace(judged, tidied=(*taken, *judged.tidied))
    return judged


def _read(content: bytes | str) -> CanonicalText:
    return canonical_text(content) if isinstance(content, bytes) else canonical_string(content)


def _judge_text(pack: Pack, prover: Prover, candidate: Candidate, text: str) -> Judged:
    if not text.strip():
        return _rejected(candidate, text, [_finding(Reason.EMPTY, "The proof is empty.", "Write one.")])
    cut = _cut(prover, candidate.problem, text)
    if isinstance(cut, Finding):
        return _rejected(candidate, text, [cut])
    if not cut.text.strip():
        message = "There is no proof after the statement."
        return _rejected(candidate, text, [_finding(Reason.EMPTY, message, "Write one.")])
    tokens = tokens_if_close(cut.text, pack.limits.tokens)
    if tokens > pack.limits.tokens:
        message = f"The proof has {tokens:,} tokens; {pack.limits.tokens:,} are allowed (counted with cl100k_base)."
        remedy = "Shorten it; the text is not cut for you."
        found = [_finding(Reason.TOO_MANY_TOKENS, message, remedy)]
    else:
        found = prover.lint(pack, candidate.problem, cut.text)
    proof = _proof(candidate, cut.text, found, tokens=tokens, lines_cut=cut.lines)
    placed = tuple(_placed(candidate, one, cut) for one in found)
    return Judged(proof, placed, (STATEMENT_CUT,) if cut.text != text else ())


def _cut(prover: Prover, problem: ProblemSpec, text: str) -> _Cut | Finding:
    split = prover.split_statement(problem, text)
    if isinstance(split, Finding):
        return split
    proof, lines = split
    if not text.endswith(proof):
        return _Cut(proof, lines)
    start = len(text) - len(proof)
    return _Cut(proof, text.count("\n", 0, start), start - text.rfind("\n", 0, start) - 1)


def _placed(candidate: Candidate, finding: Finding, cut: _Cut) -> Finding:
    """A prover's finding, its place moved from the proof to the uploaded file."""
    line, column = finding.line, finding.column
    if line is not None:
        column = column + cut.columns if column is not None and line == 1 else column
        line += cut.lines
    message = finding.message
    if candidate.line is not None and line is not None:
        message, line, column = f"Line {line} of the proof: {message}", candidate.line, None
    return replace(
        finding,
        message=message,
        member=shown(candidate.member),
        line=candidate.line if line is None else line,
        column=column,
        problem=candidate.problem.id,
        attempt=candidate.attempt,
    )


def _text_finding(fault: TextFault) -> Finding:
    return Finding(
        Consequence.REJECTED, fault.message, fault.remedy, line=fault.line, column=fault.column, reason=fault.reason
    )


def _finding(reason: Reason, message: str, remedy: str) -> Finding:
    return Finding(Consequence.REJECTED, message, remedy, reason=reason)


def _rejected(candidate: Candidate, text: str, found: list[Finding]) -> Judged:
    return Judged(_proof(candidate, text, found), tuple(_placed(candidate, one, _Cut(text)) for one in found))


def _proof(
    candidate: Candidate, text: str, findings: Iterable[Finding], *, tokens: int = 0, lines_cut: int = 0
) -> SubmittedProof:
    """The proof with the finding that decides it, whose place is in the proof; the report's is in the file."""
    deciding = next((one for one in findings if one.consequence is Consequence.REJECTED and one.reason), None)
    return SubmittedProof(
        candidate.problem.id,
        candidate.attempt,
        text,
        tokens,
        candidate.seconds,
        None if deciding is None else deciding.reason,
        deciding,
        candidate.member,
        lines_cut,
    )


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
