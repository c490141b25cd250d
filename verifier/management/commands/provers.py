"""`manage.py provers`: which provers can judge on this host, and what to do about the others."""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from rich.console import Console
from rich.table import Table

from verifier.core.errors import PlatformFault
from verifier.provers import REGISTRY
from verifier.provers.base import Prover, Unavailable
from verifier.sandbox.bubblewrap import Bubblewrap


class Command(BaseCommand):
    """Exit 0 always: a missing prover is an answer."""

    help = "List the provers this host can judge with, their releases, or why not and what to do."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """How to print."""
        parser.add_argument("--json", action="store_true", help="print one JSON array")

    def handle(self, *args: Any, **options: Any) -> None:
        """Probe every prover in the sandbox that would judge."""
        rows = [_row(prover) for prover in REGISTRY.values()]
        if options["json"]:
            self.stdout.write(json.dumps(rows, indent=2))
            return
        table = Table("prover", "available", "release", "remark", title="Provers on this host")
        for row in rows:
            remark = f"{row['reason']} {row['remedy']}".strip() or (
                "tried" if row["tried"] else "not tried with it yet"
            )
            table.add_row(str(row["title"]), "yes" if row["available"] else "no", str(row["version"]), remark)
        Console(highlight=False).print(table)


def _row(prover: Prover) -> dict[str, object]:
    row: dict[str, object] = {
        "name": prover.name,
        "title": prover.title,
        "available": False,
        "version": "",
        "tried": False,
        "reason": "",
        "remedy": "",
        "faults": [],
    }
    try:
        found = prover.probe(Bubblewrap(settings.COMMAND_UID).run)
    except PlatformFault as fault:
        return {**row, "reason": str(fault)}
    if isinstance(found, Unavailable):
        return {**row, "reason": found.reason, "remedy": found.remedy}
    faults = [fault.issue for fault in found.faults]
    return {
        **row,
        "title": found.name,
        "available": True,
        "version": found.version,
        "tried": found.tried,
        "faults": faults,
    }
