# ruff: noqa: PLC0415 (Django is set up before anything of it is imported)
"""64 readers at once through gunicorn, while every second one submission finishes and its team publishes it.

Readers, site and the process that finishes submissions are apart, as they are on a host. Run as a program, it is that
process: one submission a second until its standard input ends.
"""

import http.client
import json
import os
import random
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
READERS, SECONDS, PORT = 64, 30, 8797
FIRST_SECONDS, TRIES = 60, 240
Figure = tuple[str, float, float | None, str]


@dataclass
class Seen:
    """What readers saw: milliseconds an answer, what went wrong, and seconds since the board shown was the newest."""

    spent: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    late: list[float] = field(default_factory=list)


def load(addresses: tuple[str, ...], submissions: int) -> Iterator[Figure]:
    """Figures of readers that ask for the next page as soon as they have the last."""
    with _site(addresses), _finishing(submissions) as finished:
        seen = _read(addresses)
        took = finished()
    ordered, under = sorted(seen.spent), f"{READERS} readers, {SECONDS} s"
    yield (f"{under}: faults", float(len(seen.faults)), 0.0, "")
    yield (f"{under}: answers", len(ordered) / SECONDS, None, "a second")
    yield (f"{under}: median", ordered[len(ordered) // 2], None, "ms")
    yield (f"{under}: p95", ordered[int(0.95 * len(ordered))], None, "ms")
    yield (f"{under}: worst", ordered[-1], None, "ms")
    yield (f"{under}: submissions finished and published", float(len(took)), None, "")
    yield (f"{under}: submissions fewer than one a second", max(0.0, float(SECONDS - len(took))), 1.0, "")
    yield (f"{under}: finishing and publishing one, worst", 1000 * max(took, default=0.0), None, "ms")
    yield (f"{under}: answers that showed the board before", 100 * len(seen.late) / len(ordered), None, "%")
    yield (f"{under}: oldest board shown, p95", _p95(seen.late), None, "s")
    for fault in seen.faults[:5]:
        print(fault, file=sys.stderr)


def _p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * len(values))] if values else 0.0


def _read(addresses: tuple[str, ...]) -> Seen:
    seen, end = Seen(), time.monotonic() + SECONDS

    def reader(number: int) -> None:
        source = random.Random(number)
        line = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
        while time.monotonic() < end:
            address, start = source.choice(addresses), time.perf_counter()
            try:
                line.request("GET", address)
                answer = line.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException) as fault:
                seen.faults.append(f"{address}: {fault!r}")
                line.close()
                continue
            seen.spent.append((time.perf_counter() - start) * 1000)
            if answer.status != 200:
                seen.faults.append(f"{address}: {answer.status}")
            if since := answer.getheader("Last-Modified"):
                seen.late.append(time.time() - parsedate_to_datetime(since).timestamp())
        line.close()

    with ThreadPoolExecutor(READERS) as pool:
        list(pool.map(reader, range(READERS)))
    return seen


@contextmanager
def _site(addresses: tuple[str, ...]) -> Iterator[None]:
    """The site as `deploy/supervisord.conf` starts it, with every page made once."""
    command = [str(Path(sys.executable).parent / "gunicorn"), "selen_site.wsgi", "--bind", f"127.0.0.1:{PORT}"]
    command += ["--workers", "2", "--threads", "4", "--no-control-socket", "--log-level", "warning"]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        for attempt in range(TRIES):
            try:
                _first("/")
                break
            except OSError:
                if attempt == TRIES - 1:
                    raise
                time.sleep(0.25)
        for address in addresses:
            _first(address)
        yield
    finally:
        process.terminate()
        process.wait()


def _first(address: str) -> None:
    line = http.client.HTTPConnection("127.0.0.1", PORT, timeout=FIRST_SECONDS)
    line.request("GET", address)
    line.getresponse().read()
    line.close()


@contextmanager
def _finishing(submissions: int) -> Iterator[Callable[[], list[float]]]:
    """The process that finishes submissions; what is yielded ends it and gives the seconds that each took."""
    process = subprocess.Popen(
        [sys.executable, __file__, str(submissions)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()  # it is ready

        def finished() -> list[float]:
            took: list[float] = json.loads(process.communicate()[0])
            return took

        yield finished
    finally:
        process.kill()
        process.wait()


def main() -> int:
    """One submission after the other, on whole seconds of this process, until standard input ends."""
    sys.path.insert(0, str(ROOT))
    import django

    django.setup()
    from django.db import transaction

    from benchmarks.big_board_rows import submission_make
    from submissions.models import User
    from submissions.services.publishing import submission_publish
    from submissions.services.runs import run_advance
    from verifier.models import Environment, ProblemSet

    problem_set = ProblemSet.objects.get(pack__slug="toy")
    environment = Environment.objects.get(pack=problem_set.pack)
    submissions, took = int(sys.argv[1]), []
    print("ready", flush=True)
    begun = time.monotonic()
    while not select.select([sys.stdin], [], [], max(0.0, begun + len(took) - time.monotonic()))[0]:
        with transaction.atomic():
            run = submission_make(problem_set, environment, submissions + len(took), submissions, finished=False)
        start = time.monotonic()
        run_advance(run_id=run.pk)
        owner = User.objects.get(memberships__team=run.submission.team)
        submission_publish(submission=run.submission, actor=owner)
        took.append(time.monotonic() - start)
    print(json.dumps(took))
    return 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
