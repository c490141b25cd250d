"""From draft to submission: once, wholly, or not at all."""

from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from submissions.models import Draft, QuotaUse, Result, Run, Slice, Submission, User
from submissions.services import drafts
from submissions.services.refusal import Refusal, Why
from submissions.services.runs import run_cancel
from submissions.services.submissions import draft_confirm
from tests.submissions.world import all_proofs, run_of

pytestmark = pytest.mark.django_db


def refused(why: Why, **call) -> Refusal:
    with pytest.raises(Refusal) as caught:
        draft_confirm(**call)
    assert caught.value.why is why
    assert caught.value.remedy
    return caught.value


def test_confirm_makes_proofs_run_and_bounded_slices_of_one_unit(
    world, bells, settings, django_capture_on_commit_callbacks
):
    settings.SLICE_PROOFS = 3
    draft = world.draft(all_proofs(world, attempts=(0, 1)))
    with django_capture_on_commit_callbacks(execute=True):
        submission = draft_confirm(draft=draft, actor=world.member, label="greedy")
    run = run_of(submission)
    assert (run.total, run.state, submission.label) == (20, Run.State.QUEUED, "greedy")
    parts = {unit: [part.proofs.count() for part in run.slices.filter(unit=unit)] for unit in ("Objects", "Steps")}
    assert parts == {"Objects": [3, 3, 3, 1], "Steps": [3, 3, 3, 1]}
    assert bells == [world.environment.digest] * 8
    assert default_storage.exists(submission.archive.name)
    assert not default_storage.exists(draft.proofs.name)


def test_rejected_proofs_have_their_result_without_any_worker(world, bells):
    submission = draft_confirm(
        draft=world.draft({("lemma_0", 1): "REJECT", ("lemma_1", 1): "prove it"}), actor=world.owner
    )
    result = Result.objects.get()
    assert (result.verdict, result.reason, result.error_class, result.line) == ("rejected", "cheat_word", "other", 2)
    assert Slice.objects.get(run=run_of(submission)).proofs.get().problem.ident == "lemma_1"


def test_a_submission_of_rejected_proofs_alone_is_done_at_once(world, bells):
    submission = draft_confirm(draft=world.draft({("lemma_0", 1): "REJECT"}), actor=world.owner)
    run = run_of(submission)
    assert run.state == Run.State.DONE
    assert run.summary.counts["verdicts"] == {"rejected": 1}


def test_a_double_click_gives_the_same_submission_and_costs_one(world, bells):
    draft = world.draft(all_proofs(world))
    stale = Draft.objects.get(pk=draft.pk)
    first = draft_confirm(draft=draft, actor=world.owner)
    second = draft_confirm(draft=stale, actor=world.owner)
    assert first == second
    assert (Submission.objects.count(), Run.objects.count(), QuotaUse.objects.get().used) == (1, 1, 1)


def test_a_full_quota_refuses_and_leaves_the_draft(world, bells):
    world.pack.daily_quota = 1
    world.pack.save()
    draft_confirm(draft=world.draft(all_proofs(world)), actor=world.owner)
    draft = world.draft(all_proofs(world, "other"))
    refused(Why.QUOTA, draft=draft, actor=world.owner)
    draft.refresh_from_db()
    assert (draft.state, Submission.objects.count(), QuotaUse.objects.get().used) == (Draft.State.OPEN, 1, 1)
    assert drafts.draft_proofs(draft=draft)


def test_cancelling_before_any_prover_looked_gives_the_quota_back(world, bells):
    submission = draft_confirm(draft=world.draft(all_proofs(world)), actor=world.owner)
    run_cancel(run=run_of(submission), actor=world.member)
    assert QuotaUse.objects.get().used == 0
    assert set(Slice.objects.values_list("state", flat=True)) == {Slice.State.CANCELLED}
    with pytest.raises(Refusal):
        run_cancel(run=run_of(submission), actor=world.member)


