"""What the home page tells: benchmarks with their state, and three figures of the whole site."""

from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils import timezone

from submissions.models import BoardEntry
from submissions.opening import Opening, opening
from verifier.core.problem import Status
from verifier.models import Pack


@dataclass(frozen=True, slots=True)
class BenchmarkLine:
    """A benchmark on the home page. `ready` is false where no environment is built yet."""

    pack: Pack
    opening: Opening
    ready: bool
    problems: int
    systems: int


@dataclass(frozen=True, slots=True)
class Home:
    """The home page. As on the boards, `proofs` are those of the runs that count now, `systems` those with a rank."""

    benchmarks: tuple[BenchmarkLine, ...]
    problems: int
    proofs: int
    systems: int


def home() -> Home:
    """Benchmarks in order of their names, with figures that are true now."""
    now = timezone.now()
    asked = Q(sets__current=True, sets__members__problem__status=Status.ACTIVE)
    packs = list(
        Pack.objects.annotate(
            live=Count("sets__members", filter=asked, distinct=True),
            built=Count("environments", filter=Q(environments__current=True), distinct=True),
        )
    )
    summed = BoardEntry.objects.filter(valid_to=None, problem_set__current=True, run__summary__isnull=False)
    complete = Q(run__summary__counts__internal=0) | ~Q(run__summary__vectors__error__icontains="i")
    holders = summed.filter(complete, system__reference=False)
    ranked = dict(holders.order_by().values_list("problem_set__pack").annotate(n=Count("system", distinct=True)))
    lines = tuple(
        BenchmarkLine(pack, opening(pack, now), bool(pack.built), pack.live, ranked.get(pack.pk, 0)) for pack in packs
    )
    return Home(
        benchmarks=lines,
        problems=sum(line.problems for line in lines),
        proofs=sum(counts["judged"] for counts in summed.values_list("run__summary__counts", flat=True)),
        systems=holders.values("system").distinct().count(),
    )
