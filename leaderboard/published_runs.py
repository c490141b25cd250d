"""Single published runs with what they score by the pack's own metric, for badges, feeds and citations."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.http import Http404

from leaderboard.selectors import Benchmark
from submissions.models import BoardEntry, Submission
from verifier.core.metrics import has_acc, owed, solved
from verifier.core.statistics import Interval, wilson

RECENT = 50


@dataclass(frozen=True, slots=True)
class Published:
    """A published run, counted by the board since `since` and, where a later one took its place, until `until`.

    `solved` is None where nothing was uploaded that the metric counts; `owed` counts verdicts that the platform owes.
    """

    submission: str
    run: str
    system: str
    system_id: str
    team: str
    augmentations: tuple[str, ...]
    since: datetime
    until: datetime | None
    environment: str
    version: str
    k: int
    solved: int | None
    total: int
    owed: int

    @property
    def metric(self) -> str:
        """The metric as it is written."""
        return f"ACC#{self.k}"

    @property
    def rate(self) -> float:
        """Share of one; 0 where there is no score."""
        return (self.solved or 0) / self.total

    @property
    def interval(self) -> Interval:
        """The 95 % Wilson interval."""
        return wilson(self.solved or 0, self.total)


def published_get(benchmark: Benchmark, submission: str) -> Published:
    """The latest entry of a submission; 404 where it is not published on the set shown."""
    return _first(_rows(benchmark).filter(run__submission__public_id=submission), benchmark, submission)


def published_of_system(benchmark: Benchmark, system: str) -> Published:
    """What the board counts of a system now; 404 where that is nothing."""
    return _first(_rows(benchmark).filter(system__public_id=system, valid_to=None), benchmark, system)


def published_recent(benchmark: Benchmark) -> list[Published]:
    """The runs that entered the board last, newest first; references are no news."""
    rows = _rows(benchmark).filter(system__reference=False).order_by("-valid_from", "-pk")[:RECENT]
    return [_published(row, benchmark) for row in rows]


def _rows(benchmark: Benchmark) -> QuerySet[BoardEntry]:
    """Entries whose submission everybody may see."""
    return BoardEntry.objects.filter(
        problem_set=benchmark.problem_set,
        run__summary__isnull=False,
        run__submission__visibility=Submission.Visibility.PUBLISHED,
    ).select_related("system", "run__summary", "run__environment", "run__submission__team")


def _first(rows: QuerySet[BoardEntry], benchmark: Benchmark, name: str) -> Published:
    row = rows.order_by("-valid_from", "-pk").first()
    if row is None or not benchmark.total:
        raise Http404(f"Nothing published of {name} on {benchmark.pack.slug}.")
    return _published(row, benchmark)


def _published(row: BoardEntry, benchmark: Benchmark) -> Published:
    submission, summary, k = row.run.submission, row.run.summary, benchmark.primary_k
    facts = submission.system_facts
    scoring = summary.counts["scoring"]
    counted = has_acc(summary.counts["samples"], k)
    return Published(
        submission=submission.public_id,
        run=row.run.public_id,
        system=facts.get("name", row.system.name),
        system_id=row.system.public_id,
        team=submission.team.name,
        augmentations=tuple(facts.get("augmentations", row.system.augmentations)),
        since=row.valid_from,
        until=row.valid_to,
        environment=row.run.environment.digest,
        version=row.run.environment.version,
        k=k,
        solved=sum(solved(summary.vectors, scoring, k)) if counted else None,
        total=benchmark.total,
        owed=sum(owed(summary.vectors, scoring, k)),
    )
