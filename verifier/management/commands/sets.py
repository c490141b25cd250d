"""`manage.py sets freeze|table`: evaluation sets of a pack, and the lines of the paper's Table 1 for it."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.table import Table

from verifier.core.errors import InputFault, PlatformFault
from verifier.core.problem import Pack
from verifier.extract.freeze import Frozen, freeze, table_object
from verifier.management.broken import lines_of
from verifier.packs import load_provable
from verifier.packs.export import current_set
from verifier.sandbox.bubblewrap import Bubblewrap
from verifier.services import builds


class Command(BaseCommand):
    """Exit 1 with findings when the pack or the wish is wrong."""

    help = "Draw and freeze evaluation sets of a benchmark, and count what became of its lemmas."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Subcommands with their arguments."""
        commands = parser.add_subparsers(dest="action", required=True, parser_class=argparse.ArgumentParser)
        draw = commands.add_parser("freeze", help="write a seeded, stratified set and make it the current one")
        draw.add_argument("pack", metavar="PACK", help="slug under SELEN_PACKS_DIR, or a folder")
        draw.add_argument("--seed", type=int, required=True, help="the same seed draws the same problems")
        draw.add_argument("--size", type=int, required=True, help="how many problems are drawn")
        draw.add_argument("--name", help="the set's name; seed-<seed>-<size> by default")
        counts = commands.add_parser("table", help="the lines of the paper's Table 1 for the current set")
        counts.add_argument("pack", metavar="PACK", help="slug under SELEN_PACKS_DIR, or a folder")
        counts.add_argument("--json", action="store_true", help="as one JSON object")

    def handle(self, *, action: str, pack: str, **options: Any) -> None:
        """Run one subcommand."""
        try:
            loaded = load_provable(pack, settings.PACKS_DIR)
            if action == "freeze":
                self._freeze(loaded, options["seed"], options["size"], options["name"])
            else:
                self._table(loaded, as_json=options["json"])
        except InputFault as fault:
            self.stdout.write(lines_of(pack, fault))
            sys.exit(1)

    def _freeze(self, pack: Pack, seed: int, size: int, name: str | None) -> None:
        refused = _refused(pack)
        frozen = freeze(pack, seed=seed, size=size, name=name or f"seed-{seed}-{size}", refused=refused or ())
        before = {path: _present(pack.root / path) for path in frozen.files}
        try:
            for path, text in frozen.files.items():
                (pack.root / path).write_text(text, encoding="utf-8")
            load_provable(str(pack.root), settings.PACKS_DIR)
        except (InputFault, OSError) as error:
            for path, data in before.items():
                _restore(pack.root / path, data)
            if isinstance(error, OSError):
                raise CommandError(f"The set cannot be written: {error.strerror}.") from error
            raise
        self.stdout.write(_told(pack, frozen, built=refused is not None))

    def _table(self, pack: Pack, *, as_json: bool) -> None:
        found = table_object(pack, current_set(pack), _refused(pack))
        if as_json:
            self.stdout.write(json.dumps(found, indent=2))
            return
        counts = found["lines"]
        shown = Table(title=f"{pack.slug}, set {pack.current_set}")
        shown.add_column("")
        columns = next(iter(counts.values()))
        for heading in columns:
            shown.add_column(heading, justify="right")
        for line, row in counts.items():
            shown.add_row(line, *("not built" if value is None else f"{value:,}" for value in row.values()))
        Console(file=sys.stdout, highlight=False).print(shown)


def _refused(pack: Pack) -> dict[str, str] | None:
    """Problems whose ground truth the environment refused, with the reason; None where none is built here."""
    try:
        return dict(builds.built(pack, Bubblewrap(settings.COMMAND_UID)).refused)
    except PlatformFault:
        return None


def _present(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _restore(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(data)


def _told(pack: Pack, frozen: Frozen, *, built: bool) -> str:
    lines = [f"{pack.slug}: set {frozen.name}, {len(frozen.members):,} problems, digest {frozen.digest}"]
    lines.append("  drawn: " + ", ".join(f"{category} {count:,}" for category, count in frozen.drawn.items()))
    if not built:
        lines.append("  the environment is not built here: build it first, so that what fails is left out")
    lines += [
        f"  near-duplicate: {pair.problem} of demonstration {pair.demonstration}, likeness {pair.likeness:.3f}"
        for pair in frozen.near
    ]
    plural = "" if len(frozen.near) == 1 else "s"
    lines.append(f"  {len(frozen.near):,} near-duplicate{plural} across demonstrations and the set")
    return "\n".join(lines)
