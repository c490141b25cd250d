"""Accepted proofs of one problem that everybody may read."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from leaderboard.selectors import Benchmark
from submissions.models import Proof, Result, Submission
from verifier.core.problem import ProofVisibility
from verifier.core.verdict import Confirmation, Verdict
from verifier.models import Problem


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


def proofs_still_public(benchmark: Benchmark, submissions: Collection[str]) -> bool:
    """Whether everybody may read the proofs of all these submissions, whose pack said so before."""
    rows = Submission.objects.filter(visibility=Submission.Visibility.PUBLISHED, public_id__in=submissions)
    if benchmark.pack.proofs == ProofVisibility.CHOICE:
        rows = rows.filter(proofs_public=True)
    elif benchmark.pack.proofs != ProofVisibility.PUBLIC:
        return not submissions
    return not submissions or rows.count() == len(submissions)
