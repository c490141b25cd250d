"""Ground truths stay with the host: marks planted in them are looked for in everything that anybody else gets.

A benchmark is extracted from sources, synced, built, given to teams, submitted to, judged, published. Then every
address of the site is opened by everybody but its organisers. An address that is new stands here by itself; one that
nobody can open, or whose parameter is unknown, fails the test.
"""

import logging
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from submissions.jobs import EngineJudge
from submissions.services.keeper import keeper_sweep
from tests.site import planted
from tests.site.planted import BROKEN, Site, marks_in
from tests.submissions.test_permissions import patterns
from verifier import engine
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack
from verifier.core.reason import Reason
from verifier.core.result import ConfirmationResult, Place, ProofResult
from verifier.core.verdict import Verdict
from verifier.models import Environment
from verifier.provers import REGISTRY
from verifier.provers.base import BuiltEnvironment, ToolchainInfo
from verifier.sandbox.bubblewrap import Bubblewrap
from verifier.services import builds

READERS = ("anonymous", "stranger", "member", "owner")
# Pages that only somebody in a state which this walk does not bring about can open. They show no benchmark.
NEVER_OPENED = {"account_set_password", "account_confirm_reauthentication_code", "account_confirm_login_code"}
POSTED = 405
SHOWN = {200, 286}
SANDBOX_UID = 61931


def site_patterns() -> Iterator[URLPattern]:
    """Every page outside the administration."""
    for entry in get_resolver().url_patterns:
        if isinstance(entry, URLPattern):
            yield entry
        elif not str(entry.pattern).startswith("admin/"):
            assert isinstance(entry, URLResolver)
            yield from patterns(entry)


@dataclass
class Quoting:
    """A judge that quotes what it is given, and knows the problem that the build kept out."""

    built: BuiltEnvironment
    site: Site

    def check(self, tasks, on_start, stopped):
        for task in tasks:
            on_start(task)
            if task.problem in self.built.refused:
                yield from engine.check(
                    self.built, self.site.pack, [task], Bubblewrap(SANDBOX_UID), self.site.pack.limits
                )
            elif "missing_fact" in task.text:
                message = f"The reference missing_fact was not found in {task.text}"
                yield _failed(task, message)
            else:
                yield ProofResult(task.problem, task.attempt, Verdict.PROVED, wall_ms=4, evidence={"nonce": "n"})

    def confirm(self, tasks):
        return [ConfirmationResult(task.problem, task.attempt, True) for task in tasks]

    def audit(self, tasks):
        return self.confirm(tasks)


def _failed(task, message: str) -> ProofResult:
    place = Place(1, 1)
    return ProofResult(
        task.problem, task.attempt, Verdict.FAILED, Reason.UNDEFINED_FACT, message=message, place=place, goals=message
    )


