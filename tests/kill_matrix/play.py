# ruff: noqa: PLC0415 (Django is set up before anything of it is imported)
"""One process of the stage, as itself but for a death that waits at one step and, in most scenes, a judge of texts.

Run by the matrix: `python -m tests.kill_matrix.play worker|keeper|confirm …` with the scenario in the environment.
"""

import os
import sys
import time
from datetime import timedelta
from pathlib import Path

import django

from tests.kill_matrix.steps import STEPS, arm, hunt, kill, parent_of

TAKES_PART = {
    "worker": ("horse", "listener", "worker", "redis", "coqtop", "bwrap"),
    "keeper": ("keeper",),
    "confirm": (),
    "web": ("web", "web master"),
}


def main() -> None:
    django.setup()
    from django.core.management import call_command

    from submissions.management.commands import worker
    from submissions.services import keeper

    part, *rest = sys.argv[1:]
    keeper.RING_AFTER = timedelta(seconds=2)
    worker.selftest = lambda _sandbox: {"network": "holds"}  # the walls have tests of their own
    if part == "worker" and os.environ.get("KILL_SCENE") != "prover":
        _judge_texts()
    arm_part(part)
    if part == "confirm":
        _confirm(rest[0])
    elif part == "worker":
        call_command("worker", slot=int(rest[0]))
    else:
        call_command("keeper")


def _judge_texts() -> None:
    from submissions import jobs
    from submissions.management.commands import worker
    from tests.submissions.world import TextJudge
    from verifier.models import Environment

    judge = TextJudge(before=lambda _task: time.sleep(0.02))
    worker._digests = lambda: [*Environment.objects.values_list("digest", flat=True)]
    jobs.judge_of = lambda _environment, _sandbox: judge


def arm_part(part: str) -> None:
    """Lay the death of this scenario in wait, where the victim is this part or hangs on it."""
    name = os.environ.get("KILL_VICTIM", "")
    if name not in TAKES_PART[part]:
        return
    marker = Path(os.environ["KILL_MARKER"])

    def victim() -> None:
        me = os.getpid()
        if name in {"coqtop", "bwrap"}:
            hunt("coq" if name == "coqtop" else name, marker.with_suffix(".hit"))
        elif name == "redis":
            kill(int(Path(os.environ["REDIS_PIDFILE"]).read_text()))
        elif name == "worker":
            kill(parent_of(parent_of(me)))
        else:
            kill(parent_of(me) if name in {"listener", "web master"} else me)

    arm(STEPS[os.environ["KILL_STEP"]], os.environ["KILL_MOMENT"], victim, marker)


def _confirm(draft_public_id: str) -> None:
    from submissions.models import Draft
    from submissions.services.submissions import draft_confirm

    draft = Draft.objects.get(public_id=draft_public_id)
    draft_confirm(draft=draft, actor=draft.user)


if __name__ == "__main__":
    main()
