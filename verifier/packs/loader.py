"""From a folder to a Pack: everything is read, everything wrong is told at once, nothing half right comes back."""

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding
from verifier.core.limits import Limits
from verifier.core.problem import Baseline, Category, Pack, ProblemSpec, ProofVisibility, SelfTest, SetSpec
from verifier.packs.baselines import baselines_read
from verifier.packs.baselines_alone import is_reported, reported_pack
from verifier.packs.companions import selftests_read, sets_read
from verifier.packs.folder import Folder, folder_read, table_read, toml_read, toml_values
from verifier.packs.identity import pack_digest
from verifier.packs.manifest import MANIFEST, check_heading, limits_of
from verifier.packs.problems import Theories, problems_read, theories_read
from verifier.packs.report import Report, named, nearest
from verifier.packs.schema import SLUG, PackFile, ProblemsFile, SetFile
from verifier.packs.theories import SOURCES, Source

SELFTEST_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class _Parts:
    """What was read beside the manifest, all of it sound."""

    theories: Theories
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
    values = toml_values(folder, MANIFEST, report) if MANIFEST in folder.files else None
    if values is not None and is_reported(values):
        return reported_pack(folder, values, report)
    file = table_read(MANIFEST, values, PackFile, report) if values is not None else None
    source = _source(file, report) if file else None
    if file is None or source is None:
        _read_the_rest(folder, report)
        report.raise_if_any()
        raise AssertionError("a pack without manifest has a finding")
    check_heading(file, report)
    _check_dates(file, report)
    theories = theories_read(folder, file, source, report)
    problems = problems_read(folder, file, theories.by_unit, report)
    sets = sets_read(folder, file, problems, report)
    selftests = selftests_read(folder, source, problems, report)
    baselines = baselines_read(folder, [category.name for category in file.categories], report)
    report.raise_if_any()
    parts = _Parts(theories, tuple(problems.by_id.values()), tuple(sets), tuple(selftests), tuple(baselines))
    return _pack(folder, file, parts)


def load_provable(slug_or_path: str | Path, packs_dir: Path) -> Pack:
    """As `load_pack`, for whoever wants to check proofs; a pack of reported figures alone is one more InputFault."""
    pack = load_pack(slug_or_path, packs_dir)
    if pack.reported_only:
        remedy = "Its host has to extract the problems from the sources first (docs/packs.md)."
        raise InputFault([Finding(Consequence.REFUSED, "reported figures alone, no problems", remedy, member=MANIFEST)])
    return pack


def _root(slug_or_path: str | Path, packs_dir: Path) -> Path:
    """The pack's folder, made absolute; a name without a separator is a slug first and a folder after."""
    folder = Path(slug_or_path)
    by_slug = [packs_dir / folder] if os.sep not in str(slug_or_path) else []
    for root in (*by_slug, folder):
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


def _check_dates(file: PackFile, report: Report) -> None:
    if file.opens and file.closes and file.opens >= file.closes:
        report.add(MANIFEST, "`closes` is not after `opens`", "Write a later date and time.", at=("closes",))


def _pack(folder: Folder, file: PackFile, parts: _Parts) -> Pack:
    limits = limits_of(file.limits, Limits())
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
        selftest_limits=limits_of(file.selftest, replace(limits, wall_seconds=SELFTEST_SECONDS)),
        categories=tuple(Category(category.name, category.meaning) for category in file.categories),
        k_values=tuple(file.k_values),
        primary_metric=file.primary_metric,
        proofs=ProofVisibility(file.proofs),
        problems=parts.problems,
        sets=parts.sets,
        selftests=parts.selftests,
        units=tuple(parts.theories.by_unit),
        digest=pack_digest(
            prover=file.prover, toolchain=file.toolchain, limits=limits, problems=parts.problems, sources=sources
        ),
        daily_quota=file.daily_quota,
        opens=file.opens,
        closes=file.closes,
        homepage=file.homepage,
        current_set=file.current_set,
        baselines=parts.baselines,
        for_teams=file.edition == "team",
        variables=dict(file.variables),
        proof_dependencies=file.proof_dependencies,
        skipped_proofs=file.skipped_proofs,
        files=parts.theories.files,
        commands=parts.theories.commands,
    )
