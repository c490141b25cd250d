"""A pack made of Rocq files in a folder, as values: what the judge's own tests and benchmarks run on."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from verifier.core.limits import Limits
from verifier.core.problem import Category, Pack, ProblemSpec, ProofVisibility
from verifier.core.rocq import lemmas

ROOT = Path(__file__).parent / "minipack"
LIMITS = Limits(wall_seconds=5.0, memory_bytes=2 * 2**30, output_bytes=256 * 1024)


def small_pack(
    root: Path = ROOT,
    units: Sequence[str] = ("Trees",),
    *,
    limits: Limits = LIMITS,
    permitted: Mapping[str, tuple[str, ...]] | None = None,
) -> Pack:
    """Every lemma of the folder's files is a problem under its own name; `permitted` names the axioms of some."""
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
            permitted_axioms=(permitted or {}).get(lemma.name, ()),
        )
        for unit in units
        for lemma in lemmas((root / "theories" / f"{unit}.v").read_text(encoding="utf-8"))
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
        limits=limits,
        selftest_limits=limits,
        categories=(Category("P2", "short"),),
        k_values=(1, 5),
        primary_metric="acc1",
        proofs=ProofVisibility.CHOICE,
        problems=problems,
        sets=(),
        selftests=(),
        units=tuple(units),
        digest="0" * 64,
    )


def written_pack(
    root: Path,
    sources: Mapping[str, str],
    *,
    limits: Limits = LIMITS,
    permitted: Mapping[str, tuple[str, ...]] | None = None,
) -> Pack:
    """The same of files that are written into `root` first, in the order of `sources`."""
    (root / "theories").mkdir(exist_ok=True)
    for unit, source in sources.items():
        (root / "theories" / f"{unit}.v").write_text(source, encoding="utf-8")
    return small_pack(root, tuple(sources), limits=limits, permitted=permitted)
