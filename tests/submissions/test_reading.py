"""Large uploads are read in the background: under a lease, three times at most, with a bar, and never silently lost."""

import shutil
import subprocess
import sys
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.models import Draft
from submissions.services import drafts, reading
from submissions.services.keeper import keeper_sweep
from submissions.services.refusal import Refusal, Why
from submissions.services.submissions import draft_confirm
from verifier.core.errors import PlatformFault
from verifier.core.finding import Consequence, Finding
from verifier.intake import Report, SubmittedProof

pytestmark = pytest.mark.django_db

GOOD = Report(accepted=True, findings=(), proofs=(SubmittedProof("lemma_0", 1, "Proof. auto. Qed."),))
BAD = Report(accepted=False, findings=(Finding(Consequence.REFUSED, "The zip is damaged.", "Build it again."),))


class KilledError(BaseException):
    """Stands for kill -9: nothing after it runs."""


@pytest.fixture
def reads(world, bells, monkeypatch):
    """Have preflight do this: a list of what is told of progress, then a report, a fault, or a death."""

    def prepare(outcome, told=((40, 100),)):
        def examine(*_args, progress=None, **_kwargs):
            for read, total in told if progress else ():
                progress(read, total)
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome

        monkeypatch.setattr("verifier.intake.examine", examine)

    monkeypatch.setattr(drafts, "READ_AT_ONCE_BYTES", 2)
    monkeypatch.setattr(reading, "pack_value", lambda row: row)
    return prepare


def upload(world) -> Draft:
    file = SimpleUploadedFile("large.zip", b"a large zip")
    return drafts.draft_create(
        actor=world.member, system=world.system, problem_set=world.problem_set, upload=file
    ).draft


def expire() -> None:
    Draft.objects.update(leased=timezone.now() - timedelta(seconds=1))


def shown(world, draft: Draft) -> str:
    client = Client()
    client.force_login(world.member)
    return client.get(reverse("draft", args=[draft.public_id])).content.decode()


def files() -> set[str]:
    return set(default_storage.listdir("drafts")[1]) if default_storage.exists("drafts") else set()


def test_a_large_upload_rings_once_and_is_read_by_whoever_hears(
    world, reads, bells, django_capture_on_commit_callbacks
):
    reads(GOOD)
    with django_capture_on_commit_callbacks(execute=True):
        draft = upload(world)
    assert draft.state == Draft.State.READING
    assert bells == ["reader"]
    with pytest.raises(Refusal) as early:
        draft_confirm(draft=draft, actor=world.member)
    assert early.value.why is Why.DRAFT_UNREAD
    assert reading.draft_read_next()
    assert not reading.draft_read_next()
    draft.refresh_from_db()
    assert draft.state == Draft.State.OPEN
    assert draft_confirm(draft=draft, actor=world.member).proofs.count() == 1


def test_the_page_shows_a_bar_of_what_is_read(world, reads):
    reads(KilledError(), told=((40_000_000, 100_000_000),))
    draft = upload(world)
    assert "It waits for a reader" in shown(world, draft)
    with pytest.raises(KilledError):
        reading.draft_read_next()
    page = shown(world, draft)
    assert "40 MB of 100 MB" in page
    assert 'aria-label="40.00% read"' in page


def test_two_readers_never_read_the_same_draft_and_the_oldest_goes_first(world, reads):
    first, second = upload(world), upload(world)
    taken = [reading._take() for _ in range(3)]
    assert [draft and draft.pk for draft in taken] == [first.pk, second.pk, None]


@pytest.mark.parametrize(
    "report",
    [BAD, PlatformFault("The pack cannot be loaded."), OSError(28, "No space left on device", "/secret/place")],
)
def test_a_large_upload_that_is_refused_leaves_its_report_and_no_file(world, reads, report):
    reads(report)
    before = files()
    draft = upload(world)
    reading.draft_read_next()
    refused = Draft.objects.get(pk=draft.pk)
    assert refused.state == Draft.State.REFUSED
    (finding,) = refused.report["findings"]
    assert finding["remedy"]
    assert "/secret" not in finding["message"]
    assert files() == before
    assert "This upload cannot be taken" in shown(world, draft)


def test_a_disk_that_fills_up_while_the_reading_is_kept_is_said_and_leaves_nothing(world, reads, monkeypatch):
    reads(GOOD)
    before = files()
    draft = upload(world)
    save = default_storage.save

    def full(name, content):
        save(name, ContentFile(b"half"))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(default_storage, "save", full)
    reading.draft_read_next()
    assert "no room left" in shown(world, draft)
    assert files() == before


def test_a_lost_reader_is_replaced_and_the_third_loss_is_told(world, reads, bells):
    reads(KilledError())
    before = files()
    draft = upload(world)
    for lost in range(3):
        assert Draft.objects.get(pk=draft.pk).state == Draft.State.READING, lost
        with pytest.raises(KilledError):
            reading.draft_read_next()
        assert not reading.draft_read_next()  # while the lease holds
        expire()
        keeper_sweep()
    page = shown(world, draft)
    assert "the process that read it was lost 3 times" in page
    assert "two or more parts" in page
    assert files() == before
    assert not reading.draft_read_next()


def test_a_reader_that_lost_its_lease_writes_nothing(world, reads):
    draft = upload(world)

    def taken_over(*_args, progress, **_kwargs):
        expire()
        keeper_sweep()
        assert reading._take().pk == draft.pk
        progress(1, 2)
        raise AssertionError("the reader went on")

    reading.intake.examine, original = taken_over, reading.intake.examine
    try:
        assert reading.draft_read_next()
    finally:
        reading.intake.examine = original
    draft.refresh_from_db()
    assert (draft.state, draft.tries, draft.progress) == (Draft.State.READING, 2, 0)


def test_a_discarded_upload_is_not_read_to_its_end(world, reads):
    reads(GOOD)
    draft = upload(world)
    held = reading._take()
    drafts.draft_discard(draft=Draft.objects.get(pk=draft.pk), actor=world.member)
    before = files()
    reading._keep(Draft.objects.filter(pk=held.pk, state=Draft.State.READING, token=held.token), held, GOOD)
    assert Draft.objects.get(pk=draft.pk).state == Draft.State.DISCARDED
    assert files() == before


def test_the_keeper_rings_once_a_minute_and_not_while_somebody_reads(world, reads, bells):
    upload(world)
    del bells[:]
    assert [keeper_sweep().bells for _ in range(3)] == [1, 0, 0]
    Draft.objects.update(rung=timezone.now() - timedelta(seconds=61))
    assert keeper_sweep().bells == 1
    Draft.objects.update(rung=timezone.now() - timedelta(seconds=61))
    reading._take()
    assert keeper_sweep().bells == 0
    assert bells == ["reader"] * 2


@pytest.mark.integration
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs redis-server")
def test_the_reader_reads_while_no_worker_listens():
    argv = [sys.executable, "-m", "tests.submissions.reader_live"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert done.stdout.splitlines()[-1] == "open 1"
