# ruff: noqa: PLC0415, T201 (Django is set up before anything of it is imported; what was seen is printed)
"""A real reader with a real Redis: an upload is read while no worker listens. Run by test_reader."""

import io
import os
import tempfile
import time
from pathlib import Path

import django

from tests.kill_matrix.stage import Stage

WAIT_SECONDS = 120


def main() -> None:
    stage = Stage(Path(tempfile.mkdtemp(prefix="selen-read-")))
    (stage.folder / "run").mkdir()
    os.environ.pop("DATABASE_URL", None)
    os.environ.update(stage.environment())
    django.setup()
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.core.management import call_command

    from submissions.models import Draft, System, User
    from submissions.services import drafts
    from submissions.services.teams import team_create
    from tests.intake.zips import zip_of
    from verifier.models import ProblemSet

    try:
        call_command("migrate", verbosity=0)
        call_command("packs", "sync", "good", stdout=io.StringIO())
        owner = User.objects.create_user("owner@example.org")
        system = System.objects.create(team=team_create(actor=owner, name="Team A"), name="System A")
        stage.redis()
        stage.processes["reader"] = stage._start(["manage.py", "reader"], {})
        drafts.READ_AT_ONCE_BYTES = 1
        upload = SimpleUploadedFile("large.zip", zip_of({"1/up_is_S.v": "Proof. auto. Qed.\n"}))
        drafts.draft_create(actor=owner, system=system, problem_set=ProblemSet.objects.get(), upload=upload)
        until = time.monotonic() + WAIT_SECONDS
        while Draft.objects.get().state == Draft.State.READING and time.monotonic() < until:
            time.sleep(0.1)
        print(Draft.objects.get().state, len(drafts.draft_proofs(draft=Draft.objects.get())))
    finally:
        stage.close()


if __name__ == "__main__":
    main()
