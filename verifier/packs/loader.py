"""From a folder to a Pack: everything is read, everything wrong is told at once, nothing half right comes back."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding
from verifier.core.limits import Limits
from verifier.core.problem import Baseline, Category, Pack, ProblemSpec, ProofVisibility, SelfTest, SetSpec
from verifier.packs.companions import baselines_read, selftests_read, sets_read
from verifier.packs.folder import Folder, folder_read, toml_read
from verifier.packs.identity import pack_digest
from verifier.packs.problems import problems_read, theories_read
from verifier.packs.report import Report, named, nearest
from verifier.packs.schema import SLUG, LimitsTable, PackFile, ProblemsFile, SetFile
from verifier.packs.theories import SOURCES, Source

MANIFEST: Final = "pack.toml"
SELFTEST_SECONDS: Final = 5.0
_MIB, _KIB = 2**20, 2**10


@dataclass(frozen=True, slots=True)
class _Parts:
    """What was read beside the manifest, all of it sound."""

    units: tuple[str, ...]
    problems: tuple[ProblemSpec, ...]
    sets: tuple[SetSpec, ...]
    selftests: tuple[SelfTest, ...]
    baselines: tuple[Baseline, ...]


def packs_found(packs_dir: Path) -> list[str]:
    """Slugs of the folders that hold a pack, sorted."""
    return sorted(path.parent.name for path in packs_dir.glob(f"*/{MANIFEST}"))


def load_pack(slug_or_path: str | Path, packs_dir: Path) -> Pack:
    """The pack with this slug under `packs_dir`, or in this folder.

    Raises InputFault with every finding, each with file (relative to the pack), line and what to write instead.
    """
    root = _root(slug_or_path, packs_dir)
    report = Report()
    folder = folder_read(root, report)
    if not re.fullmatch(SLUG, root.name) or len(root.name) > 50:
        remedy = "Rename the folder: lower-case letters, digits and `-`, starting with a letter, at most 50."
        report.add("", f"`{root.name}` is no slug", remedy)
    file = toml_read(folder, MANIFEST, PackFile, report) if MANIFEST in folder.files else None
    source = _source(file, report) if file else None
    if file is None or source is None:
        _read_the_rest(folder, report)
        report.raise_if_any()
        raise AssertionError("a pack without manifest has a finding")
    _check_manifest(file, report)
    theories = theories_read(folder, file, source, report)
    problems = problems_read(folder, file, theories, report)
    sets = sets_read(folder, file, problems, report)
    selftests = selftests_read(folder, source, problems, report)
    baselines = baselines_read(folder, [category.name for category in file.categories], report)
    report.raise_if_any()
    parts = _Parts(tuple(theories), tuple(problems.by_id.values()), tuple(sets), tuple(selftests), tuple(baselines))
    return _pack(folder, file, parts)


def _root(slug_or_path: str | Path, packs_dir: Path) -> Path:
    """The pack's folder, made absolute; a name without a separator is a slug first and a folder after."""
    by_slug = packs_dir / slug_or_path
    for root in (by_slug, Path(slug_or_path)):
        if (root / MANIFEST).is_file() and not (root / MANIFEST).is_symlink():
            return root.resolve()
    known = packs_found(packs_dir)
    guess = nearest(str(slug_or_path), known)
    remedy = f"Write `{guess}`." if guess else f"Write a folder that holds a {MANIFEST}, or one of {named(known)}."
    message = f"no {MANIFEST} of a pack here"
    raise InputFault([Finding(Consequence.REFUSED, message, remedy, member=str(slug_or_path))])


def _read_the_rest(folder: Folder, report: Report) -> None:
    """Findings of the other files where the manifest does not say what they belong to."""
    for member in folder.under("problems"):
        toml_read(folder, member, ProblemsFile, report)
    for member in folder.under("sets"):
        toml_read(folder, member, SetFile, report)


def _source(file: PackFile, report: Report) -> Source | None:
    if file.prover not in SOURCES:
        guess = nearest(file.prover, SOURCES)
        remedy = f"Write `{guess}`." if guess else f"Write one of {named(list(SOURCES))}."
        report.add(MANIFEST, f"prover `{file.prover}` is not known", remedy, at=("prover",))
    return SOURCES.get(file.prover)


def _check_manifest(file: PackFile, report: Report) -> None:
    metric = int(file.primary_metric.removeprefix("acc"))
    if metric not in file.k_values:
        remedy = f"Write one of {named([f'acc{k}' for k in file.k_values])}, or add {metric} to `k_values`."
        report.add(MANIFEST, f"`{file.primary_metric}` is no metric of this pack", remedy, at=("primary_metric",))
    if file.opens and file.closes and file.opens >= file.closes:
        report.add(MANIFEST, "`closes` is not after `opens`", "Write a later date and time.", at=("closes",))
    seen: set[str] = set()
    for number, category in enumerate(file.categories):
        if category.name.lower() in seen or category.name.lower() == "all":
            message = f"category `{category.name}` is taken; `all` stands for all problems"
            report.add(MANIFEST, message, "Choose another name.", at=("categories", number, "name"))
        seen.add(category.name.lower())


def _limits(table: LimitsTable, base: Limits) -> Limits:
    """`base` with what the table says."""
    return replace(
        base,
        wall_seconds=base.wall_seconds if table.wall_seconds is None else float(table.wall_seconds),
        memory_bytes=base.memory_bytes if table.memory_mb is None else table.memory_mb * _MIB,
        output_bytes=base.output_bytes if table.output_kb is None else table.output_kb * _KIB,
        tokens=base.tokens if table.tokens is None else table.tokens,
        proof_bytes=base.proof_bytes if table.proof_kb is None else table.proof_kb * _KIB,
    )


def _pack(folder: Folder, file: PackFile, parts: _Parts) -> Pack:
    limits = _limits(file.limits, Limits())
    sources = {path: (folder.root / path).read_bytes() for path in folder.under("theories")}
    return Pack(
        slug=folder.root.name,
        root=folder.root,
        title=file.title,
        summary=file.summary,
        prover=file.prover,
        toolchain=file.toolchain,
        licence=file.licence,
        citation=file.citation,
        limits=limits,
        selftest_limits=_limits(file.selftest, replace(limits, wall_seconds=SELFTEST_SECONDS)),
        categories=tuple(Category(category.name, category.meaning) for category in file.categories),
        k_values=tuple(file.k_values),
        primary_metric=file.primary_metric,
        proofs=ProofVisibility(file.proofs),
        problems=parts.problems,
        sets=parts.sets,
        selftests=parts.selftests,
        units=parts.units,
        digest=pack_digest(
            prover=file.prover, toolchain=file.toolchain, limits=limits, problems=parts.problems, sources=sources
        ),
        daily_quota=file.daily_quota,
        opens=file.opens,
        closes=file.closes,
        homepage=file.homepage,
        current_set=file.current_set,
        baselines=parts.baselines,
    )
