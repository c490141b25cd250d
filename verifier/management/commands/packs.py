"""`manage.py packs check|sync|build|selftest|export`: benchmarks from their folders (docs/packs.md)."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO, cast

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, ProgrammingError
from rich.console import Console

from verifier import engine
from verifier.core.errors import InputFault, PlatformFault
from verifier.core.problem import Pack, Split
from verifier.management import selftests
from verifier.management.broken import PLATFORM, lines_of
from verifier.packs import load_pack, load_provable, packs_found
from verifier.packs.export import problem_ids, team_archive
from verifier.sandbox.bubblewrap import Bubblewrap
from verifier.selectors import uses
from verifier.services import builds, pack_sync

PACK_HELP = "slug under SELEN_PACKS_DIR, or a folder"


class Command(BaseCommand):
    """One subcommand a method; every finding goes to standard output, exit 1 when there is one."""

    help = "Check, mirror, build, try and export benchmarks."
    requires_system_checks: list[str] = []  # noqa: RUF012 (Django's own name and type)

    def add_arguments(self, parser: CommandParser) -> None:
        """Subcommands with their arguments."""
        commands = parser.add_subparsers(dest="action", required=True, parser_class=argparse.ArgumentParser)
        for name, says in (("check", "print every finding"), ("sync", "mirror packs into the database")):
            one = commands.add_parser(name, help=says)
            one.add_argument("packs", nargs="*", metavar="PACK", help=f"{PACK_HELP}; all packs by default")
        build = commands.add_parser("build", help="build the environment that proofs are checked in")
        build.add_argument("pack", metavar="PACK", help=PACK_HELP)
        how = build.add_mutually_exclusive_group()
        how.add_argument("--if-needed", action="store_true", help="keep an environment of the same recipe")
        how.add_argument(
            "--from", dest="source", type=Path, metavar="FOLDER", help="take over one that another host built"
        )
        selftest = commands.add_parser("selftest", help="run the pack's self-tests through the real engine")
        selftest.add_argument("pack", metavar="PACK", help=PACK_HELP)
        export = commands.add_parser("export", help="write the archive for teams")
        export.add_argument("pack", metavar="PACK", help=PACK_HELP)
        what = export.add_mutually_exclusive_group(required=True)
        what.add_argument("--out", type=Path, metavar="FILE", help="where the archive goes")
        export.add_argument(
            "--isolated",
            metavar="PROBLEM",
            help="write the sources in which this problem stands alone, for the host only",
        )
        what.add_argument("--ids", action="store_true", help="print the ids of the current set, one a line")

    def handle(self, *, action: str, **options: Any) -> None:
        """Run one subcommand; faults of the input and of the platform become messages and exit codes."""
        try:
            getattr(self, action)(**options)
        except PlatformFault as fault:
            raise CommandError(str(fault), returncode=PLATFORM) from fault

    def check(self, *, packs: list[str], **_: Any) -> None:  # type: ignore[override]
        """Load every pack and say what is wrong, or what is in it."""
        faulty = False
        for name in self._names(packs):
            pack = self._load(name)
            faulty |= pack is None
            if pack:
                self._describe(pack)
        if faulty:
            sys.exit(1)

    def sync(self, *, packs: list[str], **_: Any) -> None:
        """Mirror packs; each is all or nothing."""
        faulty = False
        for name in self._names(packs):
            pack = self._load(name)
            try:
                report = pack_sync(pack=pack) if pack else None
            except InputFault as fault:
                self._findings(name, fault)
                report = None
            except (OperationalError, ProgrammingError) as error:
                raise CommandError(f"The database does not answer ({error}). Run manage.py migrate first.") from error
            faulty |= report is None
            if report:
                self.stdout.write(f"{report.slug}: {'; '.join(report.notes) or 'nothing to do'}")
        if faulty:
            sys.exit(1)

    def build(self, *, pack: str, if_needed: bool, source: Path | None, **_: Any) -> None:
        """Build the environment, or take over another host's, and note it in the database where there is one."""
        loaded = self._required(pack)
        if source is None:
            builds.build(loaded, Bubblewrap(settings.COMMAND_UID), say=self._say, if_needed=if_needed)
        else:
            builds.adopt(loaded, source.resolve(), Bubblewrap(settings.COMMAND_UID), say=self._say)

    def selftest(self, *, pack: str, **_: Any) -> None:
        """Run self-tests and demonstrations; exit 1 on any other verdict than the expected one."""
        loaded, sandbox = self._required(pack), Bubblewrap(settings.COMMAND_UID)
        seen = selftests.run(loaded, builds.built(loaded, sandbox), sandbox)
        Console(file=cast("TextIO", self.stdout)).print(selftests.table(loaded, seen))
        unexpected = [one for one in seen if not one.good]
        for one in unexpected:
            self.stdout.write(selftests.complaint(one))
        self.stdout.write(f"{len(seen)} cases, {len(unexpected)} unexpected")
        if unexpected:
            sys.exit(1)

    def export(self, *, pack: str, out: Path | None, ids: bool, isolated: str | None, **_: Any) -> None:
        """Write the archive for teams or the isolated sources of one problem, or print problem ids."""
        loaded = self._required(pack)
        if out and isolated is not None:
            self._isolate(loaded, isolated, out)
        elif ids:
            self.stdout.write("\n".join(problem_ids(loaded)))
        elif out:
            data = team_archive(loaded, uses(loaded))
            try:
                out.write_bytes(data)
            except OSError as error:
                raise CommandError(f"{out} cannot be written: {error.strerror}.") from error
            self.stdout.write(f"{out}: {len(data):,} bytes, {len(problem_ids(loaded))} problems of {loaded.slug}")

    def _isolate(self, pack: Pack, name: str, out: Path) -> None:
        problem = pack.problem(name)
        if problem is None:
            raise CommandError(
                f"{pack.slug} has no problem {name}. manage.py packs export {pack.slug} --ids lists them."
            )
        files = engine.prover_of(pack).isolated(pack, problem, problem.ground_truth)
        if not files:
            raise CommandError(f"{pack.prover} has no form in which a problem stands alone.")
        for path, text in files.items():
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            (out / path).write_text(text, encoding="utf-8")
        self.stdout.write(f"{out}: {len(files)} files. They hold proofs of the host; teams must not get them.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def _names(self, packs: list[str]) -> list[str]:
        names = packs or packs_found(settings.PACKS_DIR)
        if not names:
            raise CommandError(f"{settings.PACKS_DIR} holds no pack. Set SELEN_PACKS_DIR or name a folder.")
        return names

    def _load(self, name: str, load: Callable[[str, Path], Pack] = load_pack) -> Pack | None:
        """The pack, or None when its findings were printed."""
        try:
            return load(name, settings.PACKS_DIR)
        except InputFault as fault:
            self._findings(name, fault)
            return None

    def _required(self, name: str) -> Pack:
        pack = self._load(name, load_provable)
        if pack is None:
            sys.exit(1)
        return pack

    def _findings(self, name: str, fault: InputFault) -> None:
        self.stdout.write(lines_of(name, fault))
        self.stdout.write(f"{name}: {len(fault.findings)} finding{'s' if len(fault.findings) > 1 else ''}")

    def _describe(self, pack: Pack) -> None:
        if pack.reported_only:
            self.stdout.write(f"{pack.slug}: no finding; reported figures alone, {len(pack.baselines)} rows")
            return
        evaluated = [problem for problem in pack.problems if problem.split is Split.EVALUATION]
        counts = ", ".join(f"{c.name} {sum(p.category == c.name for p in evaluated)}" for c in pack.categories)
        given = len(pack.problems) - len(evaluated)
        self.stdout.write(f"{pack.slug}: no finding; {len(evaluated)} problems ({counts}), {given} demonstrations")
        for one in pack.sets:
            current = ", current" if one.name == pack.current_set else ""
            self.stdout.write(f"  set {one.name}{current}: {len(one.members)} problems, digest {one.digest}")
