"""Rows to look at and to walk through: a small benchmark, people in every role, runs in every state.

Made through the models, so that pages can be tested without a prover. Everything in it is invented.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.core.files.base import ContentFile
from django.utils import timezone

from submissions.models import (
    BoardEntry,
    Draft,
    Invitation,
    Membership,
    Proof,
    Result,
    ResultLog,
    Run,
    Slice,
    Submission,
    System,
    Team,
    User,
    WorkerRow,
)
from submissions.services.results import log_pack
from submissions.services.summaries import run_summarise
from verifier.core.reason import REASONS, Reason
from verifier.core.result import NearFact, Place, ProofResult
from verifier.core.verdict import Verdict
from verifier.models import Environment, Pack, Problem, ProblemSet, SetMember

PASSWORD = "correct horse battery"
WORDS = (
    "cap slot object space thread queue reply notify revoke mint copy move badge guard root leaf".split()  # noqa: SIM905
)
TEXT = """Proof.
  intros s s' c Hinv Hstep.
  inversion Hstep; subst; clear Hstep.
  apply valid_caps_update; auto.
  eapply caps_of_mint; eauto.
Qed."""
FAILURE = ProofResult(
    problem="",
    attempt=0,
    verdict=Verdict.FAILED,
    reason=Reason.UNDEFINED_FACT,
    message='Error: The reference caps_of_mint was not found in the current environment.\nFile "proof", line 5.',
    place=Place(5, 10, 5, 22),
    command="eapply caps_of_mint; eauto",
    goals="s, s' : state\nc : cap\nHinv : invariant s\n============================\nvalid_caps (mint_cap s c)",
    near=(
        NearFact("caps_of_state_mint", "forall s c, caps_of (mint_cap s c) = c :: caps_of s", "same ending"),
        NearFact("mint_cap_valid", "forall s c, valid_cap c -> valid_caps (mint_cap s c)", "fits the goal"),
    ),
    wall_ms=412,
    cpu_ms=390,
)


@dataclass
class Seed:
    """What tests ask for by name."""

    pack: Pack
    problem_set: ProblemSet
    environment: Environment
    owner: User
    member: User
    stranger: User
    organiser: User
    team: Team
    system: System
    private: Submission
    published: Submission
    running: Submission
    draft: Draft
    invitation: Invitation
    problems: list[Problem]


def person(email: str, **fields: Any) -> User:
    """A user who can log in."""
    user = User.objects.create_user(email, PASSWORD, **fields)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


BASELINES: list[dict[str, Any]] = [
    {
        "system": "Model P", "augmentations": augmentations, "source": "Example 2026, Table 1", "k": 1, "note": "",
        "link": "https://example.org/paper", "scores": {"P1": 50.0, "P2": 30.0, "P3": 10.0, "D": 20.0},
        "problems": {"P1": 10, "P2": 10, "P3": 10, "D": 10}, "solved": {"P1": 5, "P2": 3, "P3": 1, "D": 2},
        "failures": {"P1": {"undefined": 2, "logic": 2, "other": 1}}, "seconds": {"P1": 2.5},
    }
    for augmentations in ([], ["similar"])
]  # fmt: skip


def benchmark(slug: str = "minikernel", lemmas: int = 40) -> tuple[Pack, ProblemSet, Environment, list[Problem]]:
    """A benchmark with one set and one environment."""
    categories = [("P1", "one tactic"), ("P2", "two to six"), ("P3", "seven to twenty"), ("D", "declarative")]
    pack = Pack.objects.create(
        slug=slug,
        title="Minikernel: proofs about a small capability kernel",
        summary="Invariants of a small capability kernel: objects, capabilities, address spaces, a step relation.",
        prover="rocq",
        digest="d" * 64,
        manifest={
            "categories": [{"name": name, "meaning": meaning} for name, meaning in categories],
            "limits": {"wall_seconds": 10, "tokens": 2048, "memory_bytes": 2**31},
            "k_values": [1, 5],
            "primary_metric": "acc1",
            "baselines": BASELINES,
        },
        proofs="choice",
    )
    problem_set = ProblemSet.objects.create(pack=pack, name=f"{slug}-{lemmas}", title="All lemmas", digest="e" * 64)
    environment = Environment.objects.create(
        pack=pack, digest="9d41c07e5ab2f1c3" * 4, prover="rocq", version="Rocq (Coq) 8.16.1"
    )
    problems = []
    for index in range(lemmas):
        name = f"{WORDS[index % 16]}_{WORDS[(index * 7 + 3) % 16]}_preserves_valid_{index:02d}"
        problem = Problem.objects.create(
            pack=pack,
            ident=name,
            revision=1,
            category=categories[index % 4][0],
            unit=("Caps", "Steps")[index % 2],
            position=index,
            lemma=name,
            statement=f"Lemma {name} :\n  forall s s' c, invariant s -> step s c s' -> valid_caps s'.",
            statement_digest="f" * 64,
            status="active",
            split="evaluation",
        )
        SetMember.objects.create(problem_set=problem_set, problem=problem, index=index)
        problems.append(problem)
    return pack, problem_set, environment, problems


OUTCOMES: list[tuple[Verdict, Reason | None]] = [
    (Verdict.FAILED, Reason.UNDEFINED_FACT),
    (Verdict.PROVED, None),
    (Verdict.PROVED, None),
    (Verdict.FAILED, Reason.GOALS_LEFT),
    (Verdict.FAILED, Reason.METHOD_FAILED),
    (Verdict.REJECTED, Reason.CHEAT_WORD),
    (Verdict.FAILED, Reason.SYNTAX),
    (Verdict.TIMEOUT, Reason.WALL_TIME),
    (Verdict.PROVED, None),
    (Verdict.RESOURCE, Reason.MEMORY),
]


def submission(seed_for: tuple[Team, System, User], problem_set: ProblemSet, **fields: Any) -> Submission:
    """A submission without proofs."""
    team, system, user = seed_for
    row = Submission(
        team=team,
        system=system,
        user=user,
        problem_set=problem_set,
        sha256="b7e02f4c91d8" + "0" * 48 + "3a6e",
        size=482_113,
        report={},
        system_facts={
            "name": system.name, "model": system.model, "augmentations": system.augmentations, "open_source": True,
        },
        **fields,
    )  # fmt: skip
    row.archive.save(f"{row.public_id}.zip", ContentFile(b"PK\x05\x06" + b"\0" * 18), save=False)
    row.save()
    return row


def run_of(row: Submission, environment: Environment, problems: list[Problem], attempts: int, judged: int) -> Run:
    """A run of which the first `judged` proofs have results."""
    now = timezone.now()
    proofs = [
        Proof.objects.create(submission=row, problem=problem, attempt=attempt, text=TEXT, digest="a" * 64, tokens=64)
        for problem in problems
        for attempt in range(attempts)
        if not (problem.position == 3 and attempt == 1)
    ]
    done = judged >= len(proofs)
    run = Run.objects.create(
        submission=row,
        environment=environment,
        state=Run.State.DONE if done else Run.State.CHECKING,
        total=len(proofs),
        limits={"wall_seconds": 10, "tokens": 2048, "memory_bytes": 2**31},
        started=now - timedelta(minutes=3),
        checked=now if done else None,
        finished=now if done else None,
    )
    for index, proof in enumerate(proofs[:judged]):
        _result(run, proof, OUTCOMES[(index * 3 + index // 7) % len(OUTCOMES)])
    size = 30
    for number, start in enumerate(range(0, len(proofs), size)):
        part = proofs[start : start + size]
        ended = start + size <= judged
        slice_row = Slice.objects.create(
            run=run,
            environment=environment,
            number=number,
            unit="Caps",
            state=Slice.State.DONE if ended else Slice.State.WAITING,
            waiting_since=now - timedelta(minutes=2),
        )
        slice_row.proofs.set(part)
    if done:
        run_summarise(run=run)
    return run


def _result(run: Run, proof: Proof, outcome: tuple[Verdict, Reason | None]) -> None:
    verdict, reason = outcome
    base = replace(FAILURE, problem=proof.problem.ident, attempt=proof.attempt, verdict=verdict, reason=reason)
    if verdict is Verdict.PROVED:
        base = replace(base, message="", place=None, goals="", near=(), command="", evidence={"axioms": "none"})
    elif verdict is Verdict.REJECTED:
        base = replace(base, message="The proof holds `admit`.", near=(), goals="", place=Place(3, 1), command="")
    row = Result.objects.create(
        run=run,
        proof=proof,
        verdict=verdict,
        reason=str(reason or ""),
        error_class=str(REASONS[reason].error_class or "") if reason else "",
        headline=base.message.split("\n", maxsplit=1)[0],
        line=base.place.line if base.place else None,
        wall_ms=base.wall_ms + 7 * proof.pk % 900,
        cpu_ms=base.cpu_ms,
        confirmation="confirmed" if verdict is Verdict.PROVED else "not_needed",
        worker="worker-1",
    )
    ResultLog.objects.create(result=row, data=log_pack(base))


def report(problems: list[Problem]) -> dict[str, Any]:
    """A preflight report with a finding of every consequence."""
    proofs = [
        {"problem": p.ident, "attempt": a, "tokens": 64, "reason": "cheat_word" if p.position in {4, 9} else None}
        for p in problems
        for a in (0, 1)
        if p.position != 3
    ]
    finding = {"column": None, "reason": None, "problem": "", "attempt": None}
    findings = [
        {**finding, "consequence": "rejected", "message": "The proof holds `admit`.", "member": f"{a}/{p.ident}.v",
         "remedy": "Finish the proof, or leave the lemma out; in a comment the word is fine.", "line": 4}
        for p in problems if p.position in {4, 9} for a in (0, 1)
    ] + [
        {**finding, "consequence": "missing", "message": "2 lemma and attempt pairs have no proof.", "member": "",
         "remedy": "They count as not solved; add them if you have them.", "line": None},
        {**finding, "consequence": "ignored", "message": "No lemma has this name.", "member": "1/mint_valid_shed.v",
         "remedy": "Did you mean `mint_valid_sched`?", "line": None},
        {**finding, "consequence": "tidied", "message": "The wrapper folder was taken off.", "member": "model-a/",
         "remedy": "Nothing to do.", "line": None},
    ]  # fmt: skip
    names = sorted({p.category for p in problems})
    coverage = [
        {
            "category": name,
            "total": sum(p.category == name for p in problems),
            "found": {str(a): sum(p.category == name and p.position != 3 for p in problems) for a in (0, 1)},
        }
        for name in names
    ]
    return {
        "accepted": True, "findings": findings, "proofs": proofs, "coverage": coverage, "missing": [], "meta": None,
        "members": 86, "inflated": 2_104_331, "size": 482_113, "sha256": "b" * 64, "seconds": 0.31,
    }  # fmt: skip


def seed(lemmas: int = 40) -> Seed:
    """Everything at once."""
    pack, problem_set, environment, problems = benchmark(lemmas=lemmas)
    owner, member = person("owner@example.org", name="Ada Example"), person("member@example.org")
    stranger, organiser = person("stranger@example.org"), person("host@example.org", is_staff=True, is_superuser=True)
    team = Team.objects.create(name="Sample Lab 3", homepage="https://example.org/")
    Membership.objects.create(team=team, user=owner, role="owner")
    Membership.objects.create(team=team, user=member, role="member")
    other = Team.objects.create(name="Sample Lab 1")
    Membership.objects.create(team=other, user=stranger, role="owner")
    system = System.objects.create(
        team=team, name="Model A, k = 5", model="model-a-2026-10", augmentations=["similar"], open_source=True
    )
    second = System.objects.create(team=team, name="Model A, fixing", model="model-a-2026-10")
    now = timezone.now()
    who = (team, system, owner)
    private = submission((team, second, owner), problem_set)
    run_of(private, environment, problems, 2, 10**6)
    published = submission(who, problem_set, visibility="published", published=now)
    BoardEntry.objects.create(
        run=run_of(published, environment, problems, 6, 10**6),
        problem_set=problem_set,
        system=system,
        valid_from=now,
    )
    running = submission(who, problem_set)
    run_of(running, environment, problems, 6, lemmas * 4 - 10)
    draft = Draft(
        team=team, user=owner, system=system, problem_set=problem_set, file_name="model-a-k5.zip", sha256="b" * 64,
        size=482_113, report=report(problems), expires=now + timedelta(minutes=52),
    )  # fmt: skip
    draft.archive.save(f"{draft.public_id}", ContentFile(b"PK\x05\x06" + b"\0" * 18), save=False)
    draft.save()
    invitation = Invitation.objects.create(team=team, email="stranger@example.org", sent_by=owner)
    walls = {"network": "holds", "host files": "holds", "environment": "holds", "writes": "holds", "children": "holds"}
    WorkerRow.objects.create(
        name="worker-1", host="judge-1", pid=11, environments=[environment.digest], sandbox=walls, judging=True,
        started=now - timedelta(hours=5), heartbeat=now,
    )  # fmt: skip
    WorkerRow.objects.create(
        name="worker-2", host="judge-2", pid=12, environments=[], sandbox={"network": "a socket opened"},
        why="the wall 'network' does not hold", started=now - timedelta(hours=5), heartbeat=now,
    )  # fmt: skip
    return Seed(
        pack, problem_set, environment, owner, member, stranger, organiser, team, system, private, published, running,
        draft, invitation, problems,
    )  # fmt: skip
