"""Rows to play with, and a judge that answers from the proof's own text instead of asking a prover."""

import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from submissions.models import Draft, Membership, Proof, Run, Slice, Submission, System, Team, User
from submissions.models.people import public_id
from submissions.services.judging import slice_judge
from submissions.services.keeper import leases_reap
from submissions.services.leases import slice_claim
from submissions.services.submissions import draft_confirm
from verifier.core.digest import digest_text
from verifier.core.errors import PlatformFault
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ConfirmationResult, Place, ProofResult, ProofTask
from verifier.core.verdict import Verdict
from verifier.models import Environment, Pack, Problem, ProblemSet, SetMember

UNITS = ("Objects", "Steps")
PER_UNIT = 5


@dataclass
class World:
    pack: Pack
    problem_set: ProblemSet
    environment: Environment
    team: Team
    owner: User
    member: User
    system: System
    problems: list[Problem] = field(default_factory=list)

    def draft(self, proofs: dict[tuple[str, int], str], system: System | None = None, **fields) -> Draft:
        """A draft that preflight accepted; a text `REJECT` stands for a proof that lint rejected."""
        system = system or self.system
        rows = [proof_row(problem, attempt, text) for (problem, attempt), text in proofs.items()]
        name = public_id()
        archive = default_storage.save(f"drafts/{name}", ContentFile(b"zip"))
        kept = default_storage.save(f"drafts/{name}.proofs", ContentFile(zlib.compress(json.dumps(rows).encode())))
        defaults = {
            "team": system.team,
            "user": self.owner,
            "system": system,
            "problem_set": self.problem_set,
            "file_name": "proofs.zip",
            "archive": archive,
            "proofs": kept,
            "sha256": digest_text(name),
            "size": 3,
            "expires": timezone.now() + timedelta(hours=1),
        }
        return Draft.objects.create(public_id=name, **{**defaults, **fields})

    def another(self, name: str) -> "tuple[User, System]":
        """A second team with an owner and a system."""
        user = User.objects.create_user(f"{name}@example.org")
        team = Team.objects.create(name=name)
        Membership.objects.create(team=team, user=user, role=Membership.Role.OWNER)
        return user, System.objects.create(team=team, name=f"system of {name}")


def proof_row(problem: str, attempt: int, text: str) -> dict[str, object]:
    rejected = text == "REJECT"
    return {
        "problem": problem,
        "attempt": attempt,
        "text": text,
        "tokens": 3,
        "seconds": None,
        "reason": str(Reason.CHEAT_WORD) if rejected else "",
        "finding": {"message": "uses Admitted", "remedy": "prove it", "member": "x.v", "line": 2, "column": None}
        if rejected
        else {},
    }


