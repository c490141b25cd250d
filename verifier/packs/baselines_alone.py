"""A pack without problems: a benchmark that its host has still to extract, with what was published about it.

Sources of a verified project are often not for everybody to hand on. Its name, rules and reported figures are, so
they can stand here before a host builds the benchmark from its own copy.
"""

from typing import Any, Final

from verifier.core.limits import Limits
from verifier.core.problem import Category, Pack, ProofVisibility
from verifier.packs.baselines import BASELINES, baselines_read
from verifier.packs.folder import Folder, table_read
from verifier.packs.identity import pack_digest
from verifier.packs.manifest import MANIFEST, check_heading, limits_of
from verifier.packs.report import Report, named, nearest
from verifier.packs.schema import ReportedFile

PROVERS: Final = ("isabelle", "lean", "rocq")  # also those that no adapter is there for: nothing is checked here
_ABSENT: Final = ("theories", "problems", "sets", "selftest")


def is_reported(values: dict[str, Any] | None) -> bool:
    """Whether a manifest says that the pack holds reported figures alone."""
    return values is not None and values.get("status") == "reported"


def reported_pack(folder: Folder, values: dict[str, Any], report: Report) -> Pack:
    """The pack; raises InputFault with every finding, also for files that only a pack with problems has."""
    file = table_read(MANIFEST, values, ReportedFile, report)
    for name in _ABSENT:
        for member in folder.under(name)[:1]:
            message = 'a pack with `status = "reported"` holds no problems'
            report.add(member, message, f"Take {name}/ away, or take `status` out of {MANIFEST} and fill it in.")
    if BASELINES not in folder.files:
        report.add("", f"no file {BASELINES}", "Add it; reported figures are all that such a pack holds.")
    if file is not None:
        check_heading(file, report)
        if file.prover not in PROVERS:
            guess = nearest(file.prover, PROVERS)
            remedy = f"Write `{guess}`." if guess else f"Write one of {named(PROVERS)}."
            report.add(MANIFEST, f"prover `{file.prover}` is not known", remedy, at=("prover",))
    baselines = baselines_read(folder, [category.name for category in file.categories] if file else [], report)
    report.raise_if_any()
    if file is None:
        raise AssertionError("a manifest that is no table has a finding")
    limits = limits_of(file.limits, Limits())
    return Pack(
        slug=folder.root.name,
        root=folder.root,
        title=file.title,
        summary=file.summary,
        prover=file.prover,
        toolchain="",
        licence=file.licence,
        citation=file.citation,
        limits=limits,
        selftest_limits=limits,
        categories=tuple(Category(category.name, category.meaning) for category in file.categories),
        k_values=tuple(file.k_values),
        primary_metric=file.primary_metric,
        proofs=ProofVisibility.TEAM,
        problems=(),
        sets=(),
        selftests=(),
        units=(),
        digest=pack_digest(prover=file.prover, toolchain="", limits=limits, problems=(), sources={}),
        homepage=file.homepage,
        baselines=tuple(baselines),
        reported_only=True,
    )
