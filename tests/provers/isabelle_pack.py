"""The small Isabelle pack of the corpora, as values, and how its environment is built once for all live tests."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from verifier import engine
from verifier.core import isar
from verifier.core.finding import Finding
from verifier.core.limits import Limits
from verifier.core.problem import Category, Pack, ProblemSpec, ProofVisibility
from verifier.core.reason import REASONS
from verifier.core.result import ProofResult, ProofTask
from verifier.core.text import canonical_text
from verifier.provers.base import BuiltEnvironment
from verifier.sandbox.bubblewrap import Bubblewrap

CORPUS = Path(__file__).parents[1] / "corpora" / "isabelle"
UNITS = ("Lists", "Orders", "Attacked")
LIMITS = Limits(wall_seconds=5.0, memory_bytes=2 * 2**30)
SANDBOX_UID = 61911


def isabelle_pack() -> Pack:
    """Every named lemma of the three theories is a problem under its own name; those of Attacked are false."""
    problems = [problem for unit in UNITS for problem in _problems(unit)]
    return Pack(
        slug="cases",
        root=CORPUS / "pack",
        title="Cases",
        summary="For tests.",
        prover="isabelle",
        toolchain=">=2024",
        licence="MIT",
        citation="-",
        limits=LIMITS,
        selftest_limits=LIMITS,
        categories=(Category("P1", "short"),),
        k_values=(1,),
        primary_metric="acc1",
        proofs=ProofVisibility.CHOICE,
        problems=tuple(problems),
        sets=(),
        selftests=(),
        units=UNITS,
        digest="0" * 64,
    )


def _problems(unit: str) -> list[ProblemSpec]:
    source = (CORPUS / "pack" / "theories" / f"{unit}.thy").read_text(encoding="utf-8")
    return [
        ProblemSpec(
            id=fact.name,
            revision=1,
            category="P1",
            unit=unit,
            lemma=fact.name,
            statement=fact.statement,
            position=fact.index,
            scope=fact.scope,
            ground_truth=fact.proof,
        )
        for fact in isar.stated(source)
    ]


def built(root: Path) -> BuiltEnvironment:
    """The environment in an empty folder; every ground truth was tried in isolation on the way."""
    pack, sandbox = isabelle_pack(), Bubblewrap(SANDBOX_UID)
    found = engine.toolchain(pack, sandbox)
    root.mkdir()
    root.chmod(0o755)
    return engine.build(pack, found, root, sandbox, lambda _: None)


def cases(kind: str) -> list[Path]:
    """The case folders of one kind."""
    return sorted(path for path in (CORPUS / kind).iterdir() if (path / "proof.thy").is_file())


def expected(case: Path) -> dict[str, str]:
    """What a case says: the problem it answers, and for some the verdict, the reason and what is told to do.

    `why` stands where another verdict could be expected.
    """
    return tomllib.loads((case / "expected.toml").read_text(encoding="utf-8"))


def read(pack: Pack, case: Path, number: int) -> ProofTask | ProofResult:
    """The proof of a case as an upload would bring it, or the verdict that it gets before any prover."""
    problem = pack.problem(expected(case)["problem"])
    assert problem is not None, case
    text = canonical_text((case / "proof.thy").read_bytes())
    faults = list(text.faults)
    if text.text is None or faults:
        return ProofResult(problem.id, number, REASONS[faults[0].reason].verdict, faults[0].reason)
    split = engine.prover_of(pack).split_statement(problem, text.text)
    if isinstance(split, Finding):
        assert split.reason is not None
        return ProofResult(problem.id, number, REASONS[split.reason].verdict, split.reason)
    return ProofTask(problem.id, number, split[0])


def judged(
    environment: BuiltEnvironment, found: Sequence[Path], *, linted: bool = True, limits: Limits = LIMITS
) -> dict[str, ProofResult]:
    """All cases through one run of the engine: each must be unharmed by its neighbours."""
    pack = isabelle_pack()
    tasks, results = [], {}
    for number, case in enumerate(found):
        task = read(pack, case, number)
        if isinstance(task, ProofResult):
            results[case.name] = task
        else:
            tasks.append(task)
    for result in engine.check(environment, pack, tasks, Bubblewrap(SANDBOX_UID), limits, linted=linted):
        results[found[result.attempt].name] = result
    return results
