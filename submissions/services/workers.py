"""What workers say of themselves: who they are, what they can check, whether their walls hold, that they live."""

from collections.abc import Mapping, Sequence

from django.utils import timezone

from submissions.models import WorkerRow


def worker_announce(
    *, name: str, host: str, pid: int, environments: Sequence[str], sandbox: Mapping[str, str], why: str
) -> None:
    """Write the worker's row; `why` says why it does not judge, empty when it does."""
    now = timezone.now()
    WorkerRow.objects.update_or_create(
        name=name,
        defaults={
            "host": host,
            "pid": pid,
            "environments": list(environments),
            "sandbox": dict(sandbox),
            "judging": not why,
            "why": why[:300],
            "started": now,
            "heartbeat": now,
            "dead": None,
        },
    )


def worker_beat(*, name: str) -> bool:
    """Say that the worker lives; False when it has been told to stop, so that no new proof is begun.

    A beat after the keeper took the worker for dead (a sleeping machine) brings it back.
    """
    return bool(WorkerRow.objects.filter(name=name, why="").update(heartbeat=timezone.now(), dead=None, judging=True))


def worker_idle_beat(*, name: str) -> None:
    """Say that a worker lives that does not judge."""
    WorkerRow.objects.filter(name=name).exclude(why="").update(heartbeat=timezone.now(), dead=None)


def worker_stop(*, name: str, why: str) -> None:
    """Tell the worker's processes to begin nothing new."""
    WorkerRow.objects.filter(name=name).update(judging=False, why=why[:300])


def worker_gone(*, name: str) -> None:
    """The worker ended in order."""
    WorkerRow.objects.filter(name=name).update(judging=False, dead=timezone.now())
