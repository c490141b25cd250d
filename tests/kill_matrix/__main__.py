# ruff: noqa: PLC0415, T201 (Django is set up before anything of it is imported; the figures are printed)
"""Run scenarios: `--all`, or `--seed N --count M` for a part of them chosen by that seed."""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import django

from tests.kill_matrix.stage import Stage
from tests.kill_matrix.steps import KEEPER_STEPS, STEPS, WEB_STEPS

DEADLINE_SECONDS = 90


@dataclass(frozen=True, slots=True)
class Scenario:
    step: str
    moment: str
    victim: str


def scenarios() -> list[Scenario]:
    """Every step, just before and just after, for every process that takes part in it."""
    moments = ("before", "after")
    judged = [Scenario(s, m, v) for s in STEPS for m in moments for v in ("horse", "listener", "worker", "redis")]
    kept = [Scenario(s, m, "keeper") for s in KEEPER_STEPS for m in moments]
    return judged + kept + [Scenario(s, m, "web") for s in WEB_STEPS for m in moments]


def play(stage: Stage, scenario: Scenario) -> list[str]:
    """One scenario from an accepted upload to the end of its run; what is wrong afterwards."""
    from submissions import queue
    from submissions.models import Draft, Run
    from tests.submissions.world import all_proofs, world_make

    marker = stage.folder / "struck"
    marker.unlink(missing_ok=True)
    _reset(stage)
    queue._bell_connection.cache_clear()
    world = world_make()
    proofs = {**all_proofs(world), ("lemma_3", 1): "fail x", ("lemma_8", 1): "slow x", ("lemma_9", 1): "REJECT"}
    draft = world.draft(proofs)
    armed = {
        "KILL_STEP": scenario.step,
        "KILL_MOMENT": scenario.moment,
        "KILL_VICTIM": scenario.victim,
        "KILL_MARKER": str(marker),
    }
    stage.play("confirm", draft.public_id, **armed).wait()
    if scenario.victim == "web":
        stage.play("confirm", draft.public_id).wait()  # whoever clicked clicks again
    if scenario.victim == "keeper":
        _lose_a_worker(stage, world.environment.pk)
    until = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < until and not Run.objects.filter(state=Run.State.DONE).exists():
        stage.tend(armed)
        time.sleep(0.2)
    stage.clear()
    faults = _faults(Draft.objects.get())
    if not marker.exists():
        faults.append("nothing was killed")
    return faults


def _lose_a_worker(stage: Stage, environment_id: int) -> None:
    """Leave a lease behind whose worker died in the middle of a proof."""
    from submissions.services.leases import slice_claim
    from submissions.services.results import proof_started
    from submissions.services.runs import proofs_unjudged

    claim = slice_claim(environment_id=environment_id, worker="lost")
    assert claim is not None
    proof_started(claim=claim, proof_id=proofs_unjudged(slice_id=claim.slice_id, run_id=claim.run_id)[0])


def _reset(stage: Stage) -> None:
    from django.db import connections

    connections.close_all()
    for name in ("selen.sqlite3", "selen.sqlite3-wal", "selen.sqlite3-shm"):
        (stage.folder / name).unlink(missing_ok=True)
    shutil.copy(stage.folder / "template.sqlite3", stage.folder / "selen.sqlite3")
    if "redis" not in stage.processes or stage.processes["redis"].poll() is not None:
        stage.redis()


def _faults(draft) -> list[str]:
    """Everything that must hold once a run has ended, whatever was killed on the way."""
    from django.db.models import Count

    from submissions.models import Proof, QuotaUse, Result, Run, Slice, Submission

    faults = []
    counts = (Submission.objects.count(), Run.objects.count(), Run.objects.filter(state="done").count())
    if counts != (1, 1, 1):
        return [f"submissions, runs, runs done: {counts}"]
    if draft.state != "confirmed" or QuotaUse.objects.get().used != 1:
        faults.append(f"draft {draft.state}, quota {QuotaUse.objects.get().used}")
    first_word = {"prove": "proved", "fail": "failed", "slow": "timeout", "REJECT": "rejected"}
    for proof in Proof.objects.annotate(n=Count("results")):
        results = list(Result.objects.filter(proof=proof))
        if len(results) != 1:
            faults.append(f"{proof.problem.ident}: {len(results)} results")
        elif results[0].verdict != first_word[proof.text.split()[0]]:
            faults.append(f"{proof.problem.ident}: {results[0].verdict} {results[0].reason}")
        elif not hasattr(results[0], "log"):
            faults.append(f"{proof.problem.ident}: no log")
    if Proof.objects.count() != 10:
        faults.append(f"{Proof.objects.count()} proofs")
    if Slice.objects.exclude(state="done").exists():
        faults.append("a slice is still open")
    summary = Run.objects.get().summary.counts
    if (summary["proved"], summary["confirmed"], summary["judged"]) != (7, 7, 10):
        faults.append(f"summary {summary['proved']}, {summary['confirmed']}, {summary['judged']}")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.kill_matrix")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--step", default="")
    options = parser.parse_args()
    chosen = [s for s in scenarios() if options.step in s.step]
    if not options.all:
        chosen = random.Random(options.seed).sample(chosen, min(options.count, len(chosen)))
    stage = Stage(Path(tempfile.mkdtemp(prefix="selen-kill-")))
    (stage.folder / "run").mkdir()
    os.environ.pop("DATABASE_URL", None)
    os.environ.update(stage.environment())
    django.setup()
    from django.core.management import call_command
    from django.db import connections

    call_command("migrate", verbosity=0)
    connections.close_all()
    (stage.folder / "selen.sqlite3").rename(stage.folder / "template.sqlite3")
    bad = 0
    try:
        for number, scenario in enumerate(chosen, 1):
            started = time.monotonic()
            faults = play(stage, scenario)
            bad += bool(faults)
            line = f"{number}/{len(chosen)} | {scenario.step} | {scenario.moment} | {scenario.victim}"
            print(f"{line} | {time.monotonic() - started:.1f} s | {'; '.join(faults) or 'ok'}", flush=True)
            if faults:
                print((stage.folder / "log.txt").read_text()[-3000:], flush=True)
    finally:
        connections.close_all()
        stage.close()
    print(f"{len(chosen)} scenarios, {bad} with something lost or doubled")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
