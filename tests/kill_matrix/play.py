# ruff: noqa: PLC0415 (Django is set up before anything of it is imported; the figures are printed)
"""One process of the stage, as itself but for a judge that needs no prover and a death that waits at one step.

Run by the matrix: `python -m tests.kill_matrix.play worker|keeper|confirm …` with the scenario in the environment.
"""

import os
import sys
import time
from datetime import timedelta
from pathlib import Path

import django


def main() -> None:
    django.setup()
    from django.core.management import call_command

    from submissions import jobs
    from submissions.management.commands import worker
    from submissions.services import judging, keeper
    from tests.submissions.world import TextJudge
    from verifier.models import Environment

    part, *rest = sys.argv[1:]
    keeper.RING_AFTER = timedelta(seconds=2)
    if part == "worker":
        judge = TextJudge(before=lambda _task: time.sleep(0.02))
        worker.selftest = lambda _sandbox: {"network": "holds"}  # nothing runs in a sandbox here
        worker._digests = lambda: [*Environment.objects.values_list("digest", flat=True)]
        jobs.judge_of = lambda _environment, _sandbox: judge
        jobs._patience = lambda _limits, _kind: 60.0
        judge.limits = None
    assert judging
    _arm(part)
    if part == "confirm":
        _confirm(rest[0])
    elif part == "worker":
        call_command("worker", slot=int(rest[0]))
    else:
        call_command("keeper")


def _arm(part: str) -> None:
    from tests.kill_matrix.steps import KEEPER_STEPS, STEPS, WEB_STEPS, arm, kill, parent_of

    victim_name = os.environ.get("KILL_VICTIM", "")
    wanted = {"worker": ("horse", "listener", "worker", "redis"), "keeper": ("keeper",), "confirm": ("web",)}[part]
    if victim_name not in wanted:
        return

    def victim() -> None:
        me = os.getpid()
        listener = parent_of(me)
        targets = {
            "horse": lambda: me,
            "listener": lambda: listener,
            "worker": lambda: parent_of(listener),
            "redis": lambda: int(Path(os.environ["REDIS_PIDFILE"]).read_text()),
            "keeper": lambda: me,
            "web": lambda: me,
        }
        kill(targets[victim_name]())

    steps = {**STEPS, **WEB_STEPS, **KEEPER_STEPS}
    arm(steps[os.environ["KILL_STEP"]], os.environ["KILL_MOMENT"], victim, Path(os.environ["KILL_MARKER"]))


def _confirm(draft_public_id: str) -> None:
    from submissions.models import Draft
    from submissions.services.submissions import draft_confirm

    draft = Draft.objects.get(public_id=draft_public_id)
    draft_confirm(draft=draft, actor=draft.user)


if __name__ == "__main__":
    main()
