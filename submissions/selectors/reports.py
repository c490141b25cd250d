"""The preflight report as its page shows it: findings grouped by what follows from them, coverage, totals."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.core.finding import Consequence

TITLES = {
    Consequence.REFUSED: ("The upload is refused", "Nothing of it was kept."),
    Consequence.REJECTED: ("Will be rejected", "They count as failed, class other, unless you replace them."),
    Consequence.MISSING: ("Missing", "They count as not solved."),
    Consequence.IGNORED: ("Left out", "You can go on; these members are not read."),
    Consequence.TIDIED: ("Tidied", "Nothing that a prover reads was changed."),
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding stands: member, line and column as far as known."""

    member: str
    line: int | None
    column: int | None


@dataclass(frozen=True, slots=True)
class FindingLine:
    """The same finding at one or many places."""

    message: str
    remedy: str
    places: tuple[Place, ...]
    count: int


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """All findings with one consequence; `count` is of places."""

    consequence: str
    title: str
    follows: str
    lines: tuple[FindingLine, ...]
    count: int


@dataclass(frozen=True, slots=True)
class CoverageLine:
    """Proofs found in one category, attempt by attempt."""

    category: str
    lemmas: int
    found: tuple[int, ...]
    total: int
    missing: int


@dataclass(frozen=True, slots=True)
class ReportPage:
    """Everything that the page of a report shows."""

    accepted: bool
    groups: tuple[FindingGroup, ...]
    attempts: tuple[int, ...]
    coverage: tuple[CoverageLine, ...]
    whole: CoverageLine
    proofs: int
    places: int  # lemmas times attempts
    rejected: int
    missing: int
    ignored: int
    members: int
    inflated: int
    seconds: float
    meta: Mapping[str, Any]

    @property
    def checked(self) -> int:
        """Proofs that go to the prover."""
        return self.proofs - self.rejected

    @property
    def to_look_at(self) -> int:
        """Things that do not stop the upload and that its author may not expect."""
        return self.missing + self.ignored


def report_page(report: Mapping[str, Any]) -> ReportPage:
    """The page of a stored report."""
    proofs = report["proofs"]
    attempts = tuple(sorted({proof["attempt"] for proof in proofs}))
    coverage = tuple(_coverage(row, attempts) for row in report["coverage"])
    groups = tuple(filter(None, (_group(kind, report["findings"]) for kind in Consequence)))
    counts = {group.consequence: group.count for group in groups}
    whole = _sum(coverage, attempts)
    return ReportPage(
        accepted=report["accepted"],
        groups=groups,
        attempts=attempts,
        coverage=coverage,
        whole=whole,
        proofs=len(proofs),
        places=whole.lemmas * len(attempts),
        rejected=sum(bool(proof["reason"]) for proof in proofs),
        missing=whole.missing,
        ignored=counts.get(Consequence.IGNORED, 0),
        members=report["members"],
        inflated=report["inflated"],
        seconds=report["seconds"],
        meta=report["meta"] or {},
    )


def _group(kind: Consequence, findings: Iterable[Mapping[str, Any]]) -> FindingGroup | None:
    places: dict[tuple[str, str], list[Place]] = {}
    for finding in findings:
        if finding["consequence"] == kind:
            key = (finding["message"], finding["remedy"])
            place = Place(finding.get("member") or "", finding.get("line"), finding.get("column"))
            places.setdefault(key, []).append(place)
    if not places:
        return None
    lines = tuple(
        FindingLine(message, remedy, tuple(place for place in found if place.member), len(found))
        for (message, remedy), found in places.items()
    )
    title, follows = TITLES[kind]
    return FindingGroup(kind, title, follows, lines, sum(line.count for line in lines))


def _coverage(row: Mapping[str, Any], attempts: tuple[int, ...]) -> CoverageLine:
    found = tuple(row["found"].get(str(attempt), 0) for attempt in attempts)
    return CoverageLine(row["category"], row["total"], found, sum(found), row["total"] * len(attempts) - sum(found))


def _sum(lines: tuple[CoverageLine, ...], attempts: tuple[int, ...]) -> CoverageLine:
    found = tuple(sum(line.found[place] for line in lines) for place in range(len(attempts)))
    lemmas = sum(line.lemmas for line in lines)
    return CoverageLine("All", lemmas, found, sum(found), lemmas * len(attempts) - sum(found))
