# ruff: noqa: PLC0415 (Django is set up before anything of it is imported)
"""A board of 100 submissions x 75 problems x 5 samples: its page cold and warm, and its queries.

Prints `name | figure | budget | ok|over`, with the ratio of figure to budget last; exits 1 when one is over. Rows are
made from a seed by the tests' own maker.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUBMISSIONS, SIZES, WARM_READS = 100, (30, 20, 15, 10), 40
COLD_MS, WARM_MS, QUERIES = 1000.0, 50.0, 10
ADDRESS = "/b/toy/leaderboard/"


def main() -> int:
    """All figures against their budgets (design, section 13)."""
    sys.path.insert(0, str(ROOT))
    with tempfile.TemporaryDirectory(prefix="selen-bench-") as folder:
        os.environ.update(SELEN_DATA_DIR=folder, SELEN_DEBUG="1", DJANGO_SETTINGS_MODULE="selen_site.settings")
        os.environ.pop("DATABASE_URL", None)
        import django

        django.setup()
        figures = _measure()
    for name, figure, budget, unit in figures:
        state = "ok" if figure <= budget else "over"
        print(f"{name} | {figure:.1f} {unit} | {budget:.0f} {unit} | {state} | {figure / budget:.2f}")
    return int(any(figure > budget for _, figure, budget, _ in figures))


def _measure() -> list[tuple[str, float, float, str]]:
    from django.core.cache import cache
    from django.core.management import call_command
    from django.db import connection, connections
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from tests.leaderboard.seed import Method, pack_make, publish

    call_command("migrate", verbosity=0)
    target = pack_make(sizes=SIZES)
    for number in range(SUBMISSIONS):
        level = (number + 1) / SUBMISSIONS
        publish(*target, Method(f"system {number}", f"team {number % 20}", (level, level / 2, level / 3, level / 4)))
    client = Client(headers={"host": "localhost"})
    _milliseconds(client)  # a process that has just started loads its modules once, whatever it shows
    cold = []
    for _ in range(3):
        cache.clear()
        cold.append(_milliseconds(client))
    warm = sorted(_milliseconds(client) for _ in range(WARM_READS))
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        _milliseconds(client)
    connections.close_all()
    return [
        ("leaderboard page cold, 100 x 75 x 5", max(cold), COLD_MS, "ms"),
        ("leaderboard page warm p95, 100 x 75 x 5", warm[int(0.95 * WARM_READS)], WARM_MS, "ms"),
        ("leaderboard page cold, queries", float(len(queries)), float(QUERIES), "queries"),
    ]


def _milliseconds(client) -> float:  # noqa: ANN001
    start = time.perf_counter()
    response = client.get(ADDRESS)
    if response.status_code != 200:
        raise SystemExit(f"{ADDRESS} answered {response.status_code}")
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    sys.exit(main())