def test_the_same_file_twice_names_the_earlier_one_and_needs_a_word(world, bells):
    first = draft_confirm(draft=world.draft(all_proofs(world), sha256="a" * 64), actor=world.owner)
    twin = world.draft(all_proofs(world), sha256="a" * 64)
    refusal = refused(Why.UPLOADED_BEFORE, draft=twin, actor=world.owner)
    assert refusal.submission == first.public_id
    assert first.public_id in refusal.message
    assert draft_confirm(draft=twin, actor=world.owner, again=True) != first


@pytest.mark.parametrize(
    ("field", "hours", "why"), [("opens", 1, Why.NOT_OPEN), ("closes", -1, Why.CLOSED)], ids=["early", "late"]
)
def test_dates_of_the_benchmark_hold_at_confirm(world, bells, field, hours, why):
    setattr(world.pack, field, timezone.now() + timedelta(hours=hours))
    world.pack.save()
    draft = Draft.objects.get(pk=world.draft(all_proofs(world)).pk)
    refused(why, draft=draft, actor=world.owner)
    assert not Submission.objects.exists()


def test_without_an_environment_nothing_is_stored_and_the_draft_stays(world, bells):
    world.environment.current = False
    world.environment.save()
    draft = world.draft(all_proofs(world))
    refused(Why.NO_ENVIRONMENT, draft=draft, actor=world.owner)
    assert (Submission.objects.count(), QuotaUse.objects.count()) == (0, 0)
    assert Draft.objects.get().state == Draft.State.OPEN


def test_a_draft_past_its_hour_cannot_be_confirmed_and_is_swept_with_its_files(world, bells):
    draft = world.draft(all_proofs(world), expires=timezone.now() - timedelta(seconds=1))
    refused(Why.DRAFT_GONE, draft=draft, actor=world.owner)
    assert drafts.drafts_expire(now=timezone.now()) == 1
    assert not default_storage.exists(draft.archive.name)
    assert not default_storage.exists(draft.proofs.name)


def test_a_confirmed_draft_keeps_its_archive_when_its_hour_ends(world, bells):
    submission = draft_confirm(draft=world.draft(all_proofs(world)), actor=world.owner)
    assert drafts.drafts_expire(now=timezone.now() + timedelta(days=1)) == 0
    assert default_storage.exists(submission.archive.name)


def test_strangers_cannot_confirm_or_discard(world, bells):
    stranger, _ = world.another("Team B")
    draft = world.draft(all_proofs(world))
    refused(Why.NOT_ALLOWED, draft=draft, actor=stranger)
    with pytest.raises(Refusal):
        drafts.draft_discard(draft=draft, actor=stranger)
    assert Draft.objects.get().state == Draft.State.OPEN


def test_discard_takes_the_files_and_confirm_after_it_is_refused(world, bells):
    draft = world.draft(all_proofs(world))
    drafts.draft_discard(draft=Draft.objects.get(pk=draft.pk), actor=world.member)
    assert not default_storage.exists(draft.archive.name)
    refused(Why.DRAFT_GONE, draft=Draft.objects.get(pk=draft.pk), actor=world.owner)


@pytest.mark.parametrize(("who", "may"), [("stranger", False), ("member", True), ("organiser", True)])
def test_only_members_and_organisers_cancel_a_run(world, bells, who, may):
    run = run_of(draft_confirm(draft=world.draft(all_proofs(world)), actor=world.owner))
    people = {"stranger": world.another("Team B")[0], "member": world.member}
    people["organiser"] = User.objects.create_superuser("host@example.org")
    if may:
        run_cancel(run=run, actor=people[who])
    else:
        with pytest.raises(Refusal) as caught:
            run_cancel(run=run, actor=people[who])
        assert caught.value.why is Why.NOT_ALLOWED
    run.refresh_from_db()
    assert (run.state == Run.State.CANCELLED) is may