def world_make() -> World:
    pack = Pack.objects.create(
        slug="kernel",
        title="Kernel",
        prover="rocq",
        digest="p" * 64,
        proofs="choice",
        manifest={"limits": {"wall_seconds": 10.0}},
    )
    problem_set = ProblemSet.objects.create(pack=pack, name="first", title="First", digest="s" * 64)
    environment = Environment.objects.create(pack=pack, digest="e" * 64, prover="rocq", version="8.16.1")
    owner = User.objects.create_user("owner@example.org")
    member = User.objects.create_user("member@example.org")
    team = Team.objects.create(name="Team A")
    Membership.objects.create(team=team, user=owner, role=Membership.Role.OWNER)
    Membership.objects.create(team=team, user=member, role=Membership.Role.MEMBER)
    system = System.objects.create(team=team, name="System A")
    world = World(pack, problem_set, environment, team, owner, member, system)
    for number in range(len(UNITS) * PER_UNIT):
        problem = Problem.objects.create(
            pack=pack,
            ident=f"lemma_{number}",
            revision=1,
            category="P1" if number % 2 else "P2",
            unit=UNITS[number // PER_UNIT],
            position=number,
            lemma=f"lemma_{number}",
            statement=f"Lemma lemma_{number} : True.",
            statement_digest=digest_text(str(number)),
            status="active",
            split="evaluation",
        )
        SetMember.objects.create(problem_set=problem_set, problem=problem, index=number)
        world.problems.append(problem)
    return world


def all_proofs(world: World, text: str = "prove", attempts: Sequence[int] = (1,)) -> dict[tuple[str, int], str]:
    """One text for each problem and attempt, all different, so that nothing is reused by accident."""
    return {(p.ident, a): f"{text} {p.ident} {a}" for p in world.problems for a in attempts}


def proofs_of(submission: Submission) -> list[Proof]:
    return list(submission.proofs.select_related("problem").order_by("problem__position", "attempt"))


def run_of(submission: Submission) -> Run:
    return submission.runs.get()


SECOND_LOOKS = {"unsafe": Reason.KERNEL_FAULT_GUARD, "unsure-endless": Reason.WALL_TIME}


@dataclass
class TextJudge:
    """Answers by the first word of each text: prove, fail, slow, broken (internal), lost (no answer)."""

    asked: list[tuple[str, int]] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    confirmed: list[int] = field(default_factory=list)
    audited: list[int] = field(default_factory=list)
    before: Callable[[ProofTask], None] = lambda _task: None
    fault: bool = False

    def check(
        self, tasks: Sequence[ProofTask], on_start: Callable[[ProofTask], None], stopped: Callable[[], bool]
    ) -> Iterable[ProofResult]:
        self.groups.append(len(tasks))
        if self.fault:
            raise PlatformFault("no bubblewrap")
        for task in tasks:
            if stopped():
                return
            on_start(task)
            self.asked.append((task.problem, task.attempt))
            self.before(task)
            if not task.text.startswith("lost"):
                yield answer(task)

    def confirm(self, tasks: Sequence[ProofTask]) -> Sequence[ConfirmationResult]:
        self.confirmed.append(len(tasks))
        return [
            ConfirmationResult(
                t.problem,
                t.attempt,
                agreed=None if "unsure" in t.text else "cheat" not in t.text and "unsafe" not in t.text,
                reason=SECOND_LOOKS.get(t.text.split()[-1]),
            )
            for t in tasks
        ]

    def audit(self, tasks: Sequence[ProofTask]) -> Sequence[ConfirmationResult]:
        self.audited.append(len(tasks))
        if self.fault:
            raise PlatformFault("no room for a build")
        return [
            ConfirmationResult(t.problem, t.attempt, agreed=None if "dark" in t.text else "unsound" not in t.text)
            for t in tasks
        ]


def answer(task: ProofTask) -> ProofResult:
    reasons = {"fail": Reason.GOALS_LEFT, "slow": Reason.WALL_TIME, "broken": Reason.PROVER_BROKEN}
    reason = reasons.get(task.text.split()[0])
    if reason is None:
        return ProofResult(task.problem, task.attempt, Verdict.PROVED, wall_ms=4, evidence={"nonce": "n"})
    return ProofResult(
        task.problem, task.attempt, REASONS[reason].verdict, reason, message="It failed.\nMore.", place=Place(2, 3)
    )


def submit(world, proofs, system=None, user=None):
    return draft_confirm(draft=world.draft(proofs, system=system), actor=user or world.owner)


def claim(world, worker="w1"):
    return slice_claim(environment_id=world.environment.pk, worker=worker)


def work_all(world, judge=None, rounds=20):
    judge = judge or TextJudge()
    for _ in range(rounds):
        lease = claim(world)
        if lease is None:
            return judge
        slice_judge(claim=lease, judge=judge, stopped=lambda: False)
    raise AssertionError("the queue never runs dry")


def expire():
    Slice.objects.filter(state=Slice.State.LEASED).update(expires=timezone.now() - timedelta(seconds=1))
    return leases_reap(now=timezone.now())
