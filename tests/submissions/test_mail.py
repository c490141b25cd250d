"""Mails: what cannot be sent is said so, tried again with pauses, and never marked as sent."""

from datetime import timedelta
from smtplib import SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.models import Invitation, Run, Team
from submissions.services.keeper import keeper_sweep
from submissions.services.mail import MOST_TRIES, invitation_mail, run_mail
from tests.seed import Seed, seed


class Away(EmailBackend):
    """A mail server that hangs up."""

    def send_messages(self, messages):
        raise SMTPServerDisconnected("gone")


@pytest.fixture
def made(db, monkeypatch) -> Seed:
    monkeypatch.setattr("submissions.queue.ring", lambda digest: True)
    monkeypatch.setattr("submissions.queue.ring_reader", lambda: True)
    made = seed(lemmas=8)
    Invitation.objects.all().delete()
    return made


def away(settings, gone: bool) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.Away" if gone else "django.core.mail.backends.locmem.EmailBackend"


def invite(made: Seed, callbacks) -> str:
    client = Client()
    client.force_login(made.owner)
    form = {"email": "new@example.org", "role": "member"}
    with callbacks(execute=True):
        answer = client.post(reverse("invite", args=[made.team.public_id]), form)
    return client.get(answer.url).content.decode()


def later(rows, minutes: int) -> None:
    """As if so much time had passed."""
    for row in rows:
        row.mail_after -= timedelta(minutes=minutes)
        row.save(update_fields=["mail_after"])


def test_a_mail_that_cannot_be_sent_is_tried_again_and_marked_once_it_went_out(
    made, settings, django_capture_on_commit_callbacks
):
    away(settings, True)
    invite(made, django_capture_on_commit_callbacks)
    row = Invitation.objects.get()
    assert (row.mailed, row.mail_tries) == (None, 1)
    away(settings, False)
    Invitation.objects.update(created=timezone.now() - timedelta(minutes=5))
    keeper_sweep()
    assert not [each for each in mail.outbox if each.to == ["new@example.org"]]  # the pause is not over
    later([row], 2)
    keeper_sweep()
    keeper_sweep()
    assert [each.to for each in mail.outbox if "invites" in each.subject] == [["new@example.org"]]
    assert Invitation.objects.get().mailed is not None


def test_pauses_grow_and_end(made, settings):
    away(settings, True)
    row = Invitation.objects.create(team=made.team, email="new@example.org", sent_by=made.owner)
    pauses = []
    for _ in range(MOST_TRIES + 3):
        invitation_mail(invitation_id=row.pk)
        row.refresh_from_db()
        pauses.append((row.mail_after - timezone.now()).total_seconds())
        later([row], 10_000)
    assert row.mail_tries == MOST_TRIES
    assert row.mailed is None
    assert pauses[:3] == [pytest.approx(60, abs=5), pytest.approx(120, abs=5), pytest.approx(240, abs=5)]


def test_a_run_is_not_marked_as_told_when_its_mail_failed(made, settings):
    run = Run.objects.get(submission=made.private)
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE, finished=timezone.now(), mailed=None)
    away(settings, True)
    assert run_mail(run_id=run.pk) is False
    run.refresh_from_db()
    assert run.mailed is None
    away(settings, False)
    assert run_mail(run_id=run.pk) is False  # the pause is not over
    later([run], 2)
    assert run_mail(run_id=run.pk) is True
    assert run_mail(run_id=run.pk) is False
    run.refresh_from_db()
    assert run.mailed is not None


def test_the_mail_of_a_run_leads_to_its_page_without_loading_the_site_s_pages(made, settings, monkeypatch):
    page = reverse("submission", args=[made.private.public_id])
    monkeypatch.setattr("submissions.services.mail.reverse", lambda *_, **__: pytest.fail("loads every page"))
    Run.objects.filter(submission=made.private).update(mailed=None, mail_tries=0, mail_after=None)
    assert run_mail(run_id=Run.objects.get(submission=made.private).pk)
    assert f"{settings.BASE_URL.rstrip('/')}{page}\n" in mail.outbox[-1].body


def test_a_team_name_with_a_line_break_makes_no_header(made, settings, django_capture_on_commit_callbacks):
    Team.objects.filter(pk=made.team.pk).update(name="T\nBcc: x@example.org")
    page = invite(made, django_capture_on_commit_callbacks)
    (sent,) = mail.outbox
    assert sent.subject == "T Bcc: x@example.org invites you to Selen"
    assert sent.recipients() == ["new@example.org"]
    assert "mail not sent yet" not in page


def test_the_page_says_that_a_mail_was_not_sent(made, settings, monkeypatch):
    away(settings, True)
    monkeypatch.setattr("django.db.transaction.on_commit", lambda call, robust=False: call())
    client = Client()
    client.force_login(made.owner)
    form = {"email": "new@example.org", "role": "member"}
    answer = client.post(reverse("invite", args=[made.team.public_id]), form)
    page = client.get(answer.url).content.decode()
    assert "could not be sent yet" in page
    assert "on its way" not in page
    assert "mail not sent yet" in page
