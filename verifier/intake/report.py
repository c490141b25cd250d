"""The preflight report as values, and as JSON for a draft, a page or a terminal."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from verifier.core.finding import Consequence, Finding
from verifier.core.reason import Reason
from verifier.intake.meta import SubmissionFacts


@dataclass(frozen=True, slots=True)
class SubmittedProof:
    """One text for one attempt. `reason` and `finding` are set when it will count as rejected without a prover.

    `text` is what goes to the prover: without byte order mark, CRLF and owned statement. It is empty when the upload
    held no text there or one that is too large, and shows NUL as ␀ so that every database can keep it. `tokens` is 0
    for a text too short to need counting. `seconds` is what the team says its system needed. `lines_cut` is the
    number of lines of the uploaded file that stand before `text`.
    """

    problem: str
    attempt: int
    text: str
    tokens: int = 0
    seconds: float | None = None
    reason: Reason | None = None
    finding: Finding | None = None
    member: str = ""
    lines_cut: int = 0


_FINDING: Final = tuple(field.name for field in fields(Finding))
_PROOF: Final = tuple(field.name for field in fields(SubmittedProof) if field.name != "text")


@dataclass(frozen=True, slots=True)
class Coverage:
    """Proofs found for one category of `total` problems: `found` maps an attempt to their number."""

    category: str
    total: int
    found: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Missing:
    """Attempts of one problem that the upload leaves out although it holds the same attempt of others."""

    problem: str
    category: str
    attempts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything preflight found, in the order in which it is shown. `accepted` is False when nothing is kept.

    `members` counts files (or records of a bare JSONL), `inflated` their bytes, `size` the bytes uploaded; `sha256`
    is of the upload as it came; `seconds` is the time that the reading took.
    """

    accepted: bool
    findings: tuple[Finding, ...]
    proofs: tuple[SubmittedProof, ...] = ()
    coverage: tuple[Coverage, ...] = ()
    missing: tuple[Missing, ...] = ()
    meta: SubmissionFacts | None = None
    members: int = 0
    inflated: int = 0
    size: int = 0
    sha256: str = ""
    seconds: float = 0.0

    @property
    def rejected(self) -> int:
        """Number of proofs that will count as rejected."""
        return sum(proof.reason is not None for proof in self.proofs)

    @property
    def attempts(self) -> tuple[int, ...]:
        """Attempts of which the upload holds at least one proof."""
        return tuple(sorted({proof.attempt for proof in self.proofs}))

    def to_json(self) -> dict[str, Any]:
        """Plain values for storing and printing, without the texts of the proofs."""
        return {
            "accepted": self.accepted,
            "findings": [_finding_json(finding) for finding in self.findings],
            "proofs": [_proof_json(proof) for proof in self.proofs],
            "coverage": [
                {"category": c.category, "total": c.total, "found": {str(a): n for a, n in c.found.items()}}
                for c in self.coverage
            ],
            "missing": [
                {"problem": m.problem, "category": m.category, "attempts": list(m.attempts)} for m in self.missing
            ],
            "meta": None if self.meta is None else self.meta.model_dump(),
            **{name: getattr(self, name) for name in ("members", "inflated", "size", "sha256", "seconds")},
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Report":
        """The report that `to_json` wrote, with empty texts."""
        return cls(
            accepted=values["accepted"],
            findings=tuple(_finding(one) for one in values["findings"]),
            proofs=tuple(_proof(one) for one in values["proofs"]),
            coverage=tuple(
                Coverage(c["category"], c["total"], {int(a): n for a, n in c["found"].items()})
                for c in values["coverage"]
            ),
            missing=tuple(Missing(m["problem"], m["category"], tuple(m["attempts"])) for m in values["missing"]),
            meta=None if values["meta"] is None else SubmissionFacts.model_validate(values["meta"]),
            **{name: values[name] for name in ("members", "inflated", "size", "sha256", "seconds")},
        )


def grouped(findings: list[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of their consequences, otherwise as they were found."""
    order = {consequence: place for place, consequence in enumerate(Consequence)}
    return tuple(sorted(findings, key=lambda finding: order[finding.consequence]))


def _finding_json(finding: Finding) -> dict[str, Any]:
    return {name: getattr(finding, name) for name in _FINDING}


def _finding(values: Mapping[str, Any]) -> Finding:
    known = {name: values[name] for name in _FINDING}
    known["consequence"] = Consequence(known["consequence"])
    known["reason"] = None if known["reason"] is None else Reason(known["reason"])
    return Finding(**known)


def _proof_json(proof: SubmittedProof) -> dict[str, Any]:
    values = {name: getattr(proof, name) for name in _PROOF}
    values["finding"] = None if proof.finding is None else _finding_json(proof.finding)
    return values


def _proof(values: Mapping[str, Any]) -> SubmittedProof:
    known = dict(values)
    known["reason"] = None if known["reason"] is None else Reason(known["reason"])
    known["finding"] = None if known["finding"] is None else _finding(known["finding"])
    return SubmittedProof(text="", **known)
