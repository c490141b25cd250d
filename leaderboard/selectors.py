"""Reads of the public side: benchmarks, their problems and environments, and the published runs that a board counts.

Everything is handed on as small frozen values; whatever is computed from them lives in pure modules.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.http import Http404

from submissions.models import BoardEntry, Submission
from verifier.models import Environment, Pack, Problem, ProblemSet, SetMember


@dataclass(frozen=True, slots=True)
class CategoryInfo:
    """A category of a set: its meaning and how many problems of the set are in it."""

    name: str
    meaning: str
    total: int


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A pack with the set that is shown. `state` names everything its boards are computed from."""

    pack: Pack
    problem_set: ProblemSet
    categories: tuple[CategoryInfo, ...]
    members: tuple[str, ...]  # category of each member, in the order of the vectors
    k_values: tuple[int, ...]
    primary_k: int
    state: str

    @property
    def total(self) -> int:
        """Problems of the set."""
        return len(self.members)


@dataclass(frozen=True, slots=True)
class Entry:
    """A published run as a board counts it, until `until`. `public` is False once its submission was withdrawn."""

    submission: str
    run: str
    system: str
    system_id: str
    model: str
    team: str
    team_id: str
    augmentations: tuple[str, ...]
    open_source: bool
    reference: bool
    public: bool
    since: datetime
    environment: str
    version: str
    counts: dict[str, Any]
    until: datetime | None = None


def benchmark_get(slug: str) -> Benchmark:
    """The benchmark with its current set; 404 where there is none."""
    sets = ProblemSet.objects.select_related("pack").filter(pack__slug=slug, current=True)
    problem_set = sets.annotate(entered=Count("entries"), summed=Max("entries__run__summary__made")).first()
    if problem_set is None:
        raise Http404(f"No benchmark {slug} with a set to show.")
    members = tuple(
        SetMember.objects.filter(problem_set=problem_set).order_by("index").values_list("problem__category", flat=True)
    )
    pack = problem_set.pack
    k_values = tuple(int(k) for k in pack.manifest.get("k_values", [1]))
    return Benchmark(
        pack=pack,
        problem_set=problem_set,
        categories=_categories(pack.manifest.get("categories", []), members),
        members=members,
        k_values=k_values,
        primary_k=int(str(pack.manifest.get("primary_metric", "acc1")).removeprefix("acc")),
        state=f"{pack.slug}|{problem_set.digest}|{pack.stamp}|{problem_set.entered}|{problem_set.summed}",
    )


def _categories(listed: Iterable[dict[str, Any]], members: tuple[str, ...]) -> tuple[CategoryInfo, ...]:
    """Categories in the pack's order that the set has problems of."""
    totals = Counter(members)
    meanings = {str(each["name"]): str(each.get("meaning", "")) for each in listed}
    names = [*meanings, *sorted(totals.keys() - meanings.keys())]
    return tuple(CategoryInfo(name, meanings.get(name, ""), totals[name]) for name in names if totals[name])


def entries_at(benchmark: Benchmark, at: datetime | None) -> list[tuple[Entry, dict[str, Any]]]:
    """What the board counts now, or counted at a past moment; each with its vectors."""
    rows = BoardEntry.objects.filter(problem_set=benchmark.problem_set)
    if at is None:
        return _entries(rows.filter(valid_to=None))
    return _entries(rows.filter(valid_from__lte=at).filter(Q(valid_to=None) | Q(valid_to__gt=at)))


def entries_all(benchmark: Benchmark) -> list[tuple[Entry, dict[str, Any]]]:
    """Everything that the board counts or has counted, each with its vectors."""
    return _entries(BoardEntry.objects.filter(problem_set=benchmark.problem_set))


def _entries(rows: QuerySet[BoardEntry]) -> list[tuple[Entry, dict[str, Any]]]:
    rows = rows.filter(run__summary__isnull=False).order_by("valid_from", "pk")
    rows = rows.select_related("system", "run__summary", "run__environment", "run__submission__team")
    rows = rows.defer("run__limits", "run__submission__report", "run__environment__recipe", "run__environment__faults")
    return [(_entry(row), row.run.summary.vectors) for row in rows]


def _entry(row: BoardEntry) -> Entry:
    submission, environment = row.run.submission, row.run.environment
    facts = submission.system_facts
    return Entry(
        submission=submission.public_id,
        run=row.run.public_id,
        system=facts.get("name", row.system.name),
        system_id=row.system.public_id,
        model=facts.get("model", row.system.model),
        team=submission.team.name,
        team_id=submission.team.public_id,
        augmentations=tuple(facts.get("augmentations", row.system.augmentations)),
        open_source=bool(facts.get("open_source", row.system.open_source)),
        reference=row.system.reference,
        public=submission.visibility == Submission.Visibility.PUBLISHED,
        since=row.valid_from,
        environment=environment.digest,
        version=environment.version,
        counts=row.run.summary.counts,
        until=row.valid_to,
    )


def problems_of(pack: Pack) -> QuerySet[Problem]:
    """Latest revision of every problem that is not a draft, in the order of the theories."""
    latest = Problem.objects.filter(pack=pack).values("ident").annotate(last=Max("pk")).values("last")
    return Problem.objects.filter(pk__in=latest).exclude(status="draft")


def problem_get(pack: Pack, ident: str) -> Problem:
    """One problem in its latest revision; 404 for drafts and unknown ids."""
    problem = problems_of(pack).filter(ident=ident).first()
    if problem is None:
        raise Http404(f"No problem {ident} in {pack.slug}.")
    return problem


def places_of(benchmark: Benchmark) -> dict[int, int]:
    """Index in the vectors by the key of the problem."""
    return dict(SetMember.objects.filter(problem_set=benchmark.problem_set).values_list("problem_id", "index"))


def idents_of(benchmark: Benchmark) -> list[str]:
    """Ids of the set's problems, in the order of the vectors."""
    return list(_members(benchmark).values_list("problem__ident", flat=True))


def units_of(benchmark: Benchmark) -> list[str]:
    """Units of the set's problems, in the order of the vectors."""
    return list(_members(benchmark).values_list("problem__unit", flat=True))


def _members(benchmark: Benchmark) -> QuerySet[SetMember]:
    return SetMember.objects.filter(problem_set=benchmark.problem_set).order_by("index")


def environment_current(pack: Pack) -> Environment | None:
    """The environment that new runs of the pack are checked in."""
    return Environment.objects.filter(pack=pack, current=True).first()


def environment_get(digest: str) -> Environment:
    """An environment by its digest or the first eight or more characters of it; 404 where that is not one."""
    found = list(Environment.objects.select_related("pack").filter(digest__startswith=digest)[:2])
    if len(digest) < 8 or len(found) != 1:
        raise Http404(f"No environment {digest}.")
    return found[0]
