# ruff: noqa: PLC0415 (Django is set up before anything of it is imported)
"""`make bench-leaderboard`: a board of 1,000 submissions x 340 problems x 5 attempts, on SQLite and on PostgreSQL.

For each database: how large it is, the time of one run's summary, every page cold and warm in one process, and 64
readers at once through gunicorn while a submission finishes every second. One line a figure: name, figure, budget, ok
or over, ratio; exits 1 when one is over (design, section 13). `--submissions N` makes a smaller board, `--database`
chooses one.
"""

import argparse
import logging
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WARM_MS, COLD_MS, QUERIES = 50.0, 1000.0, 10.0
WARM_READS, COLD_READS, READERS, LOAD_SECONDS, PORT = 40, 3, 64, 30, 8797
VIEWS = ("history", "failures", "times", "augmentations", "originality", "compare", "atlas", "problems")
ADDRESSES = (
    "/b/toy/leaderboard/",
    "/b/toy/leaderboard/?k=5&category=P2",
    "/b/toy/leaderboard/?metric=pass&k=5",
    "/b/toy/leaderboard.csv",
    "/b/toy/leaderboard.json",
    *(f"/b/toy/{view}/" for view in VIEWS),
    "/b/toy/atlas.json",
    "/b/toy/plots/history.json",
    "/b/toy/problems/lemma_0100/",
    "/b/toy/",
)
Figure = tuple[str, float, float | None, str]


def main() -> int:
    """Both databases, or the one asked for; each in a process of its own."""
    sys.path.insert(0, str(ROOT))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=1000)
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        return _measure(asked.submissions, asked.database)
    wanted = ("sqlite", "postgresql") if asked.database == "both" else (asked.database,)
    return max([_database(name, asked.submissions) for name in wanted])


