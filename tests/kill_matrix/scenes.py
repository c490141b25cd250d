# ruff: noqa: PLC0415 (Django is set up before anything of it is imported)
"""Three scenes: texts judged by their first word, a real prover behind real walls, and the real site before a browser.

A scene puts rows on the stage, brings one upload to a confirmed submission in spite of whatever dies on the way, and
knows what must be there once its run has ended.
"""

import io
import re
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.kill_matrix.stage import Stage

PACK = "good"
TEXTS = {
    "1/up_is_S.v": "",
    "1/up_up.v": "",
    "1/twice_grows.v": "",
    "1/right_step.v": "",
    "2/up_is_S.v": "Proof.\n  exact I.\nQed.\n",
    "3/up_is_S.v": "Proof.\n  intro n.\nQed.\n",
    "2/up_up.v": "Proof.\nAdmitted.\n",
}  # fmt: skip (empty stands for the pack's own proof)
REAL = {
    ("up_is_S", 1): "proved", ("up_up", 1): "proved", ("twice_grows", 1): "proved", ("right_step", 1): "proved",
    ("up_is_S", 2): "failed", ("up_is_S", 3): "failed", ("up_up", 2): "rejected",
}  # fmt: skip
READ = {place: "rejected" if verdict == "rejected" else "proved" for place, verdict in REAL.items()}  # by first words
ANSWER_SECONDS = 120  # a gunicorn that starts again on a busy machine


@dataclass(frozen=True, slots=True)
class Scene:
    """`submit` gives what is wrong with the way to a submission; `expected` is the verdict of each proof."""

    name: str
    template: str
    submit: Callable[[Stage, dict[str, str]], list[str]]
    expected: dict[tuple[str, int], str]


def templates(stage: Stage) -> None:
    """The databases that scenes begin with: an empty one, and one with a built benchmark, a team and a system."""
    from django.core.management import call_command
    from django.db import connections

    from submissions.models import Membership, System, Team, User

    place = stage.folder / "selen.sqlite3"
    call_command("migrate", verbosity=0)
    connections.close_all()
    (stage.folder / "empty.sqlite3").write_bytes(place.read_bytes())
    call_command("packs", "sync", PACK, stdout=io.StringIO())
    call_command("packs", "build", PACK, stdout=io.StringIO())
    owner = User.objects.create_user("owner@example.org")
    team = Team.objects.create(name="Team A")
    Membership.objects.create(team=team, user=owner, role=Membership.Role.OWNER)
    System.objects.create(team=team, name="System A")
    connections.close_all()
    place.rename(stage.folder / "pack.sqlite3")


def _texts(stage: Stage, scenario: dict[str, str]) -> list[str]:
    from tests.submissions.world import all_proofs, world_make

    world = world_make()
    proofs = {**all_proofs(world), ("lemma_3", 1): "fail x", ("lemma_8", 1): "slow x", ("lemma_9", 1): "REJECT"}
    stage.play("confirm", world.draft(proofs).public_id, **scenario).wait()
    if scenario["KILL_VICTIM"] == "keeper":
        _lose_a_worker(world.environment.pk)
    return []


def _lose_a_worker(environment_id: int) -> None:
    """Leave a lease behind whose worker died in the middle of a proof."""
    from submissions.services.leases import slice_claim
    from submissions.services.results import proof_started
    from submissions.services.runs import proofs_unjudged

    claim = slice_claim(environment_id=environment_id, worker="lost")
    assert claim is not None
    proof_started(claim=claim, proof_id=proofs_unjudged(slice_id=claim.slice_id, run_id=claim.run_id)[0])


@cache
def archive() -> bytes:
    """The upload; the very same bytes each time, although a zip holds the time of day."""
    from django.conf import settings

    from verifier.packs import load_pack

    truths = {problem.id: problem.ground_truth for problem in load_pack(PACK, settings.PACKS_DIR).problems}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, text in TEXTS.items():
            file.writestr(name, text or truths[Path(name).stem])
    return out.getvalue()


