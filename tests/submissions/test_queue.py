"""The bell, and what the live page and the status page tell."""

import json
import shutil
import subprocess
import time
import zlib
from datetime import timedelta

import pytest
from django.utils import timezone

from submissions import queue
from submissions.models import Result, Run, Slice, WorkerRow
from submissions.selectors.queue import queue_status
from submissions.selectors.runs import run_progress
from submissions.services.keeper import keeper_sweep
from submissions.services.submissions import draft_confirm
from submissions.services.workers import worker_announce, worker_beat, worker_stop
from tests.submissions.world import all_proofs, claim, run_of, submit, work_all


@pytest.fixture
def redis_socket(tmp_path_factory, settings):
    folder = tmp_path_factory.mktemp("r")
    process = subprocess.Popen(
        ["redis-server", "--port", "0", "--unixsocket", folder / "s", "--save", "", "--dir", folder],
        stdout=subprocess.DEVNULL,
    )
    settings.REDIS_URL = f"unix://{folder / 's'}"
    queue._bell_connection.cache_clear()
    while not (folder / "s").exists():
        time.sleep(0.01)
    yield process
    queue._bell_connection().close()
    queue._bell_connection.cache_clear()
    process.kill()
    process.wait()


@pytest.mark.integration
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs redis-server")
def test_a_bell_names_a_function_and_an_environment_and_nothing_else(redis_socket):
    assert queue.ring("e" * 64)
    connection = queue._bell_connection()
    (job,) = connection.lrange(f"rq:queue:selen-{'e' * 16}", 0, -1)
    data = json.loads(zlib.decompress(connection.hget(f"rq:job:{job.decode()}", "data")))
    assert data == ["submissions.jobs.answer_bell", None, ["e" * 64], {}]
    for _ in range(100):
        queue.ring("e" * 64)
    assert connection.llen(f"rq:queue:selen-{'e' * 16}") == queue.MOST_UNHEARD


@pytest.mark.integration
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs redis-server")
def test_uploads_are_heard_before_any_environment_and_environments_in_turn(redis_socket):
    for digest in ("a" * 64, "a" * 64, "b" * 64):
        queue.ring(digest)
    queue.ring_reader()
    connection = queue._bell_connection()
    names = [queue.READING_QUEUE, queue.queue_name("a" * 64), queue.queue_name("b" * 64)]
    queues = [queue.Queue(name, connection=connection, serializer=queue.JSONSerializer) for name in names]
    listener = queue._Listener(queues, connection=connection, serializer=queue.JSONSerializer)
    heard = []
    for _ in range(4):
        _, served = listener.dequeue_job_and_maintain_ttl(timeout=None)
        heard.append(served.name)
        listener.reorder_queues(served)
        if len(heard) == 2:
            queue.ring_reader()
    assert heard == [names[0], names[1], names[0], names[2]]


def test_without_redis_nobody_waits_and_nothing_breaks(settings, tmp_path, monkeypatch):
    settings.REDIS_URL = f"unix://{tmp_path / 'none'}"
    queue._bell_connection.cache_clear()
    monkeypatch.setattr("redis.retry.sleep", lambda seconds: pytest.fail(f"somebody waits for {seconds} s"))
    assert queue.ring("e" * 64) is False
    assert queue.bell_answers() is False
    queue._bell_connection.cache_clear()


@pytest.mark.django_db
def test_an_upload_is_accepted_while_redis_is_away_and_rung_for_later(
    world, settings, tmp_path, monkeypatch, django_capture_on_commit_callbacks
):
    settings.REDIS_URL = f"unix://{tmp_path / 'none'}"
    queue._bell_connection.cache_clear()
    with django_capture_on_commit_callbacks(execute=True):
        submission = draft_confirm(draft=world.draft(all_proofs(world)), actor=world.owner)
    queue._bell_connection.cache_clear()
    assert run_of(submission).state == Run.State.QUEUED
    assert not Slice.objects.exclude(rung=None).exists()
    rung = []
    monkeypatch.setattr("submissions.queue.ring", lambda digest: rung.append(digest) or True)
    Slice.objects.update(waiting_since=timezone.now() - timedelta(seconds=61))
    keeper_sweep()
    assert len(rung) == 2


@pytest.mark.django_db
def test_progress_counts_every_kind_and_the_place_in_the_queue(world, bells):
    first = run_of(submit(world, {**all_proofs(world, attempts=(0,)), ("lemma_0", 1): "REJECT"}))
    user, system = world.another("Team B")
    second = run_of(submit(world, {("lemma_0", 1): "prove b"}, system, user))
    assert [run_progress(run).position for run in (first, second)] == [1, 2]
    claim(world)
    shown = run_progress(Run.objects.get(pk=first.pk))
    assert (shown.position, shown.counts.rejected, shown.counts.waiting, shown.counts.missing) == (None, 1, 10, 9)
    assert run_progress(second).position == 1
    assert [part.state for part in shown.slices] == ["leased", "waiting"]


@pytest.mark.django_db
def test_the_estimate_is_a_range_and_absent_while_too_little_is_known(world, bells):
    run = run_of(submit(world, all_proofs(world)))
    Run.objects.filter(pk=run.pk).update(state=Run.State.CHECKING, started=timezone.now() - timedelta(minutes=2))
    proofs = list(run.submission.proofs.all())
    for proof in proofs[:3]:
        Result.objects.create(run=run, proof=proof, verdict="proved")
    assert run_progress(Run.objects.get(pk=run.pk)).remaining is None
    for proof in proofs[3:6]:
        Result.objects.create(run=run, proof=proof, verdict="failed")
    shown = run_progress(Run.objects.get(pk=run.pk))
    low, high = shown.remaining
    assert shown.per_minute == pytest.approx(3, rel=0.1)
    assert low < 80 < high


@pytest.mark.django_db
def test_a_silent_worker_is_marked_dead_and_a_beat_brings_it_back(world, bells):
    worker_announce(name="w", host="h", pid=1, environments=["e" * 64], sandbox={"network": "holds"}, why="")
    assert queue_status().environments[0].workers == 1
    WorkerRow.objects.update(heartbeat=timezone.now() - timedelta(seconds=61))
    assert keeper_sweep().workers == 1
    assert (queue_status().workers[0].alive, queue_status().environments[0].workers) == (False, 0)
    assert worker_beat(name="w")
    assert queue_status().environments[0].workers == 1
    worker_stop(name="w", why="being stopped")
    assert not worker_beat(name="w")


@pytest.mark.django_db
def test_the_status_tells_the_age_of_the_oldest_run_that_nobody_works_on(world, bells):
    long_ago, before = (timezone.now() - timedelta(hours=hours) for hours in (3, 2))
    first, second = (run_of(submit(world, all_proofs(world, text))) for text in ("prove a", "prove b"))
    Run.objects.filter(pk=first.pk).update(created=long_ago)
    Run.objects.filter(pk=second.pk).update(created=before)
    Slice.objects.update(waiting_since=timezone.now())  # as after a worker was lost: the run is no younger for it
    shown = queue_status()
    assert (shown.oldest, shown.environments[0].oldest, shown.environments[0].waiting_runs) == (long_ago, long_ago, 2)
    assert claim(world).run_id == first.pk
    shown = queue_status()
    assert (shown.waiting_slices, shown.oldest, shown.environments[0].waiting_runs) == (3, before, 1)
    Slice.objects.filter(state=Slice.State.LEASED).update(state=Slice.State.WAITING)
    work_all(world)
    assert queue_status().oldest is None