def _database(name: str, submissions: int) -> int:
    from tests.submissions import postgres

    if name == "postgresql" and postgres.binaries() is None:
        print("postgresql | - | - | skipped: no initdb on PATH | -")
        return 0
    with tempfile.TemporaryDirectory(prefix="selen-bench-") as folder:
        env = {**os.environ, "SELEN_DATA_DIR": folder, "SELEN_MODE": "development"}
        env |= {"DJANGO_SETTINGS_MODULE": "selen_site.settings", "SELEN_BASE_URL": f"http://127.0.0.1:{PORT}"}
        env |= {"SELEN_EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
        env.pop("DATABASE_URL", None)
        command = [sys.executable, __file__, "--inside", "--database", name, "--submissions", str(submissions)]
        if name == "sqlite":
            return subprocess.run(command, env=env, check=False).returncode
        with postgres.server() as address:
            return subprocess.run(command, env=env | {"DATABASE_URL": address}, check=False).returncode


def _measure(submissions: int, database: str) -> int:
    import django

    django.setup()
    from django.core.management import call_command

    from benchmarks.big_board_rows import board_make

    logging.getLogger("httpx").setLevel(logging.WARNING)
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    made = board_make(submissions)
    over = _print(database, [
        (f"rows of {submissions} submissions written", made["rows"], None, "s"),
        ("database size", _size() / 2**20, None, "MiB"),
        ("summary of one run, median", made["median"], None, "ms"),
        ("summary of one run, p95", made["p95"], None, "ms"),
    ])  # fmt: skip
    over |= _print(database, list(_pages()))
    return int(over | _print(database, list(_load(submissions))))


def _print(database: str, figures: list[Figure]) -> bool:
    over = False
    for name, figure, budget, unit in figures:
        if budget is None:
            print(f"{database}: {name} | {figure:.1f} {unit} | - | - | -", flush=True)
            continue
        over |= figure > budget
        state = "over" if figure > budget else "ok"
        ratio = f"{figure / budget:.2f}" if budget else "-"
        print(f"{database}: {name} | {figure:.1f} {unit} | {budget:.0f} {unit} | {state} | {ratio}", flush=True)
    return over


def _size() -> int:
    from django.db import connection

    if connection.vendor == "sqlite":
        return Path(connection.settings_dict["NAME"]).stat().st_size
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def _pages() -> Iterator[Figure]:
    """Cold: nothing of the board in the cache. Warm: the page was made before."""
    from django.core.cache import cache
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(headers={"host": "127.0.0.1"})

    def milliseconds(address: str, clock: Callable[[], float] = time.perf_counter) -> float:
        start = clock()
        response = client.get(address)
        if response.status_code != 200:
            raise SystemExit(f"{address} answered {response.status_code}")
        return (clock() - start) * 1000

    for address in ADDRESSES:  # a process that has just started loads its modules once, whatever it shows
        milliseconds(address)
    for address in ADDRESSES:
        cold = []
        for _ in range(COLD_READS):
            cache.clear()
            cold.append(milliseconds(address))
        cache.clear()
        work = milliseconds(address, time.process_time)  # what a busy machine does not add to
        warm = sorted(milliseconds(address) for _ in range(WARM_READS))
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            milliseconds(address)
        yield (f"{address} cold, worst of {COLD_READS}", max(cold), COLD_MS, "ms")
        yield (f"{address} cold, processor time", work, None, "ms")
        yield (f"{address} warm, p95", warm[int(0.95 * WARM_READS)], WARM_MS, "ms")
        yield (f"{address} queries", float(len(queries)), QUERIES, "")


def _load(submissions: int) -> Iterator[Figure]:
    """64 readers, each with the next page as soon as it has the last, while one submission finishes every second."""
    from submissions.models import RunSummary

    before = RunSummary.objects.count()
    with _server(), _writer(submissions) as late:
        spent, faults = _read()
        late.set()
    ordered = sorted(spent)
    finished = RunSummary.objects.count() - before
    seconds = f"{READERS} readers, {LOAD_SECONDS} s"
    yield (f"{seconds}: faults", float(len(faults)), 0.0, "")
    yield (f"{seconds}: answers", len(spent) / LOAD_SECONDS, None, "a second")
    yield (f"{seconds}: median", ordered[len(ordered) // 2], None, "ms")
    yield (f"{seconds}: p95", ordered[int(0.95 * len(ordered))], None, "ms")
    yield (f"{seconds}: worst", ordered[-1], None, "ms")
    yield (f"{seconds}: submissions finished meanwhile", float(finished), None, "")
    for fault in faults[:5]:
        print(fault, file=sys.stderr)


def _read() -> tuple[list[float], list[str]]:
    import httpx

    spent: list[float] = []
    faults: list[str] = []
    end = time.monotonic() + LOAD_SECONDS

    def reader(number: int) -> None:
        source = random.Random(number)
        with httpx.Client(base_url=f"http://127.0.0.1:{PORT}", timeout=60) as client:
            while time.monotonic() < end:
                address = source.choice(ADDRESSES)
                start = time.perf_counter()
                try:
                    answer = client.get(address)
                except httpx.HTTPError as fault:
                    faults.append(f"{address}: {fault!r}")
                    continue
                spent.append((time.perf_counter() - start) * 1000)
                if answer.status_code != 200:
                    faults.append(f"{address}: {answer.status_code}")

    with ThreadPoolExecutor(READERS) as pool:
        list(pool.map(reader, range(READERS)))
    return spent, faults


@contextmanager
def _server() -> Iterator[None]:
    """The site as `deploy/supervisord.conf` starts it."""
    import httpx

    command = [str(Path(sys.executable).parent / "gunicorn"), "selen_site.wsgi", "--bind", f"127.0.0.1:{PORT}"]
    command += ["--workers", "2", "--threads", "4", "--no-control-socket", "--log-level", "warning"]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        for _ in range(120):
            try:
                httpx.get(f"http://127.0.0.1:{PORT}/", timeout=5)
                break
            except httpx.HTTPError:
                time.sleep(0.25)
        for address in ADDRESSES:
            httpx.get(f"http://127.0.0.1:{PORT}{address}", timeout=60)
        yield
    finally:
        process.terminate()
        process.wait()


@contextmanager
def _writer(submissions: int) -> Iterator[threading.Event]:
    """One more submission a second: its results and its summary; the fifteenth is published, so every page changes."""
    over = threading.Event()

    def write() -> None:
        from django.db import connection, transaction

        from benchmarks.big_board_rows import submission_make
        from submissions.models import BoardEntry
        from submissions.services.summaries import run_summarise, stamp_bump
        from tests.leaderboard.seed import START
        from verifier.models import Environment, ProblemSet

        problem_set, environment = ProblemSet.objects.get(), Environment.objects.get()
        for number in range(10**6):
            begun = time.monotonic()
            with transaction.atomic():
                run = submission_make(problem_set, environment, submissions + number, submissions)
            with transaction.atomic():
                run_summarise(run=run)
                if number == 14:
                    BoardEntry.objects.create(
                        run=run, problem_set=problem_set, system=run.submission.system, valid_from=START
                    )
                    stamp_bump(pack_id=problem_set.pack_id)
            if over.wait(max(0.0, 1 - (time.monotonic() - begun))):
                break
        connection.close()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield over
    finally:
        over.set()
        thread.join()


if __name__ == "__main__":
    sys.exit(main())