def _proofs(stage: Stage, scenario: dict[str, str]) -> list[str]:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from submissions.models import System
    from submissions.services.drafts import draft_create
    from verifier.models import ProblemSet

    system = System.objects.select_related("team").get()
    owner = system.team.members.get()
    upload = SimpleUploadedFile("proofs.zip", archive())
    read = draft_create(actor=owner, system=system, problem_set=ProblemSet.objects.get(current=True), upload=upload)
    stage.play("confirm", read.draft.public_id, **scenario).wait()
    return []


class Browser:
    """Somebody who is logged in and tries again when the site does not answer."""

    def __init__(self, stage: Stage, scenario: dict[str, str]) -> None:
        import httpx

        self.stage, self.scenario = stage, scenario
        self.client = httpx.Client(
            transport=httpx.HTTPTransport(uds=str(stage.web_socket)), base_url="http://localhost", timeout=20
        )
        self.client.cookies.set("sessionid", _session())
        self.failed = 0

    def post(self, page: str, target: str, data: dict[str, str], files: dict | None = None) -> str:
        """Where a form led to; it is opened and sent again whenever the connection broke."""
        import httpx

        until = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < until:
            if not self.stage.running("web"):
                self.stage.web(self.scenario)
            try:
                form = self.client.get(page, follow_redirects=True).text
                token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)
                if token is None or (target not in form and page != target):
                    return str(self.client.get(page).headers.get("location", ""))  # done by the click before
                answer = self.client.post(target, data={**data, "csrfmiddlewaretoken": token[1]}, files=files)
            except httpx.TransportError:
                self.failed += 1
                time.sleep(0.1)
                continue
            if answer.status_code == 302:
                return str(answer.headers["location"])
            raise AssertionError(f"{target}: {answer.status_code} {answer.text[:300]}")
        raise AssertionError(f"{target}: no answer in {ANSWER_SECONDS} s")


def _session() -> str:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from submissions.models import User

    user = User.objects.get()
    store = SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.save()
    return str(store.session_key)


def _site(stage: Stage, scenario: dict[str, str]) -> list[str]:
    """Upload and confirm as a browser does."""
    from submissions.models import System
    from verifier.models import ProblemSet

    stage.web(scenario)
    browser = Browser(stage, scenario)
    chosen = {"system": System.objects.get().public_id, "problem_set": ProblemSet.objects.get(current=True).name}
    page = f"/b/{PACK}/submit/"
    draft = browser.post(page, page, chosen, {"file": ("proofs.zip", archive(), "application/zip")})
    target = browser.post(draft, f"{draft}confirm/", {})
    browser.client.close()
    faults = [] if target.startswith("/submissions/") else [f"the confirm led to {target}"]
    return faults + _files(stage)


def _files(stage: Stage) -> list[str]:
    """Whatever was left without a row is swept, and every row still has its files."""
    from datetime import timedelta

    from submissions.models import Draft, Submission
    from submissions.services import drafts

    drafts.ORPHAN_AFTER = timedelta(days=-1)
    drafts.orphans_sweep()
    held = {name for draft in Draft.objects.all() for name in (draft.archive.name, draft.proofs.name) if name}
    held |= {submission.archive.name for submission in Submission.objects.all()}
    folder = stage.folder / "media"
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    sent = Submission.objects.get().archive
    faults = [] if held == found else [f"rows without a file {held - found}, files without a row {found - held}"]
    return faults + ([] if sent.read() == archive() else ["the archive of the submission is another one"])


WORLD = {(f"lemma_{number}", 1): "proved" for number in range(10)} | {
    ("lemma_3", 1): "failed", ("lemma_8", 1): "timeout", ("lemma_9", 1): "rejected",
}  # fmt: skip
SCENES = {
    "texts": Scene("texts", "empty.sqlite3", _texts, WORLD),
    "prover": Scene("prover", "pack.sqlite3", _proofs, REAL),
    "site": Scene("site", "pack.sqlite3", _site, READ),
}
