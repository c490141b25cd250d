"""Which sessions and which files does a pack need so that the wanted sessions build from it alone."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from isar_tools.project.root import BODY_KEYWORDS, ENTRY_KEYWORDS
from isar_tools.source.keywords import CommandKind
from isar_tools.source.lexer import Kind
from isar_tools.source.theory import significant, unquote

from verifier.core import isar
from verifier.core.display import shown
from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding
from verifier.extract.sessions import Project, Session, expanded
from verifier.extract.sources import DEEPEST, SourceFault, chain_of, member_of, read_text, real_path
from verifier.extract.theories import ReachedTheory

_TIMEOUT: Final = re.compile(r"\btimeout\s*=\s*(\d+(?:\.\d+)?)")
_KEYWORDS: Final = BODY_KEYWORDS | ENTRY_KEYWORDS | {"in", "global"}
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_']*")
_LOADS: Final = frozenset({"ML_file", "ML_file_debug", "ML_file_no_debug", "SML_file", "external_file"})


def sessions_needed(project: Project, wanted: Sequence[Session]) -> list[Session]:
    """The wanted sessions and those of the project that they rest on, each after what it needs."""
    order: dict[str, Session] = {}
    for session in wanted:
        _need(project, session, order, ())
    return list(order.values())


def _need(project: Project, session: Session, order: dict[str, Session], above: tuple[Session, ...]) -> None:
    if session.name in order:
        return
    names = [one.name for one in above]
    if session.name in names:
        circle = chain_of([*names[names.index(session.name) :], session.name])
        raise _refused(f"the sessions rest on each other: {circle}", "Break the circle.", session.root, session.line)
    if len(above) == DEEPEST:
        message = f"session {shown(session.name)} is one of more than {DEEPEST} that rest on each other in a row"
        raise _refused(message, "Name a session that rests on fewer.", session.root, session.line)
    declared = session.declared
    for name in (*((declared.parent,) if declared.parent else ()), *declared.sessions):
        needed = project.sessions.get(expanded(name.text, project.variables))
        if needed is not None:
            _need(project, needed, order, (*above, session))
    order[session.name] = session


def files_of(theory: ReachedTheory, sources: Path) -> dict[str, bytes]:
    """The theory and the files that it loads, by path relative to the sources; InputFault for one that cannot be."""
    found = {theory.where.member: theory.text.encode()}
    for name, line in _loaded(theory):
        named = theory.path.parent / name
        path = real_path(named) or named
        try:
            found[member_of(path, sources)] = read_text(path, sources).encode()
        except SourceFault as fault:
            message = f"loads {shown(name)}: {fault.finding.message}"
            raise _refused(message, fault.finding.remedy, theory.where.member, line) from None
    return found


def _refused(message: str, remedy: str, member: str, line: int) -> InputFault:
    return InputFault([Finding(Consequence.REFUSED, message, remedy, shown(member), line)])


def _loaded(theory: ReachedTheory) -> Iterator[tuple[str, int]]:
    """The files that a theory loads as it names them, with the line of each command."""
    parsed = isar.parsed(theory.text, theory.keywords)
    for command in parsed.commands:
        if command.kind is CommandKind.THY_LOAD or command.name in _LOADS:
            tokens = list(significant(command.tokens(parsed.tokens)))[1:]
            names = [unquote(token) for token in tokens if token.kind in {Kind.STRING, Kind.CARTOUCHE, Kind.WORD}]
            yield from ((name, parsed.lines.line(parsed.start(command))) for name in names[:1])


def root_of(sessions: Sequence[Session], sources: Path, variables: Mapping[str, str]) -> str:
    """One ROOT for all of them, each in the folder that it has in the sources; documents are left out.

    What this gives is read and written again as it is.
    """
    return "\n".join(_entry(session, sources, variables) for session in sessions)


def _entry(session: Session, sources: Path, variables: Mapping[str, str]) -> str:
    declared = session.declared
    parent = f" {_name(expanded(declared.parent.text, variables))} +" if declared.parent else ""
    folder = member_of(session.folders[0], sources)
    place = "" if folder == "." else f' in "{folder}"'
    timeout = _TIMEOUT.search(declared.options)
    options = ["document = false", *([f"timeout = {timeout[1]}"] if timeout else [])]
    lines = [f"session {_name(session.name)}{place} ={parent}"]
    lines += [f"  description {_text(declared.description)}"] if declared.description.strip() else []
    lines.append(f"  options [{', '.join(options)}]")
    lines += _clause("sessions", [expanded(name.text, variables) for name in declared.sessions])
    lines += _clause("directories", [expanded(name.text, variables) for name in declared.directories])
    lines += ["  theories", *(f"    {_name(name)}{_global(session, name)}" for name, _ in session.entries)]
    return "\n".join(lines) + "\n"


def _global(session: Session, name: str) -> str:
    """The mark of a theory that others may import by its name alone."""
    return " (global)" if name.rsplit("/", 1)[-1] in session.global_names else ""


def _clause(keyword: str, names: Sequence[str]) -> list[str]:
    return [f"  {keyword}", *(f"    {_name(name)}" for name in names)] if names else []


def _name(name: str) -> str:
    """A name as ROOT files take it, in quotes unless it is a plain one."""
    return name if _PLAIN.fullmatch(name) and name not in _KEYWORDS else f'"{name}"'


def _text(text: str) -> str:
    """A description on one line."""
    line = " ".join(text.split())
    return f"\\<open>{line}\\<close>" if '"' in line or "\\" in line else f'"{line}"'
