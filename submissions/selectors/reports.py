"""The preflight report as its page shows it: findings grouped by what follows from them, coverage, totals."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from verifier.core.finding import Consequence

MOST_PLACES: Final = 50  # shown of one finding; a page of every place of the largest upload would not end
MOST_LINES: Final = 100  # different findings shown of one consequence

TITLES = {
    Consequence.REFUSED: ("The upload is refused", "Nothing of it was kept."),
    Consequence.REJECTED: ("Will be rejected", "They count as failed, class other, unless you replace them."),
    Consequence.FAILING: ("Unfinished", "You can go on; the prover judges them and will not accept them."),
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
    """The same finding at one or many places, the first of which are shown; `count` is of all."""

    message: str
    remedy: str
    places: tuple[Place, ...]
    count: int

    @property
    def behind(self) -> int:
        """Places that fold away or are left to the report as JSON."""
        return self.count - 1

    @property
    def untold(self) -> int:
        """Places that are left to the report as JSON."""
        return self.count - len(self.places) if len(self.places) == MOST_PLACES else 0


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """All findings with one consequence: `count` is of findings, `untold` of lines left to the report as JSON.

    `proofs` is the number of proofs that will be rejected, where that is the consequence.
    """

    consequence: str
    title: str
    follows: str
    lines: tuple[FindingLine, ...]
    count: int
    untold: int
    proofs: int


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
    failing: int
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
        return self.failing + self.missing + self.ignored


def report_page(report: Mapping[str, Any]) -> ReportPage:
    """The page of a stored report."""
    proofs = report["proofs"]
    attempts = tuple(sorted({proof["attempt"] for proof in proofs}))
    coverage = tuple(_coverage(row, attempts) for row in report["coverage"])
    rejected = sum(bool(proof["reason"]) for proof in proofs)
    groups = tuple(filter(None, (_group(kind, report["findings"], rejected) for kind in Consequence)))
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
        rejected=rejected,
        missing=whole.missing,
        failing=counts.get(Consequence.FAILING, 0),
        ignored=counts.get(Consequence.IGNORED, 0),
        members=report["members"],
        inflated=report["inflated"],
        seconds=report["seconds"],
        meta=report["meta"] or {},
    )


def _group(kind: Consequence, findings: Iterable[Mapping[str, Any]], rejected: int) -> FindingGroup | None:
    places: dict[tuple[str, str], list[Place]] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for finding in findings:
        if finding["consequence"] == kind:
            key = (finding["message"], finding["remedy"])
            counts[key] += 1
            found = places.setdefault(key, [])
            if finding.get("member") and len(found) < MOST_PLACES:
                found.append(Place(finding["member"], finding.get("line"), finding.get("column")))
    if not counts:
        return None
    lines = tuple(FindingLine(*key, tuple(places[key]), count) for key, count in islice(counts.items(), MOST_LINES))
    title, follows = TITLES[kind]
    proofs = rejected if kind is Consequence.REJECTED else 0
    return FindingGroup(kind, title, follows, lines, counts.total(), max(0, len(counts) - MOST_LINES), proofs)


def _coverage(row: Mapping[str, Any], attempts: tuple[int, ...]) -> CoverageLine:
    found = tuple(row["found"].get(str(attempt), 0) for attempt in attempts)
    return CoverageLine(row["category"], row["total"], found, sum(found), row["total"] * len(attempts) - sum(found))


def _sum(lines: tuple[CoverageLine, ...], attempts: tuple[int, ...]) -> CoverageLine:
    found = tuple(sum(line.found[place] for line in lines) for place in range(len(attempts)))
    lemmas = sum(line.lemmas for line in lines)
    return CoverageLine("All", lemmas, found, sum(found), lemmas * len(attempts) - sum(found))
