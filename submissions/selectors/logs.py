"""The log of one proof as its page tells it: what is wrong, where, and how far the prover read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from submissions.selectors.results import WAITING, ResultDetail
from verifier.core.reason import REASONS, Reason
from verifier.core.verdict import Blame, ErrorClass, Verdict

LONGEST_FOUND = 200
EXPECTED = {
    Reason.GOALS_LEFT: "no goal left where the proof ends",
    Reason.UNFINISHED: "a proof that is finished",
    Reason.METHOD_FAILED: "a step that works on the goal it meets",
    Reason.FOCUS: "a bullet or brace that fits the open goals",
    Reason.NO_GOAL: "nothing more, since no goal is left here",
    Reason.TYPE_MISMATCH: "a term of the type that the goal asks for",
    Reason.SYNTAX: "text that the prover can read",
    Reason.STATEMENT_CHANGED: "the benchmark's statement, token for token",
    Reason.FORBIDDEN_COMMAND: "commands of a proof alone",
    Reason.CHEAT_WORD: "a proof",
}


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of the submitted text. `state` is ok, bad, unread or plain; a bad line is cut around what is marked."""

    number: int
    state: str
    before: str
    marked: str = ""
    after: str = ""
    caret: str = ""


@dataclass(frozen=True, slots=True)
class LogPage:
    """What the page shows. `line` is the failing one; empty texts are left out.

    `verbatim` tells that `message` is the prover's own and not the judge's.
    """

    headline: str
    expected: str
    found: str
    line: int | None
    columns: tuple[int, int] | None
    command: str
    goals: str
    message: str
    verbatim: bool
    remedy: str
    near: tuple[Mapping[str, str], ...]
    evidence: Mapping[str, str]
    lines: tuple[CodeLine, ...]
    tokens: int


def log_page(detail: ResultDetail) -> LogPage:
    """The page of one result, made of its row, its log and the text."""
    place = _place(detail)
    lines = _lines(detail, place)
    bad = next((line for line in lines if line.state == "bad"), None)
    columns = (place["column"], place["end_column"] - 1) if place.get("column") and place.get("end_column") else None
    return LogPage(
        headline=_headline(detail, place.get("line")),
        expected=_expected(detail.cell.reason),
        found=(bad.marked.strip() if bad and bad.marked else detail.log.get("command", ""))[:LONGEST_FOUND],
        line=place.get("line"),
        columns=columns if columns and place.get("end_line") in {None, place.get("line")} else None,
        command=detail.log.get("command", "").split(" ")[0][:60],
        goals=detail.log.get("goals", ""),
        message=detail.log.get("message", "") or detail.proof.finding.get("message", ""),
        verbatim=detail.log.get("verbatim", False),
        remedy=detail.proof.finding.get("remedy", ""),
        near=tuple(detail.log.get("near", ())),
        evidence=detail.log.get("evidence", {}),
        lines=lines,
        tokens=detail.proof.tokens,
    )


def counts_words(proved: Sequence[int], scoring: int, ks: Iterable[int]) -> str:
    """Which scores count a lemma that these attempts prove; ACC#1 takes the scoring attempt, ACC#k samples 1 to k."""
    if not proved:
        return ""
    first = proved[0]
    sample = next((attempt for attempt in proved if attempt), 0)
    later = [k for k in sorted(ks) if k > 1 and sample and k >= sample]
    scores = " and ".join(f"ACC#{k} (samples 1 to {k})" for k in later)
    if scoring == 0 and first == 0:
        also = f" Sample {sample} makes it count for {scores}." if scores else ""
        return f"Proved at attempt 0, the greedy answer, so the lemma counts for ACC#1.{also}"
    greedy = "ACC#1 is taken from the greedy answer, attempt 0" if scoring == 0 else "ACC#1 is taken from sample 1"
    if first == scoring:
        return f"Proved at attempt {first}, so the lemma counts for ACC#1{f' and {scores}' if scores else ''}."
    if scores:
        return f"Proved at attempt {first}, so the lemma counts for {scores}; {greedy}."
    return f"Proved at attempt {first}, which no score of this benchmark counts; {greedy}."


def _place(detail: ResultDetail) -> dict[str, Any]:
    place = detail.log.get("place")
    if place:
        return dict(place)
    finding = detail.proof.finding
    if finding.get("line"):
        return {"line": finding["line"], "column": finding.get("column")}
    return {"line": detail.cell.line, "column": detail.column} if detail.cell.line else {}


def _headline(detail: ResultDetail, line: int | None) -> str:
    if not detail.cell.reason:
        return "The kernel accepted exactly the owned statement" if detail.cell.verdict == Verdict.PROVED else ""
    row = REASONS[Reason(detail.cell.reason)]
    if row.blame is not Blame.SUBMISSION:
        return row.sentence
    return f"Line {line} {row.sentence}" if line else f"The proof {row.sentence}"


def _expected(reason: str) -> str:
    if not reason:
        return ""
    if REASONS[Reason(reason)].error_class is ErrorClass.UNDEFINED:
        return "something that was proved or defined before this lemma"
    return EXPECTED.get(Reason(reason), "")


def _lines(detail: ResultDetail, place: Mapping[str, Any]) -> tuple[CodeLine, ...]:
    first, last = place.get("line"), place.get("end_line") or place.get("line")
    known = detail.cell.verdict == Verdict.PROVED or first is not None  # else nobody knows how far the prover came
    read = known and detail.cell.verdict not in {Verdict.REJECTED, Verdict.INTERNAL, WAITING}
    texts = detail.proof.text.rstrip("\n").split("\n")
    return tuple(_line(number, text, first, last, place, read=read) for number, text in enumerate(texts, 1))


def _line(
    number: int, text: str, first: int | None, last: int | None, place: Mapping[str, Any], *, read: bool
) -> CodeLine:
    if first is None or last is None:
        return CodeLine(number, "ok" if read else "plain", text)
    if number < first:
        return CodeLine(number, "ok" if read else "plain", text)
    if number > last:
        return CodeLine(number, "unread" if read else "plain", text)
    start = (place.get("column") or 1) - 1 if number == first else len(text) - len(text.lstrip())
    end = place.get("end_column") if number == last else None
    stop = max(end - 1 if end else len(text), start)
    caret = " " * start + "^" * max(1, stop - start) + " " if number == last and number == first else ""
    return CodeLine(number, "bad", text[:start], text[start:stop], text[stop:], caret)
