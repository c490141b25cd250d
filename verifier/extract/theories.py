"""Which theories does a session reach from its entries, and which commands do their imports declare."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from isar_tools.source.afp_commands import SESSIONS as ARCHIVE_SESSIONS
from isar_tools.source.keywords import BUILTIN_COMMANDS, CommandKind, commands_of_import
from isar_tools.source.lexer import LineIndex, iter_tokens
from isar_tools.source.theory import Header, Name, parse_header

from verifier.core.display import shown
from verifier.core.finding import Consequence, Finding
from verifier.extract.sessions import Project, Session, expanded
from verifier.extract.sources import (
    BRING,
    DEEPEST,
    OUTSIDE,
    SourceFault,
    Where,
    chain_of,
    leaves,
    member_of,
    read_text,
)

_GLOBAL: Final = frozenset({"Pure", "Main", "Complex_Main", "HOL"})
_SHIPPED: Final = frozenset(  # alone, or before a hyphen as in HOL-Library
    {"HOL", "HOLCF", "Pure", "ZF", "FOL", "FOLP", "CTT", "CCL", "LCF", "IOA", "Cube", "Sequents", "Tools", "IFOL"}
)


@dataclass(frozen=True, slots=True)
class ReachedTheory:
    """A theory of the session, its text, and the commands that its imports and its own header declare."""

    where: Where
    path: Path
    text: str
    keywords: dict[str, CommandKind]


@dataclass(slots=True)
class _Read:
    """A theory whose header was read; `commands` are those declared by it and by all that it imports."""

    session: str
    member: str
    text: str
    commands: dict[str, CommandKind]


@dataclass
class Theories:
    """The theories of a project as far as asked for; every file is read once. Findings gather in `findings`."""

    project: Project
    findings: list[Finding] = field(default_factory=list)
    _read: dict[Path, _Read | None] = field(default_factory=dict)
    _open: list[Path] = field(default_factory=list)

    def reached(self, session: Session) -> list[ReachedTheory]:
        """The session's own theories that its entries lead to, imports first."""
        order: list[Path] = []
        for needed in (*((session.declared.parent,) if session.declared.parent else ()), *session.declared.sessions):
            name = expanded(needed.text, self.project.variables)
            if name not in self.project.sessions and not _shipped_session(name):
                self._note(
                    session.root, session.line, f"session {shown(name)}, which {session.name} needs, is not here"
                )
        for name, line in session.entries:
            path = _found(session, session.folders[0], name)
            if path is None:
                message = f"theory {shown(name)} of session {session.name} is not there"
                self._note(session.root, line, message)
            elif not self._refused(path, name, session.root, line):
                self._visit(path, session, order)
        theories = []
        for path in order:
            read = self._read[path]
            if read is not None and read.session == session.name:
                where = Where(session.name, path.stem, read.member)
                theories.append(ReachedTheory(where, path, read.text, BUILTIN_COMMANDS | read.commands))
        return theories

    def _visit(self, path: Path, session: Session, order: list[Path]) -> dict[str, CommandKind]:
        """The commands visible after this theory; `order` takes every file once, imports first."""
        if path in self._read and path not in self._open:
            read = self._read[path]
            if path in order or read is None:
                return {} if read is None else read.commands
        member = member_of(path, self.project.sources)
        try:
            text = read_text(path, self.project.sources)
            header, lines = _header(member, path, text)
        except SourceFault as fault:
            self.findings.append(fault.finding)
            self._read[path] = None
            return {}
        self._open.append(path)
        commands: dict[str, CommandKind] = {}
        for name in header.imports:
            commands.update(self._imported(name, lines.line(name.start), path, session, order))
        commands.update({one.name: one.kind for one in header.keywords if one.kind is not None})
        self._open.pop()
        self._read[path] = _Read(session.name, member, text, commands)
        order.append(path)
        return commands

    def _imported(
        self, name: Name, line: int, path: Path, session: Session, order: list[Path]
    ) -> dict[str, CommandKind]:
        found = self._resolved(expanded(name.text, self.project.variables), path, session)
        member = member_of(path, self.project.sources)
        if found is None:
            if not _shipped(name.text):
                self._note(member, line, f"import {shown(name.text)} leads to no file of the project")
            known: dict[str, CommandKind] = commands_of_import(name.text)
            return known
        target, owner = found
        if self._refused(target, name.text, member, line):
            return {}
        if target in self._open:
            circle = [*self._open[self._open.index(target) :], target]
            chain = chain_of([member_of(one, self.project.sources) for one in circle])
            finding = Finding(
                Consequence.REFUSED, f"the imports form a circle: {chain}", "Break it.", shown(member), line
            )
            if finding not in self.findings:
                self.findings.append(finding)
            return {}
        if len(self._open) == DEEPEST:
            message = f"more than {DEEPEST} theories import each other in a row"
            self.findings.append(Finding(Consequence.REFUSED, message, "Join some of them.", shown(member), line))
            return {}
        return self._visit(target, owner, order)

    def _resolved(self, name: str, path: Path, session: Session) -> tuple[Path, Session] | None:
        """The file that an import means and the session it belongs to.

        In Isabelle's order: a session's name before the dot, the own session's folders, a path from the importing
        file, a theory declared global.
        """
        prefix, dot, rest = name.partition(".")
        if dot and "/" not in name:
            owner = self.project.sessions.get(prefix)
            target = None if owner is None else _found(owner, owner.folders[0], rest)
            return None if owner is None or target is None else (target, owner)
        target = _found(session, path.parent, name)
        if target is not None:
            return target, session
        for owner in self.project.sessions.values():
            if name in owner.global_names and (target := _found(owner, owner.folders[0], name)) is not None:
                return target, owner
        return None

    def _refused(self, path: Path, name: str, member: str, line: int) -> bool:
        """Whether a theory's file is none of the sources, which becomes a finding where it is named."""
        if path in self._read or not leaves(path, self.project.sources):
            return False
        message = f"theory {shown(name)} {OUTSIDE}"
        self.findings.append(Finding(Consequence.REFUSED, message, BRING, shown(member), line))
        return True

    def _note(self, member: str, line: int, message: str) -> None:
        remedy = "Add the file, generate it if it is generated, or correct the name."
        finding = Finding(Consequence.IGNORED, message, remedy, shown(member), line)
        if finding not in self.findings:
            self.findings.append(finding)


