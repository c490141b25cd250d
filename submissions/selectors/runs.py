"""What a run's page shows while it is being checked and afterwards. Reads only; every value is frozen."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from submissions.models import Proof, Result, Run, Slice
from submissions.models.runs import CHECKED, MOVING
from submissions.selectors.queue import waiting_order
from verifier.core.verdict import Audit, Confirmation, Verdict

RATE_WINDOW = timedelta(minutes=5)
LEAST_FOR_ESTIMATE = 4  # results in the window; below, an estimate would be a guess


@dataclass(frozen=True, slots=True)
class VerdictCounts:
    """Proofs by what is known of them. `missing` are places of the set for which an attempt has no proof."""

    proved: int = 0
    failed: int = 0
    rejected: int = 0
    timeout: int = 0
    resource: int = 0
    missing: int = 0
    internal: int = 0
    waiting: int = 0

    @property
    def judged(self) -> int:
        """Proofs that have a verdict."""
        return self.proved + self.failed + self.rejected + self.timeout + self.resource + self.internal


@dataclass(frozen=True, slots=True)
class ConfirmationCounts:
    """Second looks at what was proved."""

    confirmed: int = 0
    pending: int = 0
    disagreed: int = 0
    audited: int = 0


@dataclass(frozen=True, slots=True)
class SliceState:
    """One part of the run: what it covers, how far it is and who works on it. `running` names problem and attempt."""

    number: int
    kind: str
    state: str
    unit: str
    total: int
    judged: int
    worker: str
    running: tuple[str, int] | None


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Everything the live part of a submission page tells.

    `position` counts from 1 among the runs that wait for the same environment, None once a worker serves it.
    `per_minute` is the rate over the last five minutes (or since it started); `remaining` is a range of seconds that
    holds with about 95 %, None while too little is known.
    """

    run: Run
    total: int
    counts: VerdictCounts
    confirmations: ConfirmationCounts
    slices: tuple[SliceState, ...]
    position: int | None
    per_minute: float | None
    remaining: tuple[float, float] | None
    reused: int

    @property
    def moving(self) -> bool:
        """Whether the page should ask again."""
        return self.run.state in MOVING

    @property
    def may_publish(self) -> bool:
        """Whether every proof has a verdict."""
        return self.run.state in CHECKED


def runs_shown(submission_ids: Iterable[int]) -> dict[int, Run]:
    """The run that each submission's page shows: the newest one that was not cancelled, else the newest."""
    rows = Run.objects.filter(submission__in=submission_ids).order_by("created", "pk")
    shown: dict[int, Run] = {}
    for run in rows.select_related("environment", "submission__problem_set__pack"):
        if run.state != Run.State.CANCELLED or shown.get(run.submission_id, run).state == Run.State.CANCELLED:
            shown[run.submission_id] = run
    return shown


def run_progress(run: Run) -> RunProgress:
    """Progress of a run from its rows, in seven queries whatever its size."""
    by_verdict = dict(run.results.order_by().values_list("verdict").annotate(Count("pk")))
    by_confirmation = dict(run.results.order_by().values_list("confirmation").annotate(Count("pk")))
    judged = sum(by_verdict.values())
    waiting = 0 if run.state == Run.State.CANCELLED else run.total - judged
    rate, remaining = _pace(run, waiting)
    apart = run.results.aggregate(
        reused=Count("pk", filter=Q(reused=True)), audited=Count("pk", filter=Q(audit=Audit.AGREED))
    )
    return RunProgress(
        run=run,
        total=run.total,
        counts=VerdictCounts(
            **{str(verdict): by_verdict.get(str(verdict), 0) for verdict in Verdict},
            missing=_missing(run),
            waiting=waiting,
        ),
        confirmations=ConfirmationCounts(
            confirmed=by_confirmation.get(Confirmation.CONFIRMED, 0),
            pending=by_confirmation.get(Confirmation.PENDING, 0),
            disagreed=by_confirmation.get(Confirmation.DISAGREED, 0),
            audited=apart["audited"],
        ),
        slices=_slices(run),
        position=_position(run),
        per_minute=rate,
        remaining=remaining,
        reused=apart["reused"],
    )


def _missing(run: Run) -> int:
    proofs = Proof.objects.filter(submission_id=run.submission_id).aggregate(
        rows=Count("pk"), attempts=Count("attempt", distinct=True)
    )
    places = run.submission.problem_set.members.count() * int(proofs["attempts"])
    return max(0, places - int(proofs["rows"]))


def _pace(run: Run, waiting: int) -> tuple[float | None, tuple[float, float] | None]:
    """Rate per minute and the range of seconds that is left, taking results as a Poisson stream."""
    now = timezone.now()
    if run.started is None or run.state != Run.State.CHECKING:
        return None, None
    since = max(run.started, now - RATE_WINDOW)
    seen = run.results.filter(checked__gte=since, reused=False).exclude(verdict=Verdict.REJECTED).count()
    seconds = max((now - since).total_seconds(), 1.0)
    if seen < LEAST_FOR_ESTIMATE:
        return seen * 60 / seconds, None
    spread = 1.96 * math.sqrt(seen)
    return seen * 60 / seconds, (waiting * seconds / (seen + spread), waiting * seconds / (seen - spread))


def _position(run: Run) -> int | None:
    if run.state != Run.State.QUEUED:
        return None
    order = waiting_order(run.environment_id)
    return order.index(run.pk) + 1 if run.pk in order else None


def _slices(run: Run) -> tuple[SliceState, ...]:
    judged = Count("proofs", filter=Q(proofs__results__run=run), distinct=True)
    rows = (
        Slice.objects.filter(run=run)
        .select_related("running__problem")
        .annotate(size=Count("proofs", distinct=True), judged=judged)
        .order_by("kind", "number")
    )
    return tuple(
        SliceState(
            number=row.number,
            kind=row.kind,
            state=row.state,
            unit=row.unit,
            total=row.size,
            judged=row.judged,
            worker=row.worker if row.state == Slice.State.LEASED else "",
            running=(row.running.problem.ident, row.running.attempt) if row.running else None,
        )
        for row in rows
    )


def reasons_counted(run: Run) -> dict[str, int]:
    """How many results carry each reason, most frequent first; for the error breakdown and the filter's choices."""
    rows = Result.objects.filter(run=run).exclude(reason="").order_by().values_list("reason").annotate(n=Count("pk"))
    return dict(rows.order_by("-n", "reason"))
