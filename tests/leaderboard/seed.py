"""Published runs for tests and pictures, made from a seed through the models; no prover is asked."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from submissions.models import BoardEntry, Run, RunSummary, Submission, System, Team, User
from verifier.core.metrics import Member, ResultRow, summarise
from verifier.core.verdict import Confirmation
from verifier.models import Environment, Pack, Problem, ProblemSet, SetMember

START = datetime(2026, 10, 1, 12, tzinfo=UTC)
CATEGORIES = {"P1": "procedural, one line", "P2": "procedural, 2 to 6 lines", "P3": "7 to 20 lines", "D": "declarative"}
REASONS = (
    ("failed", "undefined_fact", "undefined"),
    ("failed", "method_failed", "logic"),
    ("failed", "goals_left", "logic"),
    ("timeout", "wall_time", "other"),
)


@dataclass(frozen=True)
class Method:
    """A system to publish: `skill` is the chance to prove, by category; `attempts` what it uploads."""

    name: str
    team: str
    skill: Sequence[float]
    attempts: Sequence[int] = (0, 1, 2, 3, 4, 5)
    augmentations: Sequence[str] = ()
    open_source: bool = False
    reference: bool = False
    confirmation: str = Confirmation.CONFIRMED
    internal: int = 0
    missing: int = 0
    model: str = ""


def pack_make(slug="toy", sizes=(30, 20, 15, 10), demonstrations=2):
    """A pack row with its frozen set, its demonstrations and its environment."""
    manifest = {
        "licence": "MIT",
        "citation": "Toy benchmark, 2026.",
        "homepage": "",
        "toolchain": ">=8.16",
        "categories": [{"name": name, "meaning": meaning} for name, meaning in CATEGORIES.items()],
        "k_values": [1, 5],
        "primary_metric": "acc1",
        "limits": {
            "wall_seconds": 10.0,
            "tokens": 2048,
            "proof_bytes": 2**20,
            "memory_bytes": 2**32,
            "output_bytes": 2**20,
        },
    }
    summary = "A system reads one lemma about a small kernel and writes a proof."
    pack = Pack.objects.create(
        slug=slug,
        title="Toy kernel",
        summary=summary,
        prover="rocq",
        digest="d" * 64,
        manifest=manifest,
        proofs="choice",
    )
    problem_set = ProblemSet.objects.create(pack=pack, name="v1", title="First set", digest="e" * 64)
    environment = Environment.objects.create(
        pack=pack,
        digest=("9d41c07e" * 8)[: -2 * len(slug)] + slug.encode().hex(),
        prover="rocq",
        version="8.16.1",
        recipe={"driver": "1", "options": {"universe-polymorphism": False}},
        faults=[
            {
                "issue": "rocq-prover/rocq 20413",
                "affects": "8.16 to 9.0",
                "summary": "A kernel fault.",
                "met_by": "refused words",
                "remedy": "Write the proof without it.",
            }
        ],
        refused={"lemma_0000": "its statement does not compile"},
    )
    for split, numbers in (("evaluation", sizes), ("demonstration", [demonstrations] * len(sizes))):
        for category, size in zip(CATEGORIES, numbers, strict=False):
            _problems(pack, category, split, size)
    rows = Problem.objects.filter(pack=pack, split="evaluation").order_by("pk")
    SetMember.objects.bulk_create(
        SetMember(problem_set=problem_set, problem=row, index=index) for index, row in enumerate(rows)
    )
    return problem_set, environment


def _problems(pack, category, split, size):
    start = Problem.objects.filter(pack=pack).count()
    Problem.objects.bulk_create(
        Problem(
            pack=pack,
            ident=f"lemma_{start + number:04d}",
            revision=1,
            category=category,
            unit=f"Unit{category}",
            position=start + number,
            lemma=f"lemma_{start + number:04d}",
            statement=f"Lemma lemma_{start + number:04d} : forall n, n + 0 = n.",
            statement_digest="f" * 64,
            status="active",
            split=split,
        )
        for number in range(size)
    )


def results_make(members, method, seed=0):
    """Rows and uploads of one method, the same for the same seed."""
    source = random.Random(f"{seed}|{method.name}")
    names = list(CATEGORIES)
    rows, uploaded = [], []
    for index, member in enumerate(members):
        skill = method.skill[names.index(member.category)]
        ease = random.Random(f"ease|{index}").random()
        for attempt in method.attempts:
            if index < method.missing:
                continue
            uploaded.append((index, attempt))
            wall = int(source.lognormvariate(5, 1.2))
            if index < method.internal + method.missing:
                rows.append(ResultRow(index, attempt, "internal", "worker_lost"))
            elif 0.6 * ease + 0.4 * source.random() < skill:
                rows.append(ResultRow(index, attempt, "proved", "", "", wall, method.confirmation))
            else:
                verdict, reason, error_class = source.choices(REASONS, (4, 5, 3, 1))[0]
                wall = 10_000 if verdict == "timeout" else wall
                rows.append(ResultRow(index, attempt, verdict, reason, error_class, wall))
    return rows, uploaded


def publish(problem_set, environment, method, day=0, valid_to=None):
    """A published submission of the method on the given day, with its run, summary and board entry."""
    user, _ = User.objects.get_or_create(email=f"{method.team.replace(' ', '.').lower()}@example.org")
    team, _ = Team.objects.get_or_create(name=method.team)
    system, _ = System.objects.get_or_create(
        team=team,
        name=method.name,
        defaults={
            "augmentations": list(method.augmentations),
            "model": method.model,
            "open_source": method.open_source,
            "reference": method.reference,
        },
    )
    when = START + timedelta(days=day)
    submission = Submission.objects.create(
        team=team,
        system=system,
        problem_set=problem_set,
        user=user,
        sha256="0" * 64,
        size=1,
        visibility="published",
        published=when,
    )
    members = [
        Member(*pair)
        for pair in SetMember.objects.filter(problem_set=problem_set).values_list("problem__ident", "problem__category")
    ]
    rows, uploaded = results_make(members, method)
    run = Run.objects.create(submission=submission, environment=environment, state="done", total=len(uploaded))
    summary = summarise(members, rows, uploaded)
    RunSummary.objects.create(run=run, counts=summary.counts, vectors=summary.vectors)
    return BoardEntry.objects.create(
        run=run, problem_set=problem_set, system=system, valid_from=when, valid_to=valid_to
    )


METHODS = (
    Method("Model C, similar + fixing", "Sample Lab 1", (0.72, 0.45, 0.2, 0.35), augmentations=("similar", "fixing")),
    Method("Model B, dependency", "Sample Lab 2", (0.70, 0.42, 0.18, 0.36), augmentations=("dependency",)),
    Method("Model B, fixing", "Sample Lab 2", (0.5, 0.3, 0.15, 0.3), augmentations=("fixing",)),
    Method("Model A", "Sample Lab 3", (0.4, 0.2, 0.1, 0.2), open_source=True, confirmation=Confirmation.PENDING),
    Method("fastforce", "Sample Lab 3", (0.3, 0.15, 0.05, 0.1), attempts=(1,), open_source=True),
    Method("auto", "Sample Lab 4", (0.1, 0.05, 0.02, 0.05), attempts=(0,), open_source=True, missing=3),
    Method("Model D", "Sample Lab 4", (0.6, 0.4, 0.1, 0.3), internal=2),
    Method("ground truth", "Hosts", (2, 2, 2, 2), attempts=(0,), reference=True),
)


def board_make(methods=METHODS):
    """The toy benchmark with all methods published, one a day."""
    problem_set, environment = pack_make()
    for day, method in enumerate(methods):
        publish(problem_set, environment, method, day=day)
    return problem_set, environment
