# ruff: noqa: PLC0415, T201 (Django is set up before anything of it is imported; what was seen is printed)
"""Redis is stopped in the middle of a run, stays away while a second submission is confirmed, and is started again.

`python -m tests.kill_matrix.away` prints what was seen as JSON.
"""

import json
import logging
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import django

from tests.kill_matrix.stage import Stage

AWAY_SECONDS = 6
WAIT_SECONDS = 180


def wait(stage: Stage, ready: Callable[[], bool], *, redis: bool = True) -> None:
    until = time.monotonic() + WAIT_SECONDS
    while not ready():
        assert time.monotonic() < until, (stage.folder / "log.txt").read_text()[-3000:]
        stage.tend({}, redis=redis)
        time.sleep(0.1)


def main() -> int:
    stage = Stage(Path(tempfile.mkdtemp(prefix="selen-away-")))
    (stage.folder / "run").mkdir()
    os.environ.pop("DATABASE_URL", None)
    os.environ.update(stage.environment())
    django.setup()
    logging.disable(logging.WARNING)
    try:
        print(json.dumps(_seen(stage)))
    finally:
        stage.close()
    return 0


def _seen(stage: Stage) -> dict[str, object]:
    from django.core.management import call_command

    from submissions import queue
    from submissions.models import Result, Run, Slice
    from tests.submissions.world import all_proofs, world_make

    call_command("migrate", verbosity=0)
    world = world_make()
    stage.redis()
    first = world.draft(all_proofs(world, "prove first", attempts=range(1, 6)))
    second = world.draft(all_proofs(world, "prove second"))
    stage.play("confirm", first.public_id).wait()
    wait(stage, lambda: Result.objects.count() >= 5)
    redis = stage.processes.pop("redis")
    redis.terminate()
    redis.wait()
    stage.socket.unlink(missing_ok=True)
    seen: dict[str, object] = {"answers while away": queue.bell_answers()}
    at = Result.objects.count()
    began = time.monotonic()
    seen["confirm while away"] = stage.play("confirm", second.public_id).wait()
    wait(stage, lambda: time.monotonic() - began > AWAY_SECONDS, redis=False)
    seen["results while away"] = Result.objects.count() - at
    wait(stage, lambda: Run.objects.filter(state=Run.State.DONE).count() == 2)
    seen["states"] = sorted(Run.objects.values_list("state", flat=True))
    seen["results"] = sorted(Counter(Result.objects.values_list("run", "proof")).values())
    seen["verdicts"] = dict(Counter(Result.objects.values_list("verdict", flat=True)))
    seen["open slices"] = Slice.objects.exclude(state=Slice.State.DONE).count()
    return seen


if __name__ == "__main__":
    sys.exit(main())
