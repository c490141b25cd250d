"""What boards count, and what the team hears."""

import pytest

from submissions.models import BoardEntry, Submission
from submissions.services.publishing import run_apply, submission_publish, submission_withdraw
from submissions.services.refusal import Refusal, Why
from submissions.services.runs import run_rejudge
from submissions.services.submissions import draft_confirm
from tests.submissions.world import all_proofs, run_of, submit, work_all

pytestmark = pytest.mark.django_db


def shown() -> list[str]:
    return list(BoardEntry.objects.filter(valid_to=None).values_list("run__submission__public_id", flat=True))


def stamp(world) -> int:
    world.pack.refresh_from_db()
    return world.pack.stamp


def test_only_a_checked_submission_is_published_and_only_by_an_owner(world, bells):
    submission = submit(world, {("lemma_0", 1): "prove x"})
    with pytest.raises(Refusal) as unchecked:
        submission_publish(submission=submission, actor=world.owner)
    assert unchecked.value.why is Why.NOT_CHECKED
    work_all(world)
    with pytest.raises(Refusal) as member:
        submission_publish(submission=submission, actor=world.member)
    assert member.value.why is Why.NOT_ALLOWED
    assert shown() == []
    before = stamp(world)
    submission_publish(submission=submission, actor=world.owner, proofs_public=True)
    assert shown() == [submission.public_id]
    assert stamp(world) > before
    submission.refresh_from_db()
    assert (submission.visibility, submission.proofs_public) == (Submission.Visibility.PUBLISHED, True)


def test_a_later_one_takes_the_place_and_withdrawing_it_brings_the_earlier_back(world, bells):
    first = submit(world, {("lemma_0", 1): "prove x"})
    second = submit(world, {("lemma_0", 1): "prove y"})
    work_all(world)
    submission_publish(submission=first, actor=world.owner)
    submission_publish(submission=second, actor=world.owner)
    submission_publish(submission=second, actor=world.owner)
    assert shown() == [second.public_id]
    assert BoardEntry.objects.count() == 2
    submission_withdraw(submission=second, actor=world.owner)
    assert shown() == [first.public_id]
    with pytest.raises(Refusal):
        submission_withdraw(submission=second, actor=world.owner)


@pytest.mark.parametrize(("proofs", "public"), [("team", False), ("public", True)])
def test_the_pack_decides_about_proofs_where_it_says_so(world, bells, proofs, public):
    world.pack.proofs = proofs
    world.pack.save()
    submission = submit(world, {("lemma_0", 1): "prove x"})
    work_all(world)
    submission_publish(submission=submission, actor=world.owner, proofs_public=not public)
    submission.refresh_from_db()
    assert submission.proofs_public is public


def test_judging_again_reaches_the_board_when_organisers_say_so(world, bells):
    submission = submit(world, {("lemma_0", 1): "prove x"})
    work_all(world)
    submission_publish(submission=submission, actor=world.owner)
    again = run_rejudge(submission=submission)
    work_all(world)
    assert BoardEntry.objects.get(valid_to=None).run != again
    run_apply(submission=submission)
    run_apply(submission=submission)
    assert BoardEntry.objects.get(valid_to=None).run == again
    assert BoardEntry.objects.count() == 2


def test_the_team_hears_once_that_a_run_ended(world, bells, mailoutbox, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        submit(world, {("lemma_0", 1): "prove x"}, user=world.member)
        work_all(world)
    assert [sorted(mail.to) for mail in mailoutbox] == [["member@example.org", "owner@example.org"]]
    assert "1 of 10 problems" in mailoutbox[0].body


def test_a_mail_server_that_is_away_breaks_nothing(
    world, bells, settings, monkeypatch, django_capture_on_commit_callbacks
):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_PORT = 1
    with django_capture_on_commit_callbacks(execute=True):
        submission = draft_confirm(draft=world.draft(all_proofs(world, "fail")), actor=world.owner)
        work_all(world)
    assert run_of(submission).state == "done"
