"""Reads of the public side: benchmarks, their problems and environments, and the published runs that a board counts.

Everything is handed on as small frozen values; whatever is computed from them lives in pure modules.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery
from django.http import Http404

from leaderboard.cache import once
from submissions.models import BoardEntry, RunSummary, Submission
from verifier.models import Environment, Pack, Problem, ProblemSet, SetMember


@dataclass(frozen=True, slots=True)
class CategoryInfo:
    """A category of a set: its meaning and how many problems of the set are in it."""

    name: str
    meaning: str
    total: int


@dataclass(frozen=True, slots=True)
class Listed:
    """The members of a frozen set, in the order of the vectors: their categories, keys, ids and units."""

    categories: tuple[str, ...] = ()
    keys: tuple[int, ...] = ()
    idents: tuple[str, ...] = ()
    units: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A pack with the set that is shown. `state` names everything its boards are computed from."""

    pack: Pack
    problem_set: ProblemSet
    categories: tuple[CategoryInfo, ...]
    listed: Listed
    k_values: tuple[int, ...]
    primary_k: int
    state: str
    entered: int = 0  # entries that the set's board has or has had

    @property
    def total(self) -> int:
        """Problems of the set."""
        return len(self.listed.categories)

    def number(self, category: str = "") -> int:
        """Problems of a category of the set, or of all."""
        return next((each.total for each in self.categories if each.name == category), self.total)


@dataclass(frozen=True)  # without slots: thousands of them are pickled three times as fast
class Entry:
    """A published run as a board counts it, until `until`. `public` is False once its submission was withdrawn.

    `skipped` where its host lets the base of the environment hold facts whose own proofs were skipped.
    """

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
    skipped: bool = False
    summed: datetime | None = None  # when its counts were last written


@dataclass(frozen=True, slots=True)
class Read:
    """Entries of a board, and the vectors of those runs that were not known, or whose counts were written anew."""

    entries: tuple[Entry, ...]
    vectors: dict[str, dict[str, Any]]


def benchmark_get(slug: str) -> Benchmark:
    """The benchmark with its current set; 404 where there is none."""
    entries = BoardEntry.objects.filter(problem_set=OuterRef("pk")).order_by("-pk")
    sets = ProblemSet.objects.select_related("pack").filter(pack__slug=slug, current=True)
    problem_set = sets.annotate(newest=Subquery(entries.values("run__created")[:1])).first()
    if problem_set is None:
        raise Http404(f"No benchmark {slug} with a set to show.")
    entered = BoardEntry.objects.filter(problem_set=problem_set).count()
    pack = problem_set.pack
    listed = once(f"members|{problem_set.pk}|{problem_set.digest}|{pack.digest}", lambda: _listed(problem_set))
    k_values = tuple(int(k) for k in pack.manifest.get("k_values", [1]))
    return Benchmark(
        pack=pack,
        problem_set=problem_set,
        categories=_categories(pack.manifest.get("categories", []), listed.categories),
        listed=listed,
        k_values=k_values,
        primary_k=int(str(pack.manifest.get("primary_metric", "acc1")).removeprefix("acc")),
        state=f"{pack.slug}|{problem_set.digest}|{pack.stamp}|{entered}|{problem_set.newest}",
        entered=entered,
    )


def _listed(problem_set: ProblemSet) -> Listed:
    columns = ("problem__category", "problem_id", "problem__ident", "problem__unit")
    rows = SetMember.objects.filter(problem_set=problem_set).order_by("index").values_list(*columns)
    return Listed(*zip(*rows, strict=True))


def _categories(named: Iterable[dict[str, Any]], members: tuple[str, ...]) -> tuple[CategoryInfo, ...]:
    """Categories in the pack's order that the set has problems of."""
    totals = Counter(members)
    meanings = {str(each["name"]): str(each.get("meaning", "")) for each in named}
    names = [*meanings, *sorted(totals.keys() - meanings.keys())]
    return tuple(CategoryInfo(name, meanings.get(name, ""), totals[name]) for name in names if totals[name])


