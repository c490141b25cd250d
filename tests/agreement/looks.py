"""The looks that the product takes at one proof, held against each other.

Warm verdict and confirmation must say the same of every proof that reaches the prover: what one accepts the other
accepts. The audit must accept whatever both accept.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.provers.isabelle_pack import cases, isabelle_pack, read
from verifier import engine
from verifier.core.problem import Pack
from verifier.core.process import Sandbox
from verifier.core.result import ConfirmationResult, ProofTask
from verifier.core.verdict import Verdict
from verifier.intake import UploadLimits, examine_path
from verifier.provers.base import BuiltEnvironment

PACKS = Path(__file__).parents[2] / "packs"
_LIMITS = UploadLimits(50 * 2**20, 100 * 2**20, 20_000)


@dataclass(slots=True)
class Tally:
    """What was looked at and where two looks differ; every difference is a sentence."""

    judged: int = 0
    proved: int = 0
    confirmed: int = 0
    audited: int = 0
    differences: list[str] = field(default_factory=list)

    def held(self, seen: Iterable[ConfirmationResult], look: str, expected: bool) -> int:
        """Note what another look says otherwise; how many it says as expected."""
        agreeing = 0
        for one in seen:
            agreeing += one.agreed is expected
            if one.agreed is not expected:
                self.differences.append(f"{one.problem} (text {one.attempt}): {look} says {one.agreed}: {one.message}")
        return agreeing


def tasks_of(pack: Pack) -> list[ProofTask]:
    """Every ground truth and every proof of the sample systems, each text of a problem once, numbered by attempt."""
    texts: dict[str, dict[str, None]] = {}
    for problem in pack.problems:
        texts.setdefault(problem.id, {})[problem.ground_truth] = None
    prover = engine.prover_of(pack)
    for sample in sorted((pack.root / "samples").iterdir()) if (pack.root / "samples").is_dir() else []:
        report = examine_path(pack, prover, None, sample / "proofs.jsonl", _LIMITS)
        assert report.accepted, (sample, report.findings)
        for proof in report.proofs:
            if proof.reason is None:
                texts[proof.problem][proof.text] = None
    return [ProofTask(problem, at, text) for problem, found in texts.items() for at, text in enumerate(found)]


def attacks() -> tuple[Pack, list[ProofTask]]:
    """The attacks on the small Isabelle pack that get past the scanner, and its honest cases."""
    pack = isabelle_pack()
    found = [read(pack, case, at) for at, case in enumerate([*cases("attacks"), *cases("honest")])]
    return pack, [task for task in found if isinstance(task, ProofTask)]


def compare(
    pack: Pack,
    environment: BuiltEnvironment,
    tasks: Sequence[ProofTask],
    sandbox: Sandbox,
    *,
    failing: bool,
    audit: bool,
) -> Tally:
    """Take all looks; `failing` also confirms what the warm session did not accept, which must then be refused."""
    tally = Tally()
    named = {(task.problem, task.attempt): task for task in tasks}
    verdicts: dict[Verdict, list[ProofTask]] = {verdict: [] for verdict in Verdict}
    for result in engine.check(environment, pack, tasks, sandbox, pack.limits):
        tally.judged += 1
        verdicts[result.verdict].append(named[result.problem, result.attempt])
        if result.verdict is Verdict.INTERNAL:
            tally.differences.append(f"{pack.slug} {result.problem}: internal, {result.message}")
    proved = verdicts[Verdict.PROVED]
    tally.proved = len(proved)
    tally.confirmed = tally.held(engine.confirm(environment, pack, proved, sandbox, pack.limits), "confirmation", True)
    if failing:
        tally.held(
            engine.confirm(environment, pack, verdicts[Verdict.FAILED], sandbox, pack.limits), "confirmation", False
        )
    if audit:
        tally.audited = tally.held(engine.audit(environment, pack, proved, sandbox), "audit", True)
    return tally
