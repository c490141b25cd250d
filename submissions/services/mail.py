"""Mails about runs that ended and invitations: marked as sent once a mail server took them, tried again until then.

A mail that cannot be sent breaks nothing. It is tried ten times, each pause twice as long as the one before, which is
over eight hours in all; two processes never try the same one at once.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import F, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from submissions.models import Invitation, Membership, Run
from submissions.spelling import one_line
from verifier.core.metrics import solved

logger = logging.getLogger(__name__)
TIMEOUT_SECONDS = 10  # of the mail server
MOST_TRIES = 10
FIRST_PAUSE = timedelta(minutes=1)  # after the first try that failed; doubled with each
CLAIM = timedelta(minutes=5)  # in which nobody else tries the same mail

TEXT = """{system} on {benchmark}: {proved} of {problems} problems have an accepted proof.

{lines}

Every verdict with its log: {address}

Nothing is public until an owner of {team} publishes it.
"""


def run_mail(*, run_id: int) -> bool:
    """Send the mail about a finished run, unless it went out or somebody tries just now; whether it went out."""
    rows = Run.objects.filter(pk=run_id, state=Run.State.DONE)
    if not _claimed(rows):
        return False
    run = Run.objects.select_related("submission__team", "submission__user", "submission__problem_set__pack").get(
        pk=run_id
    )
    subject = f"Checked: {run.submission.system} on {run.submission.problem_set.pack.title}"
    return _sent(rows, subject, lambda: _text(run), _addresses(run))


def invitation_mail(*, invitation_id: int) -> bool:
    """Send the link of an open invitation, unless it went out or somebody tries just now; whether it went out."""
    rows = Invitation.objects.filter(pk=invitation_id, accepted=None)
    if not _claimed(rows):
        return False
    row = Invitation.objects.select_related("team", "sent_by").get(pk=invitation_id)
    context = {"invitation": row, "address": _address(reverse("invitation", args=[row.token]))}
    text = partial(render_to_string, "mail/invitation.txt", context)
    return _sent(rows, f"{row.team.name} invites you to Selen", text, [row.email])


def mails_due(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Of runs or invitations, those whose mail is to be tried now."""
    unsent = rows.filter(mailed=None, mail_tries__lt=MOST_TRIES)
    return unsent.filter(Q(mail_after=None) | Q(mail_after__lte=timezone.now()))


def _claimed(rows: QuerySet[Any]) -> bool:
    """Take the try; a process that dies in the middle of it leaves it to others after CLAIM."""
    return bool(mails_due(rows).update(mail_tries=F("mail_tries") + 1, mail_after=timezone.now() + CLAIM))


def _sent(rows: QuerySet[Any], subject: str, text: Callable[[], str], to: list[str]) -> bool:
    try:
        connection = get_connection(timeout=TIMEOUT_SECONDS)
        EmailMessage(one_line(subject), text(), settings.DEFAULT_FROM_EMAIL, to, connection=connection).send()
    except Exception:
        # Whatever a mail server does: the pages say what the mail would have said.
        tries = rows.values_list("mail_tries", flat=True).first() or 1
        rows.update(mail_after=timezone.now() + FIRST_PAUSE * 2 ** (tries - 1))
        logger.exception("A mail could not be sent, try %s of %s: %s", tries, MOST_TRIES, one_line(subject))
        return False
    rows.update(mailed=timezone.now())
    return True


def _addresses(run: Run) -> list[str]:
    owners = Membership.objects.filter(team=run.submission.team, role=Membership.Role.OWNER)
    return sorted({run.submission.user.email, *owners.values_list("user__email", flat=True)})


def _text(run: Run) -> str:
    counts = run.summary.counts
    verdicts = counts.get("verdicts", {})
    return TEXT.format(
        system=run.submission.system,
        benchmark=run.submission.problem_set.pack.title,
        proved=sum(solved(run.summary.vectors, counts["scoring"], 1)),
        problems=counts["problems"],
        lines="\n".join(f"{number:>7} {verdict}" for verdict, number in verdicts.items()),
        # Written out: `reverse` would load every page of the site, a second of each process that ends a run.
        address=_address(f"/submissions/{run.submission.public_id}/"),
        team=run.submission.team,
    )


def _address(path: str) -> str:
    return settings.BASE_URL.rstrip("/") + path