def entries_at(benchmark: Benchmark, at: datetime | None, known: Mapping[str, Entry]) -> Read:
    """What the board counts now, or counted at a past moment; `known` are entries read before, by their run."""
    rows = BoardEntry.objects.filter(problem_set=benchmark.problem_set)
    if at is None:
        return _entries(rows.filter(valid_to=None), known)
    return _entries(rows.filter(valid_from__lte=at).filter(Q(valid_to=None) | Q(valid_to__gt=at)), known)


def entries_all(benchmark: Benchmark, known: Mapping[str, Entry]) -> Read:
    """Everything that the board counts or has counted."""
    return _entries(BoardEntry.objects.filter(problem_set=benchmark.problem_set), known)


SKIPPED_BASE = "holds skipped proofs"  # what the recipe of an environment says of its base where the host allows it

COLUMNS = {
    "submission": "run__submission__public_id",
    "run": "run__public_id",
    "name": "system__name",
    "system_id": "system__public_id",
    "system_model": "system__model",
    "system_augmentations": "system__augmentations",
    "system_open": "system__open_source",
    "reference": "system__reference",
    "team": "run__submission__team__name",
    "team_id": "run__submission__team__public_id",
    "facts": "run__submission__system_facts",
    "visibility": "run__submission__visibility",
    "since": "valid_from",
    "until": "valid_to",
    "environment": "run__environment__digest",
    "version": "run__environment__version",
    "summary": "run__summary__pk",
    "summed": "run__summary__made",
}
SOME = 500  # summaries that are asked for one by one; more are read as a whole


def _entries(rows: QuerySet[BoardEntry], known: Mapping[str, Entry]) -> Read:
    """Rows as values: a board of a thousand runs is read in a third of the time that its models would take.

    What takes longest to read, counts and vectors, is read only of runs that are not known.
    """
    rows = rows.filter(run__summary__isnull=False).order_by("valid_from", "pk")
    found = [dict(zip(COLUMNS, row, strict=True)) for row in rows.values_list(*COLUMNS.values())]
    digests = {row["environment"] for row in found}
    bases = Environment.objects.filter(digest__in=digests, recipe__base=SKIPPED_BASE).values_list("digest", flat=True)
    skipping = set(bases) if digests else set()
    counts = {run: entry.counts for run, entry in known.items()}
    wanted = {row["summary"]: row["run"] for row in found if _changed(row, known.get(row["run"]))}
    vectors = {}
    if wanted:
        few = RunSummary.objects.filter(pk__in=list(wanted)[:SOME])
        summaries = few if len(wanted) <= SOME else RunSummary.objects.filter(run__in=rows.order_by().values("run"))
        for key, counted, vector in summaries.values_list("pk", "counts", "vectors"):
            if key in wanted:
                counts[wanted[key]], vectors[wanted[key]] = counted, vector
    entries = [
        _entry(row, counts[row["run"]], skipped=row["environment"] in skipping) for row in found if row["run"] in counts
    ]
    return Read(tuple(entries), vectors)


def _changed(row: dict[str, Any], entry: Entry | None) -> bool:
    return entry is None or entry.summed != row["summed"]


def _entry(row: dict[str, Any], counts: dict[str, Any], *, skipped: bool) -> Entry:
    facts = row["facts"]
    return Entry(
        submission=row["submission"],
        run=row["run"],
        system=facts.get("name", row["name"]),
        system_id=row["system_id"],
        model=facts.get("model", row["system_model"]),
        team=row["team"],
        team_id=row["team_id"],
        augmentations=tuple(facts.get("augmentations", row["system_augmentations"])),
        open_source=bool(facts.get("open_source", row["system_open"])),
        reference=row["reference"],
        public=row["visibility"] == Submission.Visibility.PUBLISHED,
        since=row["since"],
        environment=row["environment"],
        version=row["version"],
        counts=counts,
        until=row["until"],
        skipped=skipped,
        summed=row["summed"],
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
    return {key: index for index, key in enumerate(benchmark.listed.keys)}


def environment_get(digest: str) -> Environment:
    """An environment by its digest or the first eight or more characters of it; 404 where that is not one."""
    found = list(Environment.objects.select_related("pack").filter(digest__startswith=digest)[:2])
    if len(digest) < 8 or len(found) != 1:
        raise Http404(f"No environment {digest}.")
    return found[0]
