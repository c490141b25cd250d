"""Which sessions does a project declare, and in which folders do their theories lie."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from isar_tools.project.root import RootSession, parse_root
from isar_tools.source.lexer import LineIndex

from verifier.core.display import shown
from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding
from verifier.extract.sources import BRING, OUTSIDE, SourceFault, leaves, member_of, read_text, real_path


@dataclass(frozen=True, slots=True)
class Session:
    """A session as its ROOT declares it, with variables expanded.

    `declared` is the entry itself. `entries` are the theories it names (with the line in `root`), `folders` where bare
    theory names are looked up.
    """

    name: str
    root: str
    line: int
    folders: tuple[Path, ...]
    entries: tuple[tuple[str, int], ...]
    global_names: frozenset[str]
    declared: RootSession


@dataclass(frozen=True, slots=True)
class Project:
    """All sessions by name, in the order of the ROOT files, and what was wrong with those files."""

    sources: Path
    variables: Mapping[str, str]
    sessions: Mapping[str, Session]
    findings: tuple[Finding, ...]


def read_project(sources: Path, variables: Mapping[str, str]) -> Project:
    """The sessions below `sources`, through ROOT and ROOTS.

    Raises InputFault where there is none or one is declared twice.
    """
    sessions: dict[str, Session] = {}
    findings: list[Finding] = []
    for folder in _folders(sources, findings):
        path = folder / "ROOT"
        if not path.exists():
            continue
        member = member_of(path, sources)
        try:
            root = parse_root(read_text(path, sources))
        except SourceFault as fault:
            findings.append(fault.finding)
            continue
        for odd in root.diagnostics:
            line = root.lines.line(odd.start)
            findings.append(Finding(Consequence.IGNORED, odd.message, "Mend the entry.", member, line))
        for declared in root.sessions:
            line = root.lines.line(declared.name.start)
            name = declared.name.text
            if name in sessions:
                first = sessions[name]
                message = f"session {shown(name)} is declared a second time; first at {first.root}:{first.line}"
                findings.append(Finding(Consequence.REFUSED, message, "Keep one.", member, line))
                continue
            entries = {
                expanded(entry.name.text, variables): root.lines.line(entry.name.start) for entry in declared.theories
            }
            sessions[name] = Session(
                name,
                member,
                line,
                _looked_up(folder, declared, variables),
                tuple(entries.items()),
                frozenset(entry.name.text.rsplit("/", 1)[-1] for entry in declared.theories if entry.global_),
                declared,
            )
            findings += _outside(sessions[name], root.lines, sources)
    refused = [finding for finding in findings if finding.consequence is Consequence.REFUSED]
    if not sessions and not refused:
        message = "no session is declared here"
        nothing = Finding(Consequence.REFUSED, message, "Name the folder that holds ROOT or ROOTS.", "ROOT", 1)
        refused = [*findings, nothing]
    if refused:
        raise InputFault(refused)
    return Project(sources, variables, sessions, tuple(findings))


def _outside(session: Session, lines: LineIndex, sources: Path) -> Iterator[Finding]:
    """The session's own folders that are none of the sources."""
    declared = session.declared
    names = [*([declared.dir] if declared.dir else []), *declared.directories]
    for name, folder in zip(reversed(names), reversed(session.folders), strict=False):
        if leaves(folder, sources):
            message = f"the folder {shown(name.text)} of session {shown(session.name)} {OUTSIDE}"
            yield Finding(Consequence.REFUSED, message, BRING, session.root, lines.line(name.start))


def _folders(sources: Path, findings: list[Finding]) -> list[Path]:
    """The folders that ROOTS files lead to, each once, however they point at one another."""
    seen: dict[Path, Path] = {}
    waiting = [sources]
    while waiting:
        folder = waiting.pop(0)
        real = real_path(folder, strict=True)
        if real is None or real in seen:
            continue
        seen[real] = folder
        roots = folder / "ROOTS"
        if not roots.exists():
            continue
        try:
            lines = read_text(roots, sources).splitlines()
        except SourceFault as fault:
            findings.append(fault.finding)
            continue
        for number, line in enumerate(lines, start=1):
            entry = line.strip()
            if not entry or entry.startswith("#"):
                continue
            if real_path(folder / entry, strict=True) is None:
                message = f"the folder {shown(entry)} is not there or its links lead in a circle"
                member = member_of(roots, sources)
                findings.append(Finding(Consequence.IGNORED, message, "Mend or remove the line.", member, number))
            elif leaves(folder / entry, sources):
                message, member = f"the folder {shown(entry)} {OUTSIDE}", member_of(roots, sources)
                findings.append(Finding(Consequence.REFUSED, message, BRING, member, number))
                continue
            waiting.append(folder / entry)
    return list(seen.values())


def _looked_up(folder: Path, declared: RootSession, variables: Mapping[str, str]) -> tuple[Path, ...]:
    base = folder / expanded(declared.dir.text, variables) if declared.dir else folder
    return (base, *(base / expanded(name.text, variables) for name in declared.directories))


def expanded(name: str, variables: Mapping[str, str]) -> str:
    """The name with `$NAME` and `${NAME}` replaced where the variable is known."""
    return re.sub(r"\$(\w+)|\$\{(\w+)\}", lambda found: variables.get(found[1] or found[2], found[0]), name)
