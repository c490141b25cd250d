"""The whole of preflight: from uploaded bytes to one report with every finding."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import BinaryIO

from verifier.core.archive_limits import UploadLimits
from verifier.core.archive_names import refused
from verifier.core.digest import digest_bytes
from verifier.core.display import shown
from verifier.core.finding import Consequence, Finding
from verifier.core.problem import Pack, SetSpec
from verifier.intake.collect import Collection, problems_wanted
from verifier.intake.layout import Slot, wrapper_of
from verifier.intake.proofs import BOM_TAKEN, CRLF_TAKEN, STATEMENT_CUT
from verifier.intake.report import Coverage, Missing, Report, SubmittedProof, grouped
from verifier.intake.sources import Source, bytes_of, source_of_bytes, source_of_path
from verifier.provers.base import Prover

Progress = Callable[[int, int], None]  # bytes read, bytes in all


def examine(  # noqa: PLR0917 (what is judged, against what, and under which limits)
    pack: Pack,
    prover: Prover,
    problem_set: SetSpec | None,
    upload: bytes | BinaryIO,
    file_name: str,
    limits: UploadLimits,
    progress: Progress | None = None,
) -> Report:
    """Read an upload (zip or JSON lines) and report on it; bad input becomes findings, never an exception.

    `progress` is told after each member and record how many bytes of how many were read. With `problem_set` None
    every active evaluation problem counts.
    """
    started = perf_counter()
    data = bytes_of(upload, limits)
    source = source_of_bytes(data, file_name, limits)
    found = _collection(pack, prover, problem_set, source, limits)
    if progress is not None:
        found.told = partial(_of_all, progress, source.size)
    return _timed(_report(found, source), started, size=len(data), sha256=digest_bytes(data))


def _of_all(progress: Progress, size: int, read: int) -> None:
    progress(read, size)


def examine_path(pack: Pack, prover: Prover, problem_set: SetSpec | None, path: Path, limits: UploadLimits) -> Report:
    """The same report for a zip, a JSONL, a folder or one proof file on this machine; OSError when unreadable.

    A folder has no digest of its own: `sha256` is empty then.
    """
    started = perf_counter()
    source = source_of_path(path, prover.extension, limits)
    report = _report(_collection(pack, prover, problem_set, source, limits), source)
    if path.is_dir():
        return _timed(report, started, size=report.inflated, sha256="")
    with path.open("rb") as file:
        data = file.read(limits.upload_bytes + 1)
    return _timed(report, started, size=len(data), sha256=digest_bytes(data))


def _timed(report: Report, started: float, *, size: int, sha256: str) -> Report:
    return replace(report, size=size, sha256=sha256, seconds=round(perf_counter() - started, 3))


def _collection(
    pack: Pack, prover: Prover, problem_set: SetSpec | None, source: Source, limits: UploadLimits
) -> Collection:
    wrapper = wrapper_of(source.names, prover.extension)
    return Collection(pack, prover, limits, problems_wanted(pack, problem_set), wrapper)


def _report(found: Collection, source: Source) -> Report:
    names = source.names
    for member in source.members():
        found.take(member)
    proofs = _ordered(found)
    findings = [*source.findings, *found.findings]
    if not proofs and not any(one.consequence is Consequence.REFUSED for one in findings):
        findings.append(_nothing_found(names, found.prover.extension))
    missing = _missing(found, proofs)
    findings += [*_missing_finding(missing), *_tidied(found, source)]
    accepted = not any(finding.consequence is Consequence.REFUSED for finding in findings)
    return Report(
        accepted,
        grouped(findings),
        proofs,
        _coverage(found, proofs),
        missing,
        found.facts,
        members=found.records if found.records and len(names) == 1 else len(names),
        inflated=source.inflated,
    )


def _ordered(found: Collection) -> tuple[SubmittedProof, ...]:
    place = {problem: number for number, problem in enumerate(found.wanted)}
    return tuple(sorted(found.proofs.values(), key=lambda proof: (place[proof.problem], proof.attempt)))


def _nothing_found(names: tuple[str, ...], extension: str) -> Finding:
    message = f"The upload holds no proof: none of its {len(names):,} files is meant for a problem of this set."
    if not names:
        message = "The upload holds no files."
    return refused("", message, f"Name files after problems, such as `1/<id>{extension}`.")


def _coverage(found: Collection, proofs: tuple[SubmittedProof, ...]) -> tuple[Coverage, ...]:
    totals = Counter(problem.category for problem in found.wanted.values())
    counts: dict[str, Counter[int]] = {category.name: Counter() for category in found.pack.categories}
    for proof in proofs:
        counts[found.wanted[proof.problem].category][proof.attempt] += 1
    return tuple(
        Coverage(name, totals[name], dict(sorted(attempts.items())))
        for name, attempts in counts.items()
        if totals[name]
    )


def _missing(found: Collection, proofs: tuple[SubmittedProof, ...]) -> tuple[Missing, ...]:
    """Attempts left out: all samples up to the highest one seen, and the greedy one if any was seen."""
    attempts_seen = {proof.attempt for proof in proofs}
    asked = [*([0] if 0 in attempts_seen else []), *range(1, max(attempts_seen, default=0) + 1)]
    missing = []
    for problem in found.wanted.values():
        attempts = tuple(attempt for attempt in asked if Slot(problem.id, attempt) not in found.proofs)
        if attempts:
            missing.append(Missing(problem.id, problem.category, attempts))
    return tuple(missing)


def _missing_finding(missing: tuple[Missing, ...]) -> list[Finding]:
    if not missing:
        return []
    counts: Counter[str] = Counter()
    for one in missing:
        counts[one.category] += len(one.attempts)
    pairs = sum(counts.values())
    where = ", ".join(f"{category} {count:,}" for category, count in counts.items())
    what = "pair of problem and attempt" if pairs == 1 else "pairs of problem and attempt"
    message = f"No proof for {pairs:,} {what} ({where})."
    return [Finding(Consequence.MISSING, message, "They count as not solved; add them or go on without.")]


def _tidied(found: Collection, source: Source) -> list[Finding]:
    findings = []
    if found.wrapper:
        findings.append(_took_off("The wrapper folder was taken off.", found.wrapper))
    if source.litter:
        message = f"{_files(len(source.litter))} that desktops leave behind taken off."
        findings.append(_took_off(message, source.litter[0]))
    for what in (BOM_TAKEN, CRLF_TAKEN, STATEMENT_CUT):
        if members := found.tidied.get(what):
            count = "1 proof" if len(members) == 1 else f"{len(members):,} proofs"
            findings.append(_took_off(f"{count} {what}.", members[0]))
    return findings


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def _took_off(message: str, member: str) -> Finding:
    return Finding(Consequence.TIDIED, message, "Nothing to do: no prover reads it.", shown(member))
