"""What becomes of an upload before anybody confirms it."""

import io
from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.utils import timezone

from submissions.models import Draft
from submissions.services import drafts, reading
from submissions.services.refusal import Refusal, Why
from submissions.services.submissions import draft_confirm
from verifier.core.finding import Consequence, Finding
from verifier.intake import Report, SubmittedProof

pytestmark = pytest.mark.django_db

GOOD = Report(accepted=True, findings=(), proofs=(SubmittedProof("lemma_0", 1, "Proof. auto. Qed."),))
BAD = Report(accepted=False, findings=(Finding(Consequence.REFUSED, "The zip is damaged.", "Build it again."),))


@pytest.fixture
def reads(world, bells, monkeypatch):
    """Have preflight give this report; packs are not loaded."""

    def prepare(report):
        def examine(*_args, progress=None, **_kwargs):
            if isinstance(report, Exception):
                raise report
            if progress:
                progress(200, 400)
            return report

        monkeypatch.setattr("verifier.intake.examine", examine)
        monkeypatch.setattr(reading, "pack_value", lambda row: row)

    return prepare


def upload(world, data=b"zip", user=None):
    file = SimpleUploadedFile("../../evil name.zip", data)
    return drafts.draft_create(
        actor=user or world.member, system=world.system, problem_set=world.problem_set, upload=file
    )


def stored() -> list[str]:
    return sorted(default_storage.listdir("drafts")[1]) if default_storage.exists("drafts") else []


def test_an_accepted_upload_is_kept_under_a_name_of_ours_and_can_be_confirmed(world, reads):
    reads(GOOD)
    before = stored()
    found = upload(world)
    assert found.draft.state == Draft.State.OPEN
    assert found.report["accepted"] is True
    assert set(stored()) - set(before) == {found.draft.public_id, f"{found.draft.public_id}.proofs"}
    submission = draft_confirm(draft=found.draft, actor=world.member)
    assert submission.proofs.get().text == "Proof. auto. Qed."
    assert submission.archive.read() == b"zip"


def test_a_refused_upload_is_told_and_not_kept(world, reads):
    reads(BAD)
    before = stored()
    found = upload(world)
    assert found.draft is None
    assert found.report["findings"][0]["message"] == "The zip is damaged."
    assert (Draft.objects.count(), stored()) == (0, before)


def test_a_fourth_draft_is_refused_until_one_is_discarded(world, reads):
    reads(GOOD)
    kept = [upload(world).draft for _ in range(3)]
    with pytest.raises(Refusal) as caught:
        upload(world)
    assert caught.value.why is Why.TOO_MANY_DRAFTS
    drafts.draft_discard(draft=kept[0], actor=world.member)
    assert upload(world).draft is not None


def test_an_upload_over_the_limit_says_both_sizes(world, reads, settings):
    reads(GOOD)
    settings.MAX_UPLOAD_BYTES = 1_000_000
    with pytest.raises(Refusal, match=r"1\.5 MB; 1 MB are the limit"):
        upload(world, b"x" * 1_500_000)


@pytest.mark.parametrize("where", ["archive", "proofs", "row"])
def test_a_full_disk_is_said_and_leaves_nothing_half_stored(world, reads, monkeypatch, where):
    reads(GOOD)
    before = stored()
    save, calls = default_storage.save, []

    def full(name, content):
        calls.append(name)
        if len(calls) == {"archive": 1, "proofs": 2}.get(where):
            save(name, io.BytesIO(b"ha"))
            raise OSError(28, "No space left on device")
        return save(name, content)

    def row_full(*_args, **_kwargs):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(default_storage, "save", full)
    if where == "row":
        monkeypatch.setattr(Draft, "save", row_full)
    with pytest.raises(Refusal) as caught:
        upload(world)
    assert caught.value.why is Why.STORAGE_FULL
    assert (Draft.objects.count(), stored()) == (0, before)


def test_files_that_a_killed_process_left_without_a_row_are_swept_and_no_others(world, reads, monkeypatch):
    reads(GOOD)
    draft = upload(world).draft
    sent = draft_confirm(draft=upload(world).draft, actor=world.member)
    fresh, old = (default_storage.save(f"drafts/{name}", io.BytesIO(b"x")) for name in ("fresh", "old"))
    times = {fresh: timezone.now() - timedelta(minutes=59)}
    long_ago = timezone.now() - timedelta(hours=2)
    monkeypatch.setattr(default_storage, "get_modified_time", lambda name: times.get(name, long_ago))
    drafts.orphans_sweep()
    assert [default_storage.exists(name) for name in (fresh, old)] == [True, False]
    assert [file.storage.exists(file.name) for file in (draft.archive, draft.proofs, sent.archive)] == [True] * 3
    default_storage.delete(fresh)


def test_strangers_cannot_upload_for_a_team(world, reads):
    reads(GOOD)
    stranger, _ = world.another("Team B")
    with pytest.raises(Refusal) as caught:
        upload(world, user=stranger)
    assert caught.value.why is Why.NOT_ALLOWED
