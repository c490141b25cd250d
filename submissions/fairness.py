"""Who is served next. Below services and selectors, because one claims in this order and the other shows it."""

from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from submissions.models import Run, Slice
from submissions.models.runs import MOVING

TAKEABLE = Q(run__state__in=MOVING) | Q(kind=Slice.Kind.AUDIT, run__state=Run.State.DONE)


def slices_waiting_fairly(environment_id: int) -> QuerySet[Slice]:
    """Slices that a worker of this environment may take, fairest first.

    First runs go before re-judging, and that before audits; then teams with fewer slices being worked on; then the run
    that was served longest ago (never served first); then the older run (design, section 9). An audit builds for
    minutes, so no second one begins beside it and some worker is left for checking.
    """
    team_busy = (
        Slice.objects.filter(state=Slice.State.LEASED, run__submission__team=OuterRef("run__submission__team"))
        .order_by()
        .values("run__submission__team")
        .annotate(busy=Count("pk"))
        .values("busy")
    )
    last = Case(
        When(kind=Slice.Kind.AUDIT, then=Value(2)),
        When(run__kind=Run.Kind.REJUDGE, then=Value(1)),
        default=Value(0),
        output_field=IntegerField(),
    )
    here = Slice.objects.filter(environment_id=environment_id)
    audited = here.filter(kind=Slice.Kind.AUDIT, state=Slice.State.LEASED)
    return (
        here.filter(TAKEABLE, state=Slice.State.WAITING)
        .exclude(Q(kind=Slice.Kind.AUDIT) & Exists(audited))
        .annotate(team_busy=Coalesce(Subquery(team_busy, output_field=IntegerField()), 0), last=last)
        .order_by("last", "team_busy", F("run__served").asc(nulls_first=True), "run__created", "kind", "number", "pk")
    )
