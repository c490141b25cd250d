"""Whether a pack's own cases get the verdicts that their folders say, through the same door as any upload."""

from collections import Counter
from dataclasses import dataclass, replace

from rich.table import Table

from verifier import engine
from verifier.core.problem import Pack, ProblemSpec, SelfTest, Split
from verifier.core.process import Sandbox
from verifier.core.result import ProofTask
from verifier.core.verdict import Verdict
from verifier.intake.proofs import Candidate, judge
from verifier.provers.base import BuiltEnvironment


@dataclass(frozen=True, slots=True)
class Case:
    """One text with the verdict that it must get; `attempt` tells cases of one problem apart."""

    name: str
    problem: ProblemSpec
    attempt: int
    text: bytes
    expected: Verdict


@dataclass(frozen=True, slots=True)
class Seen:
    """What a case got. `confirmed` is None where no second look was due or possible."""

    case: Case
    verdict: Verdict
    reason: str = ""
    message: str = ""
    wall_ms: int = 0
    confirmed: bool | None = None

    @property
    def good(self) -> bool:
        """Whether it is what the folder says, and whoever was proved was proved again in a fresh process."""
        return self.verdict is self.case.expected and (self.verdict is not Verdict.PROVED or self.confirmed is True)


def cases_of(pack: Pack) -> list[Case]:
    """Self-tests in the order of their folders, then every demonstration, which must be proved."""
    numbers: Counter[str] = Counter()
    by_id = {problem.id: problem for problem in pack.problems}
    demonstrations = [
        SelfTest(p.id, Verdict.PROVED, p.ground_truth.encode(), pack.root / "demonstration" / p.id)
        for p in pack.problems
        if p.split is Split.DEMONSTRATION
    ]
    found: list[Case] = []
    for test in (*pack.selftests, *demonstrations):
        numbers[test.problem] += 1
        name = f"{test.path.parent.name}/{test.path.name}"
        found.append(Case(name, by_id[test.problem], numbers[test.problem], test.text, test.expected))
    return found


def run(pack: Pack, environment: BuiltEnvironment, sandbox: Sandbox) -> list[Seen]:
    """Every case through preflight and, where that lets it pass, through the engine under the self-tests' limits."""
    prover = engine.prover_of(pack)
    limited = replace(pack, limits=pack.selftest_limits)
    cases = {(case.problem.id, case.attempt): case for case in cases_of(pack)}
    seen: dict[tuple[str, int], Seen] = {}
    tasks: dict[tuple[str, int], ProofTask] = {}
    for key, case in cases.items():
        proof = judge(limited, prover, Candidate(case.problem, case.attempt, case.name, case.text)).proof
        if proof.reason is None:
            tasks[key] = ProofTask(*key, proof.text)
        else:
            message = proof.finding.message if proof.finding else ""
            seen[key] = Seen(case, Verdict.REJECTED, proof.reason, message)
    for result in engine.check(environment, limited, list(tasks.values()), sandbox, limited.limits):
        key = (result.problem, result.attempt)
        seen[key] = Seen(cases[key], result.verdict, result.reason or "", result.message, result.wall_ms)
    proved = [task for key, task in tasks.items() if seen[key].verdict is Verdict.PROVED]
    for second in engine.confirm(environment, pack, proved, sandbox, pack.limits):
        key = (second.problem, second.attempt)
        seen[key] = replace(seen[key], confirmed=second.agreed, message=second.message)
    return [seen[key] for key in cases]


def table(pack: Pack, seen: list[Seen]) -> Table:
    """What every case got; the folder in its name says what it must get, demonstrations must be proved."""
    shown = Table(title=f"Self-tests of {pack.slug}", title_justify="left")
    for heading in ("case", "verdict", "reason", "ms"):
        shown.add_column(heading, justify="right" if heading == "ms" else "left", overflow="fold")
    for one in seen:
        shown.add_row(one.case.name, one.verdict, one.reason, str(one.wall_ms or ""))
    return shown


def complaint(one: Seen) -> str:
    """What is wrong with a case that did not get what its folder says."""
    got = "proved, but not a second time" if one.verdict is one.case.expected else one.verdict
    why = ": ".join(part for part in (one.reason, one.message) if part)
    return f"{one.case.name}: expected {one.case.expected}, got {got}" + (f" ({why})" if why else "")
