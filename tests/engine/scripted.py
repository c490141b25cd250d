"""A prover and a sandbox that play a script: no process, every behaviour of one on demand.

A proof's text is what happens while it runs, one word for each try: `proved`, `failed`, `garbage`, `crash`, `wall`,
`cpu`, `memory`, `output`, `processes`, `disk`; `starved` is `wall` with hardly any processor time; `wordy` fails, and
the process ends over its goals; `unsure` is proved only if the second look says so. `refuse` in a text is refused by
policy.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from verifier.core.errors import PlatformFault
from verifier.core.finding import Consequence, Finding
from verifier.core.limits import Limits
from verifier.core.problem import Category, Pack, ProblemSpec, ProofVisibility
from verifier.core.process import Command, LimitHit, Outcome, Reply, SessionDied
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ConfirmationResult, ProofResult, ProofTask
from verifier.core.verdict import Verdict
from verifier.provers.base import UNSURE, AnswerLost, BuiltEnvironment, Dialogue, Opening, Request
from verifier.provers.deaths import LIMIT_REASONS

LIMITS = Limits(wall_seconds=7.0)
PROGRAM = Command(("/bin/prover",))
DEATHS = {"crash": None, "starved": LimitHit.WALL, **{str(limit): limit for limit in LimitHit}}
REASON_OF = {None: Reason.PROVER_CRASH, **LIMIT_REASONS}
ENVIRONMENT = BuiltEnvironment("e" * 64, "script", "scripted", "1", Path("/nowhere"), {}, {})


def pack(**units: Sequence[str]) -> Pack:
    """A pack with these problems in these units, in that order."""
    problems = [
        ProblemSpec(name, 1, "P1", unit, name, f"Lemma {name}.", place)
        for unit, names in units.items()
        for place, name in enumerate(names)
    ]
    return Pack(
        slug="script",
        root=Path("/nowhere"),
        title="",
        summary="",
        prover="scripted",
        toolchain="",
        licence="",
        citation="",
        limits=LIMITS,
        selftest_limits=LIMITS,
        categories=(Category("P1", ""),),
        k_values=(1,),
        primary_metric="acc1",
        proofs=ProofVisibility.TEAM,
        problems=tuple(problems),
        sets=(),
        selftests=(),
        units=tuple(units),
        digest="",
    )


def death(limit: LimitHit | None, cpu_ms: int = 0) -> SessionDied:
    return SessionDied(Outcome(None if limit else 139, None, limit, b"", b"last words", 10, cpu_ms, 0))


@dataclass
class ScriptedSession:
    """One live process; `fresh` is whether it has been asked for no proof yet."""

    sandbox: "ScriptedSandbox"
    opening: str
    asked: list[str] = field(default_factory=list)
    closed: bool = False
    cpu: int = 0

    def ask(self, request: bytes, until: bytes, wall_seconds: float) -> Reply:
        assert not self.closed
        text = request.decode()
        self.asked.append(text)
        if text == "hello":
            if self.opening in DEATHS:
                raise death(DEATHS[self.opening])
            return Reply(b"", b"", 1)
        acts = text.split()
        act = acts[min(self.sandbox.tries[text], len(acts) - 1)]
        self.sandbox.tries[text] += 1
        self.cpu += 3
        if act in DEATHS:
            raise death(DEATHS[act], self.cpu + (100 if act == "starved" else 7000))
        return Reply(act.encode(), b"", 4)

    def cpu_ms(self) -> int:
        return self.cpu

    def close(self) -> Outcome:
        self.closed = True
        return Outcome(0, None, None, b"", b"", 0, 0, 0)


@dataclass
class ScriptedSandbox:
    """Keeps every session; `openings` says what happens to each when it is greeted, `ok` once they are used up."""

    openings: list[str] = field(default_factory=list)
    sessions: list[ScriptedSession] = field(default_factory=list)
    tries: Counter[str] = field(default_factory=Counter)

    def open(self, command: Command) -> ScriptedSession:
        opening = self.openings.pop(0) if self.openings else "ok"
        if opening == "walls":
            raise PlatformFault("The walls cannot be put up.")
        self.sessions.append(ScriptedSession(self, opening))
        return self.sessions[-1]

    def run(self, command: Command) -> Outcome:
        raise AssertionError("no process is run")


@dataclass
class ScriptedDialogue:
    spent_after: int  # proofs after which the process has done enough
    command: Command = PROGRAM
    checked: int = 0
    gone: bool = False

    @property
    def spent(self) -> bool:
        return self.gone or self.checked >= self.spent_after

    def opening(self) -> Opening:
        yield Request(b"hello", b"", 60.0)

    def check(self, problem: ProblemSpec, task: ProofTask, limits: Limits) -> Dialogue:
        self.checked += 1
        reply = yield Request(task.text.encode(), b"", limits.wall_seconds, timed=True)
        match reply.stdout.decode():
            case "proved":
                return ProofResult(task.problem, task.attempt, Verdict.PROVED)
            case "unsure":
                return ProofResult(task.problem, task.attempt, Verdict.PROVED, evidence={UNSURE: "script"})
            case "wordy":
                try:
                    yield Request(b"output", b"", 30.0, spare=True)
                except AnswerLost:
                    self.gone = True
                return ProofResult(task.problem, task.attempt, Verdict.FAILED, Reason.METHOD_FAILED, message="no")
            case "failed":
                return ProofResult(task.problem, task.attempt, Verdict.FAILED, Reason.METHOD_FAILED, message="no")
            case other:
                raise PlatformFault(f"unknown record {other}")


@dataclass
class ScriptedProver:
    name: str = "scripted"
    title: str = "Scripted"
    extension: str = ".s"
    session_holds_all: bool = False
    spent_after: int = 1_000
    second_look: Callable[[ProofTask], ConfirmationResult] | None = None

    def lint(self, pack: Pack, problem: ProblemSpec, text: str) -> list[Finding]:
        if "refuse" not in text:
            return []
        return [Finding(Consequence.REJECTED, "It cheats.", "Do not.", line=2, column=3, reason=Reason.CHEAT_WORD)]

    def for_release(self, version: str, *, trusted: bool = False) -> "ScriptedProver":
        return self

    def session(self, environment: BuiltEnvironment, pack: Pack, unit: str, limits: Limits) -> ScriptedDialogue:
        return ScriptedDialogue(self.spent_after)

    def interpret_death(self, problem: ProblemSpec, task: ProofTask, outcome: Outcome, limits: Limits) -> ProofResult:
        reason = REASON_OF[outcome.limit]
        return ProofResult(task.problem, task.attempt, REASONS[reason].verdict, reason)

    def confirm(self, environment, pack, unit, tasks, limits, run) -> list[ConfirmationResult]:  # noqa: PLR0917
        assert self.second_look is not None
        return [self.second_look(task) for task in tasks]


def refusing(environment: BuiltEnvironment, problem: str) -> BuiltEnvironment:
    return replace(environment, refused={problem: "its own proof fails"})
