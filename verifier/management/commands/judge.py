"""`manage.py judge PACK PATH`: the verdicts of the real judge on the command line, without database or Redis."""

import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.table import Table

from verifier import engine, store
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack
from verifier.core.reason import REASONS, Reason
from verifier.core.result import ConfirmationResult, Place, ProofResult, ProofTask
from verifier.core.verdict import Verdict
from verifier.intake import Report, SubmittedProof
from verifier.management.arguments import pack_and_path, pack_named, report_of
from verifier.management.broken import PLATFORM, UNREADABLE
from verifier.provers.base import BuiltEnvironment
from verifier.sandbox.bubblewrap import Bubblewrap
from verifier.services import builds


class Command(BaseCommand):
    """Exit 0 when everything was judged whatever the verdicts, 2 for input it cannot read, 3 for our own faults."""

    help = "Check proofs (zip, folder, JSON lines or one proof file) with the real prover, as the portal would."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """The benchmark and what to check."""
        pack_and_path(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object a proof on standard output")

    def handle(self, *args: Any, pack: str, path: Path, **options: Any) -> None:
        """Judge and print; each result as soon as it is known."""
        loaded = pack_named(pack)
        sandbox = Bubblewrap(settings.COMMAND_UID)
        report = _report(loaded, path, sandbox)
        notes = Console(stderr=True, highlight=False)
        results: list[ProofResult] = []
        try:
            environment = _environment(loaded, sandbox, notes)
            looks: Counter[str] = Counter()
            for result in _judged(loaded, report, environment, sandbox, looks):
                results.append(result)
                line = json.dumps(_object(result))
                sys.stdout.write(f"{line}\n" if options["json"] else f"{_sentence(result)}\n")
                sys.stdout.flush()
        except PlatformFault as fault:
            raise CommandError(str(fault), returncode=PLATFORM) from None
        notes.print(_summary(results))
        notes.print(_second_look(looks))
        if any(result.verdict is Verdict.INTERNAL for result in results):
            raise CommandError("Some proofs could not be judged; that is the platform's fault.", returncode=PLATFORM)


def _report(pack: Pack, path: Path, sandbox: Bubblewrap) -> Report:
    try:
        prover = engine.prover_of(pack).for_release(engine.toolchain(pack, sandbox).version)
    except PlatformFault as fault:
        raise CommandError(str(fault), returncode=PLATFORM) from None
    report = report_of(path, pack, prover, None)
    if not report.accepted:
        lines = "\n".join(f"{one.member}: {one.message} {one.remedy}" for one in report.findings)
        raise CommandError(lines or "The upload was refused.", returncode=UNREADABLE)
    return report


def _environment(pack: Pack, sandbox: Bubblewrap, notes: Console) -> BuiltEnvironment:
    """The environment, built on first use into the data folder."""
    wanted = builds.wanted(pack, sandbox)
    present = store.load(builds.folder(), wanted.digest)
    if present is not None:
        return present
    notes.print(f"Building the environment of {pack.slug} once, into {builds.folder()}")
    return store.save(
        builds.folder(),
        wanted.digest,
        lambda empty: engine.build(pack, wanted.toolchain, empty, sandbox, notes.print),
    )


def _judged(
    pack: Pack, report: Report, environment: BuiltEnvironment, sandbox: Bubblewrap, looks: Counter[str]
) -> Iterable[ProofResult]:
    """Results as they are known: what was proved waits for the second look, whose outcomes are counted in `looks`."""
    cut = {(proof.problem, proof.attempt): proof.lines_cut for proof in report.proofs}
    yield from (_refused(proof) for proof in report.proofs if proof.reason is not None)
    tasks = [ProofTask(proof.problem, proof.attempt, proof.text) for proof in report.proofs if proof.reason is None]
    proved: dict[tuple[str, int], ProofResult] = {}
    for result in engine.check(environment, pack, tasks, sandbox, pack.limits):
        if result.verdict is Verdict.PROVED:
            proved[result.problem, result.attempt] = result
        else:
            yield _moved(result, cut[result.problem, result.attempt])
    again = [task for task in tasks if (task.problem, task.attempt) in proved]
    for look in engine.confirm(environment, pack, again, sandbox, pack.limits):
        looks[str(look.agreed)] += 1
        yield _confirmed(proved[look.problem, look.attempt], look)


def _confirmed(result: ProofResult, look: ConfirmationResult) -> ProofResult:
    """What stands after the second look, as on the portal: a look that could not be made takes nothing back."""
    if look.agreed is not False:
        return result
    reason = look.reason or Reason.CONFIRMATION_DISAGREED
    return replace(result, verdict=REASONS[reason].verdict, reason=reason, message=look.message, evidence={})


def _refused(proof: SubmittedProof) -> ProofResult:
    assert proof.reason is not None
    place, message = None, ""
    if proof.finding is not None:
        place = None if proof.finding.line is None else Place(proof.finding.line, proof.finding.column or 1)
        message = f"{proof.finding.message} {proof.finding.remedy}"
    verdict = REASONS[proof.reason].verdict
    return ProofResult(proof.problem, proof.attempt, verdict, proof.reason, message=message, place=place)


def _moved(result: ProofResult, lines: int) -> ProofResult:
    """The result with its place counted in the uploaded file, statement included."""
    if result.place is None or lines == 0:
        return result
    return replace(result, place=Place(result.place.line + lines, result.place.column))


def _object(result: ProofResult) -> dict[str, object]:
    return {
        "problem": result.problem,
        "attempt": result.attempt,
        "verdict": str(result.verdict),
        "reason": None if result.reason is None else str(result.reason),
        "class": None if result.error_class is None else str(result.error_class),
        "message": result.message,
        "line": None if result.place is None else result.place.line,
        "wall_ms": result.wall_ms,
        "cpu_ms": result.cpu_ms,
    }


def _sentence(result: ProofResult) -> str:
    where = "" if result.place is None else f", line {result.place.line}"
    why = "" if result.reason is None else f": {REASONS[result.reason].sentence}{where}"
    return f"{result.problem} (attempt {result.attempt}) {result.verdict}{why}"


def _second_look(looks: Counter[str]) -> str:
    text = f"A second look in fresh processes confirmed {looks['True']:,} of {looks.total():,} proved proofs."
    return f"{text} It could not be made for {looks['None']:,}." if looks["None"] else text


def _summary(results: list[ProofResult]) -> Table:
    table = Table("verdict", "reason", "proofs", title=f"{len(results)} proof{'' if len(results) == 1 else 's'} judged")
    counts = Counter((str(result.verdict), str(result.reason or "")) for result in results)
    for (verdict, reason), count in sorted(counts.items()):
        table.add_row(verdict, reason, str(count))
    return table
