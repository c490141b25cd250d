"""The bell: one RQ queue per environment. It wakes workers and carries nothing; what is to do stands in the database.

A lost job, a lost Redis or a job that rings twice therefore changes nothing (design, sections 3 and 9). Jobs are named
by a dotted function and written as JSON, so that whoever can write to Redis cannot hand a worker an object to unpickle.
"""

import logging
import time
from functools import cache

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer
from rq.worker import RoundRobinWorker

logger = logging.getLogger(__name__)

JOB = "submissions.jobs.answer_bell"
READING_JOB = "submissions.jobs.answer_reading_bell"
READING_QUEUE = "selen-reading"
KEEP_FAILED_SECONDS = 86_400
RECONNECT_SECONDS = 5.0
MOST_UNHEARD = 64  # bells in one queue; whoever hears one works on until nothing waits, so more would say nothing new


def queue_name(environment_digest: str) -> str:
    """Name of the queue that workers of an environment listen to."""
    return f"selen-{environment_digest[:16]}"


@cache
def _bell_connection() -> Redis:
    """A connection that gives up at once: nobody waits in front of a page for a Redis that is away."""
    return Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1, retry=Retry(NoBackoff(), 0))


def ring(environment_digest: str) -> bool:
    """Wake one worker of the environment; False when Redis is away (the keeper rings again)."""
    return _enqueue(queue_name(environment_digest), JOB, environment_digest)


def ring_reader() -> bool:
    """Wake somebody who reads large uploads; False when Redis is away (the keeper rings again)."""
    return _enqueue(READING_QUEUE, READING_JOB)


def _enqueue(name: str, job: str, *arguments: str) -> bool:
    queue = Queue(name, connection=_bell_connection(), serializer=JSONSerializer)
    try:
        if queue.count >= MOST_UNHEARD:
            return True
        queue.enqueue(job, *arguments, job_timeout=-1, result_ttl=0, failure_ttl=KEEP_FAILED_SECONDS)
    except RedisError as error:
        logger.warning("No Redis at REDIS_URL answers, so no worker was woken; the keeper rings again: %s", error)
        return False
    return True


def _bell_awaited() -> None:
    """Return once Redis answers; until then one line in the log says where it was looked for."""
    told = False
    while not bell_answers():
        if not told:
            logger.error("No Redis answers at %s. Start it, or look at REDIS_URL; this waits for it.", _address())
            told = True
        time.sleep(RECONNECT_SECONDS)


def _address() -> str:
    """REDIS_URL without what is secret in it."""
    scheme, mark, rest = settings.REDIS_URL.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}"


def bell_answers() -> bool:
    """Whether Redis answers now, for the status page."""
    try:
        return bool(_bell_connection().ping())
    except RedisError:
        return False


class BellLostError(Exception):
    """Redis went away at a moment at which the listener gives up."""


class _Listener(RoundRobinWorker):
    """Hears environments in turn, and uploads before any of them: somebody waits in front of a page."""

    def reorder_queues(self, reference_queue: Queue) -> None:
        """Put the queue that was served last behind the others, but never the one of uploads."""
        super().reorder_queues(reference_queue)  # type: ignore[no-untyped-call]
        self._ordered_queues.sort(key=lambda queue: queue.name != READING_QUEUE)


def listen(environment_digests: list[str]) -> None:
    """Run an RQ worker on the queues of these environments until it is told to stop; without any it reads uploads.

    Uploads are heard first by everybody, environments in turn. It forks a process per job, waits for Redis where it is
    away at the start or goes away later, and raises BellLostError only if it goes away at a moment at which RQ gives
    up; whoever started the process starts it again.
    """
    _bell_awaited()
    connection = Redis.from_url(settings.REDIS_URL)
    names = [READING_QUEUE, *map(queue_name, environment_digests)]
    queues = [Queue(name, connection=connection, serializer=JSONSerializer) for name in names]
    worker = _Listener(queues, connection=connection, serializer=JSONSerializer)
    worker.max_connection_wait_time = RECONNECT_SECONDS
    try:
        worker.work(logging_level="WARNING")
    except RedisError as error:
        raise BellLostError(str(error)) from error
