"""`manage.py extract isabelle|rocq --sources DIR --rules RULES --stats|--list|--check|--out FOLDER`: a project."""

import json
import os
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.table import Table

from verifier.core.display import shown
from verifier.core.errors import InputFault, PlatformFault
from verifier.core.finding import Finding
from verifier.core.problem import Split
from verifier.extract.checked import FolderChecked, check_rocq
from verifier.extract.differences import differences
from verifier.extract.facts import Rules, kept
from verifier.extract.isabelle import Extraction, extract, extract_pack
from verifier.extract.like import Choices, choices_read
from verifier.extract.pack import Written, write
from verifier.extract.rocq import extract_rocq, extract_rocq_pack
from verifier.management import tables
from verifier.management.broken import PLATFORM, UNREADABLE
from verifier.packs.schema import SLUG
from verifier.sandbox.bubblewrap import Bubblewrap

_STOPPED: Final = 130
_CATEGORIES: Final = ("P1", "P2", "P3", "D")
_PAPER: Final = {"P1": 1995, "P2": 2496, "P3": 928, "D": 45}  # Table 1, line "Extracted"
_PAPER_SESSIONS: Final = frozenset({"AInvs", "Refine"})  # two of those that it counts, and no other project has


class Command(BaseCommand):
    """Exit 0 when the sources were read, 2 when they cannot be, 3 when the prover is missing or cannot compile them.

    130 when a check was interrupted.
    """

    help = (
        "Count the lemmas of a project by session or folder and category, or write a pack; $L4V_ARCH is ARM unless set."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """The kind of project, where it lies and how it is read."""
        parser.add_argument("kind", choices=["isabelle", "rocq"], help="the kind of project")
        parser.add_argument(
            "--sources", type=Path, required=True, help="folder with ROOT or ROOTS, _CoqProject, or .v files"
        )
        parser.add_argument(
            "--session", action="append", default=[], help="an Isabelle session, again for more; all by default"
        )
        parser.add_argument(
            "--rules", choices=[str(rules) for rules in Rules], help="what counts; needed without --like, full with it"
        )
        parser.add_argument(
            "--like", type=Path, metavar="PACK", help="folder of a pack whose choices hold for the new one: with --out"
        )
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--stats", action="store_true", help="print counts, write nothing")
        what.add_argument(
            "--list", action="store_true", help="print every stated fact as one JSON object a line, write nothing"
        )
        what.add_argument(
            "--check", action="store_true", help="try each lemma with its own proof in its place, write nothing; Rocq"
        )
        what.add_argument("--out", type=Path, metavar="FOLDER", help="write a pack; the folder's name is its slug")
        parser.add_argument("--json", action="store_true", help="the counts as one JSON object")

    def handle(self, *args: Any, kind: str, sources: Path, rules: str | None, out: Path | None, **options: Any) -> None:
        """Read, write the pack where one is asked for, and print."""
        rules = _rules(rules, options["like"], out)
        if kind == "rocq" and options["session"]:
            raise CommandError("Rocq has no sessions: name a folder as --sources.")
        if not sources.is_dir():
            raise CommandError(f"{sources}: there is no such folder. Name that of a project.", returncode=UNREADABLE)
        if out is not None and not re.fullmatch(SLUG, out.name):
            remedy = "Name a folder in lower-case letters, digits and `-`, starting with a letter."
            raise CommandError(f"{out}: a pack cannot have this name. {remedy}", returncode=UNREADABLE)
        try:
            if options["check"]:
                self._check(kind, sources.resolve(), Rules(rules), as_json=options["json"])
                return
            choices = choices_read(options["like"].resolve(), kind) if options["like"] else None
            found, written = _read(kind, sources.resolve(), Rules(rules), options["session"], out=out, choices=choices)
            if written is not None and out is not None:
                write(written, out)
        except InputFault as fault:
            lines = [f"{_place(one)}: {one.message}. {one.remedy}" for one in fault.findings]
            raise CommandError("\n".join(lines), returncode=UNREADABLE) from None
        except PlatformFault as fault:
            raise CommandError(str(fault), returncode=PLATFORM) from None
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}.", returncode=UNREADABLE) from None
        if options["list"]:
            self._list(found, Rules(rules))
        else:
            told = "" if written is None else _told(written, str(out))
            self._counts(found, kind, rules, told, sources=sources, **options)

    def _counts(self, found: Extraction, kind: str, rules: str, told: str, **options: Any) -> None:
        """The table, what became of the pack, by which rule two ways of reading part, and what was passed over."""
        architecture = _architecture() if kind == "isabelle" else ""
        parted = (
            _parted(found, options["sources"], options["session"], architecture)
            if Rules(rules) is Rules.PAPER and not told
            else {}
        )
        if options["json"]:
            counts = {**_object(found, rules, architecture), **({"differences": parted} if parted else {})}
            sys.stdout.write(json.dumps(counts, indent=2) + "\n")
            return
        console = _console()
        console.print(_table(found, rules, architecture))
        if told:
            self.stdout.write(told)
        if parted:
            console.print(_differences(parted))
        for one in found.findings:
            console.print(f"{one.member}:{one.line}: {one.message}. {one.remedy}", soft_wrap=True)

    def _list(self, found: Extraction, rules: Rules) -> None:
        try:
            for one in (fact for session in found.sessions for fact in session.seen):
                sys.stdout.write(json.dumps(tables.fact_object(one, kept=kept(one, rules))) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:  # whoever reads, such as `head`, has enough; nothing is left to be flushed at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _check(self, kind: str, sources: Path, rules: Rules, *, as_json: bool) -> None:
        if kind != "rocq":
            raise CommandError("Lemmas of Isabelle are checked where their sessions are built: packs build.")
        folders: list[FolderChecked] = []
        try:
            for one in check_rocq(sources, rules, Bubblewrap(settings.COMMAND_UID), self.stderr.write):
                folders.append(one)  # noqa: PERF402 - what is finished outlives an interruption
        except KeyboardInterrupt:
            raise CommandError("Interrupted; folders that were finished are counted.", returncode=_STOPPED) from None
        finally:
            self._checked(folders, rules, as_json=as_json)

    def _checked(self, folders: list[FolderChecked], rules: Rules, *, as_json: bool) -> None:
        if not folders:
            return
        if as_json:
            sys.stdout.write(json.dumps(tables.checked_object(folders, str(rules)), indent=2) + "\n")
            return
        console = _console()
        for table in tables.checked_tables(folders, str(rules)):
            console.print(table)


def _place(one: Finding) -> str:
    return one.member if one.line is None else f"{one.member}:{one.line}"


def _console() -> Console:
    """What prints names as they are: in sources, brackets and colons mean nothing."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False)


def _architecture() -> str:
    return os.environ.get("L4V_ARCH") or "ARM"


def _rules(rules: str | None, like: Path | None, out: Path | None) -> str:
    if rules is None and like is None:
        raise CommandError("Name the --rules: paper, strict or full.")
    if like is not None and out is None:
        raise CommandError("--like writes a pack: name its folder with --out.")
    return rules or str(Rules.FULL)


def _read(
    kind: str, sources: Path, rules: Rules, sessions: list[str], *, out: Path | None, choices: Choices | None
) -> tuple[Extraction, Written | None]:
    """The facts, and the pack of them where one is wanted."""
    if kind == "rocq":
        return extract_rocq_pack(sources, rules, out.name, choices) if out else (extract_rocq(sources, rules), None)
    if out:
        return extract_pack(sources, sessions, rules, _architecture(), choices)
    return extract(sources, sessions, rules, _architecture()), None


def _told(written: Written, folder: str) -> str:
    given = sum(problem.split == Split.DEMONSTRATION for problem in written.problems)
    lines = [f"{folder}: {len(written.problems):,} problems, {given} of them demonstrations"]
    lines += [f"  left out, {why}: {count:,}" for why, count in sorted(written.left_out.items()) if count]
    lines += [f"  {note}" for note in written.notes]
    return "\n".join(lines)


def _total(found: Extraction) -> Counter[str]:
    return sum((one.categories for one in found.sessions), Counter[str]())


def _parted(found: Extraction, sources: Path, sessions: list[str], architecture: str) -> dict[str, int]:
    """Where `paper` parts from `strict`, the most frequent reason first."""
    exact = extract(sources, sessions, Rules.STRICT, architecture)
    sides = [
        [(fact, kept(fact, way)) for one in side.sessions for fact in one.seen]
        for side, way in ((found, Rules.PAPER), (exact, Rules.STRICT))
    ]
    counted = differences(*sides)
    return {name: counted[name] for name in sorted(counted, key=lambda name: (-counted[name], name))}


def _differences(parted: dict[str, int]) -> Table:
    table = Table(title="Where lines and tokens part")
    table.add_column("by which rule")
    table.add_column("facts", justify="right")
    for name, count in parted.items():
        table.add_row(name, f"{count:,}")
    return table


def _object(found: Extraction, rules: str, architecture: str) -> dict[str, object]:
    total = _total(found)
    return {
        "rules": rules,
        "architecture": architecture,
        "sessions": {
            one.session: {"theories": one.theories, "stated": len(one.seen), **_counts(one.categories)}
            for one in found.sessions
        },
        "total": _counts(total),
        **({"paper": _counts(Counter(_PAPER))} if _of_the_paper(found) else {}),
        "findings": [{"file": one.member, "line": one.line, "message": one.message} for one in found.findings],
    }


def _of_the_paper(found: Extraction) -> bool:
    return not _PAPER_SESSIONS.isdisjoint(one.session for one in found.sessions)


def _counts(categories: Counter[str]) -> dict[str, int]:
    return {"kept": categories.total(), **{name: categories[name] for name in _CATEGORIES}}


def _table(found: Extraction, rules: str, architecture: str) -> Table:
    table = Table(title=f"Rules {rules}, architecture {architecture}" if architecture else f"Rules {rules}")
    table.add_column("session" if architecture else "folder")
    for heading in ("theories", "stated", "kept", *_CATEGORIES):
        table.add_column(heading, justify="right")
    for one in found.sessions:
        counts = [f"{count:,}" for count in _counts(one.categories).values()]
        table.add_row(shown(one.session), f"{one.theories:,}", f"{len(one.seen):,}", *counts)
    table.add_section()
    theories = sum(one.theories for one in found.sessions)
    stated = sum(len(one.seen) for one in found.sessions)
    total = [f"{count:,}" for count in _counts(_total(found)).values()]
    table.add_row("all of these", f"{theories:,}", f"{stated:,}", *total)
    if _of_the_paper(found):
        table.add_row("the paper's Table 1", "", "", *(f"{count:,}" for count in _counts(Counter(_PAPER)).values()))
    return table
