# ruff: noqa: E402, T201 (Django is set up before anything of it is imported; what was seen is printed)
"""An upload's whole way on a disk that is really full again and again. Run by test_full_disk in a mount of its own.

`python -m tests.submissions.full_disk FOLDER` where FOLDER is a small file system that holds database and uploads.
"""

import json
import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import django

django.setup()

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import OperationalError, connection
from django.utils import timezone

from submissions import queue
from submissions.models import Draft, Proof, Result, Run, Submission, System, User
from submissions.services.drafts import draft_create
from submissions.services.judging import slice_judge
from submissions.services.refusal import Refusal
from submissions.services.submissions import draft_confirm
from submissions.services.teams import team_create
from tests.intake.zips import zip_of
from tests.submissions.world import TextJudge, claim, expire
from verifier.models import Environment, Pack, ProblemSet
from verifier.packs import load_pack
from verifier.services import pack_sync

FOLDER = Path(sys.argv[-1])
FILLER = FOLDER / "filler"


def fill(leave: int = 0) -> None:
    """Use up the disk but for some bytes."""
    chunk = b"x" * 4096
    with FILLER.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(chunk)
        except OSError:
            pass
    if leave:
        os.truncate(FILLER, max(0, FILLER.stat().st_size - leave))


def free() -> None:
    FILLER.unlink()


def tight() -> None:
    """Give back what the database holds in reserve, so that the next write needs room."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def kept() -> dict[str, object]:
    media = FOLDER / "media"
    return {
        "files": len([path for path in media.rglob("*") if path.is_file()]) if media.exists() else 0,
        "drafts": list(Draft.objects.values_list("state", flat=True)),
        "rows": [model.objects.count() for model in (Submission, Proof, Run, Result)],
    }


def refused(action: Callable[[], object]) -> tuple[str, dict[str, object]]:
    """Why it was refused, and what is kept afterwards."""
    try:
        action()
    except Refusal as refusal:
        return str(refusal.why), kept()
    return "taken", kept()


@dataclass
class Portal:
    """A benchmark with an environment, and a team with a system."""

    environment: Environment
    owner: User
    system: System

    def upload(self, data: bytes) -> Draft:
        file = SimpleUploadedFile("proofs.zip", data)
        made = draft_create(actor=self.owner, system=self.system, problem_set=ProblemSet.objects.get(), upload=file)
        return made.draft


def portal() -> Portal:
    queue.ring = lambda _digest: True
    call_command("migrate", verbosity=0)
    pack_sync(pack=load_pack("good", settings.PACKS_DIR))
    environment = Environment.objects.create(pack=Pack.objects.get(), digest="e" * 64, prover="rocq", version="8.16")
    owner = User.objects.create_user("owner@example.org")
    team = team_create(actor=owner, name="Team A")
    return Portal(environment, owner, System.objects.create(team=team, name="System A"))


def proofs() -> bytes:
    """Twenty proofs that compress badly, so that their sizes can be counted on."""
    noise = random.Random(1)
    return zip_of(
        {
            f"{attempt}/{problem}.v": f"Proof. (* {noise.randbytes(700).hex()} *) auto. Qed.\n"
            for attempt in range(1, 6)
            for problem in ("up_is_S", "up_up", "twice_grows", "right_step")
        }
    )


def judged(here: Portal) -> int:
    """Judge to the end of the run, with a disk that fills up at the fifth proof; how often that cost a process."""
    lost = 0
    judge = TextJudge(before=lambda _task: fill() if len(judge.asked) == 5 and not FILLER.exists() else None)
    until = timezone.now() + timedelta(seconds=60)
    while Run.objects.get().state != Run.State.DONE and timezone.now() < until:
        try:
            slice_judge(claim=claim(here), judge=judge, stopped=lambda: False)
        except OperationalError:
            lost += 1  # as the worker's process would end here
            free()
            judge.before = lambda _task: None
            expire()
    return lost


def main() -> None:
    here, data = portal(), proofs()
    seen: dict[str, object] = {"bytes": len(data)}
    tight()
    for name, leave in (("archive", 8_192), ("proofs", len(data) + 8_192)):
        fill(leave)
        seen[f"upload, full at the {name}"] = refused(lambda: here.upload(data))
        free()
    draft = here.upload(data)
    tight()
    fill()
    seen["confirm"] = refused(lambda: draft_confirm(draft=draft, actor=here.owner))
    free()
    seen["confirm again"] = refused(lambda: draft_confirm(draft=draft, actor=here.owner))
    tight()
    lost = judged(here)
    run = Run.objects.get()
    seen["judged"] = (lost, run.state, run.summary.counts["verdicts"], kept())
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
