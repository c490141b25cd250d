# ruff: noqa: PLC0415, T201 (Django is set up before anything of it is imported; the figures are printed)
"""Run scenarios: `--all`, or `--seed N --count M` for a part of them chosen by that seed."""

import argparse
import logging
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import django

from tests.kill_matrix.scenes import SCENES, Scene, templates
from tests.kill_matrix.stage import Stage
from tests.kill_matrix.steps import CONFIRMED, JUDGED, KEPT, PROVED, SECOND_LOOK, UPLOADED

DEADLINE_SECONDS = 120
MOMENTS = ("before", "after")


@dataclass(frozen=True, slots=True)
class Scenario:
    scene: str
    step: str
    moment: str
    victim: str

    def environment(self, marker: Path) -> dict[str, str]:
        return {
            "KILL_SCENE": self.scene,
            "KILL_STEP": self.step,
            "KILL_MOMENT": self.moment,
            "KILL_VICTIM": self.victim,
            "KILL_MARKER": str(marker),
        }


def scenarios() -> list[Scenario]:
    """Every step, just before and just after, for every process that takes part in it."""
    return [
        *_crossed("texts", JUDGED, ("horse", "listener", "worker", "redis")),
        *_crossed("texts", KEPT, ("keeper",)),
        *_crossed("site", {**UPLOADED, **CONFIRMED}, ("web", "web master")),
        *_crossed("prover", PROVED, ("coqtop", "bwrap")),
        *_crossed("prover", SECOND_LOOK, ("coqtop", "bwrap"), ("before",)),
    ]


def _crossed(
    scene: str, steps: Iterable[str], victims: Iterable[str], moments: Iterable[str] = MOMENTS
) -> Iterable[Scenario]:
    return [Scenario(scene, step, moment, victim) for step in steps for moment in moments for victim in victims]


def _drawn(known: list[Scenario], seed: int) -> list[Scenario]:
    """All of them in an order drawn by the seed, in which every victim comes once before any comes twice."""
    mixed = random.Random(seed).sample(known, len(known))
    seen: Counter[str] = Counter()
    turns = []
    for scenario in mixed:
        seen[scenario.victim] += 1
        turns.append((seen[scenario.victim], scenario))
    return [scenario for _, scenario in sorted(turns, key=lambda turn: turn[0])]


def play(stage: Stage, scenario: Scenario) -> list[str]:
    """One scenario from an upload to the end of its run; what is wrong afterwards."""
    from submissions import queue
    from submissions.models import Run

    marker = stage.folder / "struck"
    hit = marker.with_suffix(".hit")
    marker.unlink(missing_ok=True)
    hit.unlink(missing_ok=True)
    scene = SCENES[scenario.scene]
    _reset(stage, scene)
    queue._bell_connection.cache_clear()
    armed = scenario.environment(marker)
    try:
        faults = scene.submit(stage, armed)
    except AssertionError as fault:
        stage.clear()
        return [str(fault)]
    until = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < until and not Run.objects.filter(state=Run.State.DONE).exists():
        stage.tend(armed)
        time.sleep(0.2)
    stage.clear()
    faults += _faults(scene, looked_twice=scenario.step not in SECOND_LOOK)
    if not (hit if scenario.scene == "prover" else marker).exists():
        faults.append("nothing was killed")
    return faults


def _reset(stage: Stage, scene: Scene) -> None:
    from django.db import connections

    connections.close_all()
    for name in ("selen.sqlite3", "selen.sqlite3-wal", "selen.sqlite3-shm"):
        (stage.folder / name).unlink(missing_ok=True)
    shutil.rmtree(stage.folder / "media", ignore_errors=True)
    shutil.copy(stage.folder / scene.template, stage.folder / "selen.sqlite3")
    (stage.folder / "log.txt").write_text("")
    if not stage.running("redis"):
        stage.redis()


def _faults(scene: Scene, *, looked_twice: bool) -> list[str]:
    """Everything that must hold once a run has ended, whatever was killed on the way."""
    from django.db.models import Count

    from submissions.models import Draft, Proof, QuotaUse, Result, Run, Slice, Submission

    counts = (Submission.objects.count(), Run.objects.count(), Run.objects.filter(state="done").count())
    if counts != (1, 1, 1):
        return [f"submissions, runs, runs done: {counts}"]
    faults = []
    confirmed = Draft.objects.filter(state=Draft.State.CONFIRMED).count()
    if (confirmed, QuotaUse.objects.get().used) != (1, 1):
        faults.append(f"{confirmed} drafts confirmed, quota {QuotaUse.objects.get().used}")
    found = {}
    for proof in Proof.objects.select_related("problem").annotate(n=Count("results")):
        results = list(Result.objects.filter(proof=proof))
        found[proof.problem.ident, proof.attempt] = ", ".join(result.verdict for result in results)
        faults += [f"{proof.problem.ident}: no log" for result in results if not hasattr(result, "log")]
    faults += [
        f"{place}: expected {scene.expected.get(place)}, got {found.get(place)}"
        for place in sorted(scene.expected.keys() | found.keys())
        if scene.expected.get(place) != found.get(place)
    ]
    if Slice.objects.exclude(state="done").exists():
        faults.append("a slice is still open")
    summary = Run.objects.get().summary.counts
    proved = Counter(scene.expected.values())["proved"]
    # A second look whose prover was killed says nothing: the proof counts and stays pending.
    seen = summary["confirmed"] if looked_twice else summary["confirmed"] + summary["pending"]
    if (summary["proved"], seen, summary["judged"]) != (proved, proved, len(scene.expected)):
        faults.append(f"summary {summary['proved']}, {summary['confirmed']}, {summary['judged']}")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.kill_matrix")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--step", default="")
    parser.add_argument("--victim", default="")
    options = parser.parse_args()
    chosen = [s for s in scenarios() if options.step in s.step and options.victim in s.victim]
    if not options.all:
        chosen = _drawn(chosen, options.seed)[: options.count]
    stage = Stage(Path(tempfile.mkdtemp(prefix="selen-kill-")))
    stage.folder.chmod(0o755)  # the sandbox user reads the environment
    (stage.folder / "run").mkdir()
    os.environ.pop("DATABASE_URL", None)
    os.environ.update(stage.environment())
    django.setup()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    from django.db import connections

    bad, began = 0, time.monotonic()
    try:
        templates(stage)
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
    print(_table(chosen))
    print(f"{len(chosen)} scenarios, {bad} with something lost or doubled, {time.monotonic() - began:.0f} s")
    return 1 if bad else 0


def _table(chosen: list[Scenario]) -> str:
    counts = Counter(scenario.victim for scenario in chosen)
    return "killed: " + ", ".join(f"{victim} {number} times" for victim, number in counts.most_common())


if __name__ == "__main__":
    sys.exit(main())