@pytest.fixture
def home(settings, monkeypatch, caplog):
    """An empty site whose bells nobody hears and whose logs are all kept."""
    cache.clear()
    monkeypatch.setattr("submissions.queue.ring", lambda _: True)
    monkeypatch.setattr("submissions.queue.ring_reader", lambda: True)
    caplog.set_level(logging.DEBUG)
    # Not below pytest's own folder, which only its owner may enter: the sandbox builds as a user of its own.
    with tempfile.TemporaryDirectory(prefix="selen-marks-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        settings.PACKS_DIR, settings.DATA_DIR = folder / "packs", folder / "var"
        settings.PACKS_DIR.mkdir()
        yield folder


@pytest.fixture
def unbuilt(monkeypatch):
    """A host whose prover compiles nothing and whose words about a refused ground truth quote the whole of it."""

    def build(self, pack, toolchain, folder, *rest):
        recipe = {"pack": pack.slug}
        return BuiltEnvironment("e" * 64, pack.slug, pack.prover, "1", folder, recipe, images={})

    def check(environment, pack, tasks, sandbox, limits, *rest, linted=True):
        for task in tasks:
            proved = ProofResult(task.problem, task.attempt, Verdict.PROVED, wall_ms=4)
            refused = pack.problem(task.problem).lemma == BROKEN
            yield _failed(task, f"Cannot go on in: {task.text}") if refused else proved

    for prover in REGISTRY.values():
        monkeypatch.setattr(type(prover), "build", build)
    monkeypatch.setattr(builds, "wanted", lambda pack, _: builds.Wanted(ToolchainInfo("P", "1", {}, True), "e" * 64))
    with monkeypatch.context() as inner:
        inner.setattr(engine, "check", check)
        inner.setattr(engine, "confirm", lambda *_: iter(()))
        yield inner.undo


def walked(site: Site, reader: str) -> Iterator[tuple[str, str, int, bytes]]:
    """Name, address, status and all bytes of what a reader gets at every address; changes are taken back."""
    client = site.client(reader)
    for pattern in site_patterns():
        for target in site.addresses(pattern):
            mark = transaction.savepoint()
            answers = [client.get(target)]
            if answers[0].status_code == POSTED:
                answers.append(client.post(target, follow=True))
            elif reader == "owner":
                answers.append(client.get(target, headers={"HX-Request": "true"}))
            for answer in answers:
                body = b"".join(answer.streaming_content) if answer.streaming else answer.content
                yield pattern.name, target, answer.status_code, body + repr(sorted(answer.headers.items())).encode()
            transaction.savepoint_rollback(mark)


def looked_for_everywhere(site: Site, home, written: dict[str, str]) -> None:
    """The walk, mails, logs and what the host hands out. Where no demonstration is found, nothing was looked at."""
    leaks: dict[str, set[str]] = {}
    opened: set[str] = set()
    given: set[str] = set()
    for reader in READERS:
        for name, target, status, body in walked(site, reader):
            opened |= {name} if status in SHOWN else set()
            found = marks_in(body)
            given |= found - site.secret
            if found & site.secret:
                leaks[f"{reader} {target}"] = found & site.secret
    for name, data in planted.handed_out_by_command(site, home):
        leaks |= {name: found & site.secret} if (found := marks_in(data)) & site.secret else {}
    mails = "".join(f"{one.subject}{one.body}{one.message()}" for one in mail.outbox)
    assert mails
    for place, text in {**written, "mail": mails}.items():
        leaks |= {place: found & site.secret} if (found := marks_in(text.encode())) & site.secret else {}
    assert not leaks
    assert given == {problem.lemma for problem in site.pack.problems} - site.secret
    assert {pattern.name for pattern in site_patterns()} - opened == NEVER_OPENED


def flow(site: Site, judge, capture) -> None:
    """Upload, confirm, judge, publish; one run stays private, one waits, one upload is a draft."""
    owner = site.client("owner")
    for _ in range(2):
        with capture(execute=True):
            site.submissions.append(planted.confirmed(site, owner))
    with capture(execute=True):
        planted.judged(site, judge, keeper_sweep)
    with capture(execute=True):
        owner.post(reverse("submission_publish", args=[site.submissions[0].public_id]), {"proofs_public": "on"})
        site.submissions.append(planted.confirmed(site, owner))
        planted.upload(site, owner)
        keeper_sweep()
    site.draft = site.team.drafts.get(state="open")


def built_and_offered(pack: Pack) -> tuple[Site, BuiltEnvironment]:
    """The benchmark as a host offers it; what the host reads meanwhile is the host's."""
    call_command("packs", "sync", pack.slug)
    call_command("packs", "build", pack.slug)
    return planted.site_made(pack, Environment.objects.get()), builds.built(pack, Bubblewrap(SANDBOX_UID))


@pytest.mark.integration
@pytest.mark.django_db
@pytest.mark.parametrize("prover", ["rocq", "isabelle"])
def test_no_mark_of_a_ground_truth_is_anywhere(prover, home, unbuilt, capsys, request):
    site, built = built_and_offered(planted.marked_pack(prover, home / "packs", broken=True))
    assert set(built.refused) == {BROKEN}
    assert marks_in(built.said[BROKEN].encode()) == {BROKEN}
    unbuilt()
    capsys.readouterr()
    flow(site, Quoting(built, site), request.getfixturevalue("django_capture_on_commit_callbacks"))
    looked_for_everywhere(
        site, home, {"log": request.getfixturevalue("caplog").text, "output": capsys.readouterr().out}
    )


@pytest.mark.integration
@pytest.mark.django_db
@pytest.mark.parametrize(
    "prover", [pytest.param("rocq", marks=pytest.mark.rocq), pytest.param("isabelle", marks=pytest.mark.isabelle)]
)
def test_no_mark_is_anywhere_with_a_real_prover_either(prover, home, capsys, request):
    pack = planted.marked_pack(prover, home / "packs", broken=False)
    try:
        engine.toolchain(pack, Bubblewrap(SANDBOX_UID))
    except PlatformFault as fault:
        pytest.skip(str(fault))
    site, built = built_and_offered(pack)
    assert not built.refused
    capsys.readouterr()
    judge = EngineJudge(built, site.pack, Bubblewrap(SANDBOX_UID))
    flow(site, judge, request.getfixturevalue("django_capture_on_commit_callbacks"))
    looked_for_everywhere(
        site, home, {"log": request.getfixturevalue("caplog").text, "output": capsys.readouterr().out}
    )
