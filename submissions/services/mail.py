"""Telling a team by mail that a run ended. A mail that cannot be sent breaks nothing and is not tried for ever."""

import logging

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.utils import timezone

from submissions.models import Membership, Run
from submissions.spelling import one_line

logger = logging.getLogger(__name__)
TIMEOUT_SECONDS = 10

TEXT = """{system} on {benchmark}: {proved} of {problems} problems have an accepted proof.

{lines}

Every verdict with its log: {address}

Nothing is public until an owner of {team} publishes it.
"""


def run_mail(*, run_id: int) -> bool:
    """Send the mail about a finished run, at most once; whether it went out."""
    fresh = Run.objects.filter(pk=run_id, state=Run.State.DONE, mailed=None)
    if not fresh.update(mailed=timezone.now()):
        return False
    run = Run.objects.select_related("submission__team", "submission__user", "submission__problem_set__pack").get(
        pk=run_id
    )
    try:
        connection = get_connection(timeout=TIMEOUT_SECONDS)
        message = EmailMessage(
            subject=one_line(f"Checked: {run.submission.system} on {run.submission.problem_set.pack.title}"),
            body=_text(run),
            from_email=settings.DEFAULT_FROM_EMAIL,
            to=_addresses(run),
            connection=connection,
        )
        message.send()
    except Exception:
        # Whatever a mail server does: the run has ended and its page says so.
        logger.exception("The mail about run %s could not be sent", run.public_id)
        return False
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
        proved=sum(run.summary.vectors["greedy"]) if counts["scoring"] == 0 else _first(run),
        problems=counts["problems"],
        lines="\n".join(f"{number:>7} {verdict}" for verdict, number in verdicts.items()),
        address=f"{settings.BASE_URL.rstrip('/')}/submissions/{run.submission.public_id}/",
        team=run.submission.team,
    )


def _first(run: Run) -> int:
    return sum(first == 1 for first in run.summary.vectors["first"])
