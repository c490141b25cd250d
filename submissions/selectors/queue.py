"""What everybody may see of the queue: who waits in which order, which workers live, what they can check."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Min, OuterRef, QuerySet
from django.utils import timezone

from submissions import queue
from submissions.fairness import slices_waiting_fairly
from submissions.models import Run, Slice, WorkerRow
from submissions.models.runs import MOVING, UNCHECKED, WORKER_DEAD_AFTER
from verifier.models import Environment, Pack

MOST_NAMED = 5  # benchmarks in one line


@dataclass(frozen=True, slots=True)
class WorkerState:
    """A worker as it announced itself. `sandbox` maps each wall to what its self-test saw."""

    name: str
    host: str
    environments: tuple[str, ...]
    sandbox: dict[str, str]
    judging: bool
    why: str
    alive: bool
    started: datetime
    heartbeat: datetime
    slices: int


@dataclass(frozen=True, slots=True)
class EnvironmentQueue:
    """What waits for one environment and who could take it."""

    digest: str
    pack: str
    prover: str
    version: str
    waiting_runs: int
    waiting_slices: int
    leased_slices: int
    oldest: datetime | None
    workers: int


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """The status page. `oldest` is when the oldest run was handed in that waits while nobody works on it."""

    workers: tuple[WorkerState, ...]
    environments: tuple[EnvironmentQueue, ...]
    waiting_slices: int
    leased_slices: int
    oldest: datetime | None
    bell: bool


def waiting_order(environment_id: int) -> list[int]:
    """Primary keys of the runs that wait, in the order in which they would be served now."""
    return list(dict.fromkeys(slices_waiting_fairly(environment_id).values_list("run_id", flat=True)))


def runs_ahead(pack: Pack) -> int:
    """How many runs of a benchmark still have proofs to check: they take turns with a new one."""
    return Run.objects.filter(environment__pack=pack, state__in=UNCHECKED).count()


def queue_status() -> QueueStatus:
    """Workers, queues and the age of what waits longest."""
    workers = _workers()
    return QueueStatus(
        workers=workers,
        environments=tuple(_environment(row, workers) for row in _environment_rows()),
        waiting_slices=Slice.objects.filter(state=Slice.State.WAITING).count(),
        leased_slices=Slice.objects.filter(state=Slice.State.LEASED).count(),
        oldest=_waiting_runs().aggregate(oldest=Min("created"))["oldest"],
        bell=queue.bell_answers(),
    )


def _waiting_runs() -> QuerySet[Run]:
    """Runs that have something to do and no worker."""
    at_work = Slice.objects.filter(run=OuterRef("pk"), state=Slice.State.LEASED)
    waiting = Slice.objects.filter(run=OuterRef("pk"), state=Slice.State.WAITING)
    return Run.objects.filter(Exists(waiting), ~Exists(at_work), state__in=MOVING).order_by()


def _workers() -> tuple[WorkerState, ...]:
    alive_since = timezone.now() - WORKER_DEAD_AFTER
    leases = dict(Slice.objects.filter(state=Slice.State.LEASED).order_by().values_list("worker").annotate(Count("pk")))
    return tuple(
        WorkerState(
            name=row.name,
            host=row.host,
            environments=tuple(row.environments),
            sandbox=dict(row.sandbox),
            judging=row.judging,
            why=row.why,
            alive=row.dead is None and row.heartbeat >= alive_since,
            started=row.started,
            heartbeat=row.heartbeat,
            slices=leases.get(row.name, 0),
        )
        for row in WorkerRow.objects.filter(heartbeat__gte=timezone.now() - timedelta(days=1))
    )


def environments_lacking(*, built: Collection[str]) -> str:
    """What a host lacks of the environments that new runs are checked in, and the command that builds it; or empty."""
    slugs = [row.pack.slug for row in _environment_rows() if row.digest not in built]
    if not slugs:
        return ""
    told = ", ".join(slugs[:MOST_NAMED]) + (f" and {len(slugs) - MOST_NAMED} more" if len(slugs) > MOST_NAMED else "")
    return f"Not built on this host: the current environment of {told}. Run manage.py packs build with each name."


def _environment_rows() -> QuerySet[Environment]:
    return Environment.objects.filter(current=True).select_related("pack").order_by("pack__slug")


def _environment(row: Environment, workers: tuple[WorkerState, ...]) -> EnvironmentQueue:
    slices = Slice.objects.filter(environment=row)
    runs = _waiting_runs().filter(environment=row).aggregate(number=Count("pk"), oldest=Min("created"))
    return EnvironmentQueue(
        digest=row.digest,
        pack=row.pack.slug,
        prover=row.prover,
        version=row.version,
        waiting_runs=runs["number"],
        waiting_slices=slices.filter(state=Slice.State.WAITING).count(),
        leased_slices=slices.filter(state=Slice.State.LEASED).count(),
        oldest=runs["oldest"],
        workers=sum(worker.alive and worker.judging and row.digest in worker.environments for worker in workers),
    )
