"""`manage.py preflight PACK PATH`: the report that an upload would get, on the command line and without a database."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from verifier.core.display import shown
from verifier.core.finding import Consequence, Finding
from verifier.core.problem import Pack, SetSpec
from verifier.intake import Report
from verifier.management.arguments import pack_and_path, pack_named, report_of
from verifier.management.broken import UNREADABLE
from verifier.provers import REGISTRY

HEADINGS = {
    Consequence.REFUSED: "refused: nothing of this upload would be kept",
    Consequence.REJECTED: "findings in {proofs} that will be rejected: they count as failed, class other",
    Consequence.FAILING: "unfinished: the prover judges them and will not accept them",
    Consequence.MISSING: "missing: they count as not solved",
    Consequence.IGNORED: "ignored: left out",
    Consequence.TIDIED: "tidied: nothing that a prover reads was changed",
}


class Command(BaseCommand):
    """Exit 0 when the upload would be accepted, 1 when it would be refused, 2 when PACK or PATH cannot be read."""

    help = "Examine proofs (zip, folder, JSON lines or one proof file) as an upload to a benchmark would be."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """The benchmark and what to examine."""
        pack_and_path(parser)
        parser.add_argument("--json", action="store_true", help="print the report as JSON")
        parser.add_argument("--set", metavar="NAME", default="", help="problem set; all active problems without it")

    def handle(self, *args: Any, pack: str, path: Path, **options: Any) -> None:
        """Print the report and end with the code that says whether it was accepted."""
        loaded = pack_named(pack)
        report = report_of(path, loaded, REGISTRY[loaded.prover], _chosen_set(loaded, options["set"]))
        if options["json"]:
            self.stdout.write(json.dumps(report.to_json(), indent=2))
        else:
            console = Console(highlight=False)
            with console.capture() as printed:
                _print(report, console)
            self.stdout.write(printed.get())
        if not report.accepted:
            raise SystemExit(1)


def _chosen_set(pack: Pack, name: str) -> SetSpec | None:
    if not name:
        return None
    found = next((one for one in pack.sets if one.name == name), None)
    if found is None:
        known = ", ".join(one.name for one in pack.sets) or "none"
        raise CommandError(f"The pack has no set {shown(name)}; its sets are: {known}.", returncode=UNREADABLE)
    return found


def _print(report: Report, console: Console) -> None:
    for consequence, heading in HEADINGS.items():
        found = [finding for finding in report.findings if finding.consequence is consequence]
        if found:
            proofs = "1 proof" if report.rejected == 1 else f"{report.rejected:,} proofs"
            console.print(f"\n[bold]{len(found):,} {heading.format(proofs=proofs)}[/]")
            _print_findings(found, console)
    if report.coverage and report.proofs:
        console.print()
        console.print(_coverage_table(report))
    going = len(report.proofs) - report.rejected
    verdict = "accepted" if report.accepted else "refused"
    console.print(
        f"\n[bold]{verdict}[/]: {going:,} for the prover, {report.rejected:,} count as rejected; "
        f"{report.members:,} files, {report.inflated / 1e6:,.2f} MB, read in {report.seconds:.2f} s",
        soft_wrap=True,
    )


def _print_findings(findings: Iterable[Finding], console: Console) -> None:
    for finding in findings:
        line = f", line {finding.line}" if finding.line else ""
        column = f", column {finding.column}" if finding.column else ""
        where = f"{finding.member}{line}{column}: " if finding.member else ""
        console.print(f"  {escape(where + finding.message)} [dim]{escape(finding.remedy)}[/]", soft_wrap=True)


def _coverage_table(report: Report) -> Table:
    table = Table("Category", title="Proofs found", title_justify="left")
    for attempt in report.attempts:
        table.add_column("greedy 0" if attempt == 0 else str(attempt), justify="right")
    table.add_column("n", justify="right")
    for row in report.coverage:
        counts = [f"{row.found.get(attempt, 0):,}" for attempt in report.attempts]
        table.add_row(escape(row.category), *counts, f"{row.total:,}")
    return table