def _found(session: Session, folder: Path, name: str) -> Path | None:
    """The file of a theory named bare (looked up in the session's folders) or by a path from `folder`."""
    folders = (folder,) if "/" in name else (*session.folders, folder)
    for one in folders:
        path = Path(_normal(one / f"{name}.thy"))
        if os.path.lexists(path):  # links that lead nowhere too, and no fault where the name is none
            return path
    return None


def _normal(path: Path) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts and parts[-1] not in {"..", "/"}:
            parts.pop()
        else:
            parts.append(part)
    return str(Path(*parts))


def _header(member: str, path: Path, text: str) -> tuple[Header, LineIndex]:
    header = parse_header(iter_tokens(text))
    lines = LineIndex(text)
    if header is None or header.begin < 0:
        raise SourceFault(
            member,
            1 if header is None else lines.line(header.name.start),
            "has no theory header that ends with `begin`; a comment or string before it may never end",
            "Write `theory … imports … begin`.",
        )
    if header.name.text != path.stem:
        message = f"the header names theory {shown(header.name.text)}, not the file's {shown(path.stem)}"
        raise SourceFault(member, lines.line(header.name.start), message, "Make the two names agree.")
    return header, lines


def _shipped(name: str) -> bool:
    """Whether an import means a theory of the distribution or of the Archive of Formal Proofs."""
    session, dot, _ = name.partition(".")
    if not dot:
        return name in _GLOBAL
    return _shipped_session(session)


def _shipped_session(name: str) -> bool:
    return name in ARCHIVE_SESSIONS or name.partition("-")[0] in _SHIPPED
