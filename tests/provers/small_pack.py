"""A pack of one small file, as values: what the judge's own tests run on."""

from pathlib import Path

from verifier.core.limits import Limits
from verifier.core.problem import Category, Pack, ProblemSpec, ProofVisibility
from verifier.core.rocq import lemmas

ROOT = Path(__file__).parent / "minipack"
LIMITS = Limits(wall_seconds=5.0, memory_bytes=2 * 2**30, output_bytes=256 * 1024)


def small_pack(root: Path = ROOT, unit: str = "Trees") -> Pack:
    """The pack in a folder; every lemma of its one file is a problem under its own name."""
    source = (root / "theories" / f"{unit}.v").read_text(encoding="utf-8")
    problems = tuple(
        ProblemSpec(
            id=lemma.name,
            revision=1,
            category="P2",
            unit=unit,
            lemma=lemma.name,
            statement=lemma.statement,
            position=lemma.index,
            scope=lemma.scope,
            ground_truth=lemma.proof,
        )
        for lemma in lemmas(source)
    )
    return Pack(
        slug="small",
        root=root,
        title="Small",
        summary="For tests.",
        prover="rocq",
        toolchain=">=8.16",
        licence="MIT",
        citation="-",
        limits=LIMITS,
        selftest_limits=LIMITS,
        categories=(Category("P2", "short"),),
        k_values=(1,),
        primary_metric="acc1",
        proofs=ProofVisibility.CHOICE,
        problems=problems,
        sets=(),
        selftests=(),
        units=(unit,),
        digest="0" * 64,
    )
