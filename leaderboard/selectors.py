"""Reads of the public side: benchmarks, their problems and environments, and the published runs that a board counts.

Everything is handed on as small frozen values; whatever is computed from them lives in pure modules.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.http import Http404

from submissions.models import BoardEntry, Proof, Result, Submission
from verifier.core.problem import ProofVisibility
from verifier.core.verdict import Confirmation, Verdict
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
    entered: int = 0  # entries that the set's board has or has had

    @property
    def total(self) -> int:
        """Problems of the set."""
        return len(self.members)


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
        entered=problem_set.entered,
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
    "counts": "run__summary__counts",
    "vectors": "run__summary__vectors",
}


def _entries(rows: QuerySet[BoardEntry]) -> list[tuple[Entry, dict[str, Any]]]:
    """Rows as values: a board of a thousand runs is read in a third of the time that its models would take."""
    rows = rows.filter(run__summary__isnull=False).order_by("valid_from", "pk")
    found = [dict(zip(COLUMNS, row, strict=True)) for row in rows.values_list(*COLUMNS.values())]
    digests = {row["environment"] for row in found}
    bases = Environment.objects.filter(digest__in=digests, recipe__base=SKIPPED_BASE).values_list("digest", flat=True)
    skipping = set(bases) if digests else set()
    return [(_entry(row, skipped=row["environment"] in skipping), row["vectors"]) for row in found]


def _entry(row: dict[str, Any], *, skipped: bool) -> Entry:
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
        counts=row["counts"],
        until=row["until"],
        skipped=skipped,
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


@dataclass(frozen=True, slots=True)
class PublicProof:
    """An accepted text that everybody may read; `others` is the number of further runs with the same text."""

    submission: str
    system: str
    team: str
    attempt: int
    tokens: int
    text: str
    others: int


def public_proofs(benchmark: Benchmark, problem: Problem, limit: int) -> tuple[list[PublicProof], int]:
    """Distinct accepted proofs of the board's runs that their teams made public, oldest first, and how many there are.

    Two texts are the same where their canonical digests are.
    """
    if benchmark.pack.proofs not in {ProofVisibility.PUBLIC, ProofVisibility.CHOICE}:
        return [], 0
    published: dict[str, object] = {"run__submission__visibility": Submission.Visibility.PUBLISHED}
    if benchmark.pack.proofs == ProofVisibility.CHOICE:
        published["run__submission__proofs_public"] = True
    rows = Result.objects.filter(
        proof__problem=problem, verdict=Verdict.PROVED, run__entries__problem_set=benchmark.problem_set, **published
    ).filter(run__entries__valid_to=None)
    columns = ("proof__digest", "proof_id", "run_id")
    first: dict[str, int] = {}
    runs: dict[str, set[int]] = defaultdict(set)
    kept = rows.exclude(confirmation=Confirmation.DISAGREED).order_by(
        "run__entries__valid_from", "proof__attempt", "pk"
    )
    for digest, proof, run in kept.values_list(*columns):
        first.setdefault(digest, proof)
        runs[digest].add(run)
    chosen = list(first.values())[:limit]
    texts = Proof.objects.filter(pk__in=chosen).select_related("submission__system", "submission__team")
    made = [
        PublicProof(
            submission=proof.submission.public_id,
            system=proof.submission.system_facts.get("name", proof.submission.system.name),
            team=proof.submission.team.name,
            attempt=proof.attempt,
            tokens=proof.tokens,
            text=proof.text,
            others=len(runs[proof.digest]) - 1,
        )
        for proof in sorted(texts, key=lambda proof: chosen.index(proof.pk))
    ]
    return made, len(first)


def idents_of(benchmark: Benchmark) -> list[str]:
    """Ids of the set's problems, in the order of the vectors."""
    return list(_members(benchmark).values_list("problem__ident", flat=True))


def units_of(benchmark: Benchmark) -> list[str]:
    """Units of the set's problems, in the order of the vectors."""
    return list(_members(benchmark).values_list("problem__unit", flat=True))


def _members(benchmark: Benchmark) -> QuerySet[SetMember]:
    return SetMember.objects.filter(problem_set=benchmark.problem_set).order_by("index")


def environment_get(digest: str) -> Environment:
    """An environment by its digest or the first eight or more characters of it; 404 where that is not one."""
    found = list(Environment.objects.select_related("pack").filter(digest__startswith=digest)[:2])
    if len(digest) < 8 or len(found) != 1:
        raise Http404(f"No environment {digest}.")
    return found[0]
