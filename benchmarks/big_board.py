# ruff: noqa: PLC0415 (Django is set up before anything of it is imported)
"""`make bench-leaderboard`: a board of 1,000 submissions x 340 problems x 5 attempts, on SQLite and on PostgreSQL.

For each database: how large it is, the time of one run's summary, every page cold, anew and warm in one process, 64
readers at once through gunicorn while a submission finishes every second, and the atlas of 5,464 problems by 100
systems. One line a figure: name, figure, budget, ok or over, ratio; exits 1 when one is over (design, section 13).
`--submissions N` makes a smaller board, `--database` chooses one.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client

ROOT = Path(__file__).resolve().parent.parent
WARM_MS, COLD_MS, QUERIES = 50.0, 1000.0, 10.0
WARM_READS, COLD_READS = 40, 3
WIDE_SIZES, WIDE_SYSTEMS = (2234, 1671, 948, 611), 100  # the paper's set of 340 in the size of all its lemmas
WIDE = ("/b/wide/atlas/", "/b/wide/atlas.json")
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
    from benchmarks.big_board_load import PORT
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

    from benchmarks.big_board_load import load
    from benchmarks.big_board_rows import board_make

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    made = board_make(submissions)
    over = _print(database, [
        (f"rows of {submissions} submissions written", made["rows"], None, "s"),
        ("database size", _size() / 2**20, None, "MiB"),
        ("summary of one run, median", made["median"], None, "ms"),
        ("summary of one run, p95", made["p95"], None, "ms"),
    ])  # fmt: skip
    over |= _print(database, _pages())
    over |= _print(database, load(ADDRESSES, submissions))
    return int(over | _print(database, _wide()))


def _print(database: str, figures: Iterable[Figure]) -> bool:
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
    """Cold: nothing of the board in the cache. Anew: a run of the board was changed since. Warm: made before."""
    from submissions.services.summaries import stamp_bump
    from verifier.models import Pack

    pack = Pack.objects.get(slug="toy")
    for address in ADDRESSES:  # a process that has just started loads its modules once, whatever it shows
        _milliseconds(address)
    for address in ADDRESSES:
        yield from _page(address, address)
        stamp_bump(pack_id=pack.pk)
        yield (f"{address} anew after a change", _milliseconds(address), None, "ms")


def _wide() -> Iterator[Figure]:
    """The atlas of as many problems as the paper has lemmas, by a hundred systems."""
    from benchmarks.big_board_rows import wide_make

    wide_make(WIDE_SIZES, WIDE_SYSTEMS)
    for address in WIDE:
        name = f"{sum(WIDE_SIZES)} x {WIDE_SYSTEMS}: {address}"
        yield from _page(address, name)
        yield (f"{name} size", len(_answer(address)) / 2**10, None, "KiB")


def _page(address: str, name: str) -> Iterator[Figure]:
    from django.core.cache import cache as kept
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    cold = []
    for _ in range(COLD_READS):
        kept.clear()
        cold.append(_milliseconds(address))
    kept.clear()
    work = _milliseconds(address, time.process_time)  # what a busy machine does not add to
    warm = sorted(_milliseconds(address) for _ in range(WARM_READS))
    kept.clear()
    with CaptureQueriesContext(connection) as queries:
        _milliseconds(address)
    yield (f"{name} cold, worst of {COLD_READS}", max(cold), COLD_MS, "ms")
    yield (f"{name} cold, processor time", work, None, "ms")
    yield (f"{name} warm, p95", warm[int(0.95 * WARM_READS)], WARM_MS, "ms")
    yield (f"{name} queries", float(len(queries)), QUERIES, "")


def _milliseconds(address: str, clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    _answer(address)
    return (clock() - start) * 1000


@cache
def _client() -> "Client":
    """One for all, as one process of the site serves all."""
    from django.test import Client

    return Client(headers={"host": "127.0.0.1"})


def _answer(address: str) -> bytes:
    response = _client().get(address)
    if response.status_code != 200:
        raise SystemExit(f"{address} answered {response.status_code}")
    return bytes(response.content)


if __name__ == "__main__":
    sys.exit(main())
