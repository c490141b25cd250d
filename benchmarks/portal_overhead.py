# ruff: noqa: PLC0415, ANN001 (Django is set up before anything of it is imported; the figures are printed)
"""What the portal adds to each checked proof: claim, start mark, row, log, slice and run bookkeeping.

Real services on a real SQLite file with the product's own settings, fed by a judge that answers at once, so that all
that is measured is the portal. Prints one line: name, figure, budget, ok or over, share of the budget.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
PROBLEMS, ATTEMPTS = 10, 60
BUDGET_MS = 5.0


def main() -> int:
    """Milliseconds per proof, best of three runs of 600 proofs each (a shared machine only ever adds)."""
    sys.path.insert(0, str(ROOT))
    with tempfile.TemporaryDirectory(prefix="selen-bench-") as folder:
        os.environ.update(SELEN_DATA_DIR=folder, SELEN_DEBUG="1", DJANGO_SETTINGS_MODULE="selen_site.settings")
        os.environ.update(SELEN_EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend")
        os.environ.pop("DATABASE_URL", None)
        os.environ["REDIS_URL"] = f"unix://{folder}/no-redis.sock"
        django.setup()
        best = min(_measure_all())
    print(
        f"portal overhead per proof | {best:.2f} ms | {BUDGET_MS:.0f} ms | {'ok' if best <= BUDGET_MS else 'over'}"
        f" | {best / BUDGET_MS:.2f}"
    )
    return int(best > BUDGET_MS)


def _measure_all() -> list[float]:
    from django.core.management import call_command
    from django.db import connections

    from submissions import queue
    from tests.submissions.world import world_make

    call_command("migrate", verbosity=0)
    queue.ring = lambda _digest: True  # the bell is rung once a slice, and timed by nobody's budget
    world = world_make()
    world.pack.daily_quota = 100
    world.pack.save()
    figures = [_measure(world, number) for number in range(3)]
    connections.close_all()
    return figures


def _measure(world, number: int) -> float:
    from submissions.models import Result
    from submissions.services.judging import slice_judge
    from submissions.services.leases import slice_claim
    from submissions.services.submissions import draft_confirm
    from tests.submissions.world import TextJudge, all_proofs, run_of

    draft = world.draft(all_proofs(world, f"prove run {number}", range(1, ATTEMPTS + 1)))
    submission = draft_confirm(draft=draft, actor=world.owner)
    judge = TextJudge()
    started = time.perf_counter()
    while (claim := slice_claim(environment_id=world.environment.pk, worker="bench")) is not None:
        slice_judge(claim=claim, judge=judge, stopped=lambda: False)
    seconds = time.perf_counter() - started
    run = run_of(submission)
    judged = Result.objects.filter(run=run, confirmation="confirmed").count()
    assert (run.state, judged) == ("done", PROBLEMS * ATTEMPTS), (run.state, judged)
    return 1000 * seconds / judged


if __name__ == "__main__":
    sys.exit(main())
