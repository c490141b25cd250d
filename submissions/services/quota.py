"""How many submissions a team may confirm for a benchmark on one day. Days end at midnight UTC."""

from datetime import datetime

from django.db.models import F

from submissions.models import QuotaUse, Team
from submissions.services.refusal import Refusal, Why
from verifier.models import Pack


def quota_take(*, team: Team, pack: Pack, now: datetime) -> None:
    """Use one of today's submissions; two at the same moment cannot both take the last one. Raises Refusal."""
    row, _ = QuotaUse.objects.get_or_create(team=team, pack=pack, day=now.date())
    if not QuotaUse.objects.filter(pk=row.pk, used__lt=pack.daily_quota).update(used=F("used") + 1):
        raise Refusal(
            Why.QUOTA,
            f"{team} has confirmed {pack.daily_quota} submissions for {pack.title} today, which is the limit.",
            "Confirm this one after midnight UTC, or discard it.",
        )


def quota_give_back(*, team: Team, pack: Pack, day: datetime) -> None:
    """Return one submission of that day, when no prover had looked at it before it was cancelled."""
    QuotaUse.objects.filter(team=team, pack=pack, day=day.date(), used__gt=0).update(used=F("used") - 1)


def quota_left(*, team: Team, pack: Pack, now: datetime) -> int:
    """Submissions that the team may still confirm today."""
    row = QuotaUse.objects.filter(team=team, pack=pack, day=now.date()).first()
    return max(0, pack.daily_quota - (row.used if row else 0))
