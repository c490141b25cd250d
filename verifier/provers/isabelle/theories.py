"""Which session of a pack each of its theories belongs to, and where each problem is stated."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Final

from isar_tools.project.root import RootSession, parse_root
from isar_tools.source.keywords import CommandKind
from isar_tools.source.lexer import tokenize
from isar_tools.source.theory import parse_header

from verifier.core import isar
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack, Status, Use
from verifier.provers.isabelle.builds import SOURCES
from verifier.provers.isabelle.image import SESSION, Target, Unit
from verifier.provers.isabelle.steps import Planned
from verifier.provers.isabelle.symbols import decode, offsets

ROOT: Final = "ROOT"
_GLOBAL: Final = frozenset({"Pure", "Main", "Complex_Main", "HOLCF"})  # theories that are known without a session
_KEYWORDS: Final = re.compile(r"\bkeywords\b.*", re.DOTALL)


def folder(pack: Pack) -> Path:
    """Where the pack keeps its session."""
    return pack.root / "theories"


def sessions(pack: Pack) -> list[RootSession]:
    """The sessions that theories/ROOT declares, in its order; PlatformFault when it declares none."""
    path = folder(pack) / ROOT
    if not path.is_file():
        raise PlatformFault(f"Pack {pack.slug} has no theories/{ROOT}; it declares the session of its theories.")
    declared = parse_root(path.read_text(encoding="utf-8"))
    if declared.diagnostics or not declared.sessions:
        why = declared.diagnostics[0].message if declared.diagnostics else "it declares no session"
        raise PlatformFault(f"theories/{ROOT} of pack {pack.slug} cannot be read: {why}.")
    found: list[RootSession] = declared.sessions
    return found


def parent(pack: Pack) -> str:
    """The session that the image is built on: the last one, which the others lead to."""
    name: str = sessions(pack)[-1].name.text
    return name


def planned(pack: Pack) -> list[Planned]:
    """The heaps of an environment in the order in which they are built: the last session's ancestors, it, the image.

    A heap holds its own session's theories and those of other sessions that it takes, where no ancestor has them.
    """
    own = {session.name.text: session for session in sessions(pack)}
    chain = [parent(pack)]
    while (above := own[chain[0]].parent) is not None and above.text in own and above.text not in chain:
        chain.insert(0, above.text)
    sizes, held, found = _sizes(pack), set[str](), []
    for name in chain:
        read = _taken(own, name) - held
        held |= read
        found.append(Planned(name, sum(sizes.get(one, 0) for one in read)))
    again = sum(size for name, size in sizes.items() if name not in held)
    replayed = sum(pack.source(unit, ".thy").stat().st_size for unit in pack.units)
    return [*found, Planned(SESSION, again + replayed)]


def _taken(own: Mapping[str, RootSession], name: str) -> set[str]:
    """A session and those of the pack whose theories it takes, at any distance."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one in own and one not in found:
            found.add(one)
            waiting += [other.text for other in own[one].sessions]
    return found


def _sizes(pack: Pack) -> dict[str, int]:
    """Bytes of the theories of each session."""
    found: dict[str, int] = {}
    for path in folder(pack).rglob("*.thy"):
        place = path.relative_to(folder(pack)).as_posix()
        name = _owner(pack, place) if pack.files else parent(pack)
        found[name] = found.get(name, 0) + path.stat().st_size
    return found


def other_sessions(pack: Pack) -> list[str]:
    """Sessions that the pack's own take theories from."""
    own = {session.name.text for session in sessions(pack)}
    return sorted({name.text for session in sessions(pack) for name in session.sessions} - own)


def units(pack: Pack) -> list[Unit]:
    """The theories to replay, in the pack's order."""
    home = {entry.name.text: session.name.text for session in sessions(pack) for entry in session.theories}
    found = []
    for name in pack.units:
        path = pack.source(name, ".thy").relative_to(folder(pack)).as_posix()
        if pack.files:
            home[name] = _owner(pack, path)
        if name not in home:
            raise PlatformFault(f"theories/{ROOT} of pack {pack.slug} does not list the theory {name}.")
        found.append(Unit(home[name], name, f"{SOURCES}/{path}", _targets(pack, name)))
    return found


def _owner(pack: Pack, path: str) -> str:
    """The session in whose folder a theory lies, the innermost where one lies in another."""
    folders: dict[str, str] = {
        session.dir.text if session.dir else ".": session.name.text for session in sessions(pack)
    }
    for place in PurePosixPath(path).parents:
        if name := folders.get(place.as_posix()):
            return name
    raise PlatformFault(f"theories/{path} of pack {pack.slug} lies in the folder of no session.")


def session_of(pack: Pack, unit: str) -> str:
    """The session that lists a theory."""
    return next(found.session for found in units(pack) if found.name == unit)


def renamed(text: str, session: str, unit: str, name: str) -> str:
    """The beginning of a theory under another name, with its imports said by their full names.

    The theory itself is no import of its copy: names that its text qualifies with its own name lead to the copy.
    """
    header = parse_header(tokenize(text))
    if header is None or header.begin < 0:
        raise PlatformFault(f"{unit}.thy has no theory header.")
    at = header.begin
    imports = " ".join(f'"{_full(entry.text, session)}"' for entry in header.imports)
    keywords = _KEYWORDS.search(text, header.name.start, at)
    declared = f"\n  {keywords.group()}" if keywords else ""
    return f"theory {name}\n  imports {imports}{declared}\n{text[at:]}"


def _full(name: str, session: str) -> str:
    own = name.rsplit("/", 1)[-1]
    return own if "." in own or own in _GLOBAL else f"{session}.{own}"


def uses(pack: Pack, said: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, list[Use]]:
    """What the prover said of each problem, with places of the pack's own theories as characters."""
    places = {f"{unit.session}.{unit.name}": unit.name for unit in units(pack)}
    starts = {name: offsets(pack.source(name, ".thy").read_text(encoding="utf-8")) for name in pack.units}

    def use(row: Mapping[str, Any]) -> Use:
        unit, offset = places.get(row["theory"], ""), row["offset"]
        at = starts[unit][offset - 1] if unit and 0 < offset <= len(starts[unit]) else -1
        return Use(row["kind"], row["name"], unit or row["theory"], at, decode(row["says"]))

    return {problem: [use(row) for row in rows] for problem, rows in said.items()}


def declared_commands(pack: Pack) -> frozenset[str]:
    """Commands that the pack's own theories declare; none of them may stand in a proof."""
    return _declared(folder(pack), pack.digest)


@lru_cache(maxsize=16)
def _declared(place: Path, digest: str) -> frozenset[str]:  # noqa: ARG001 - the key says when to look again
    headers = (parse_header(tokenize(path.read_text(encoding="utf-8"))) for path in sorted(place.rglob("*.thy")))
    declared = (one for header in headers if header is not None for one in header.keywords)
    return frozenset(one.name for one in declared if one.kind not in {None, CommandKind.QUASI_COMMAND})


def _targets(pack: Pack, unit: str) -> tuple[Target, ...]:
    text = pack.source(unit, ".thy").read_text(encoding="utf-8")
    symbols = offsets(text)
    stated = {lemma.index: lemma for lemma in isar.stated(text, pack.commands)}
    return tuple(
        _target(problem.id, stated[problem.position], symbols)
        for problem in pack.problems
        if problem.unit == unit and problem.status is not Status.WITHDRAWN
    )


def _target(problem: str, fact: isar.StatedFact, symbols: Sequence[int]) -> Target:
    """The prover counts positions by symbols, from 1."""
    first = bisect_left(symbols, fact.start)
    at, name = fact.naming or (0, "")
    return Target(problem, first + 1, bisect_left(symbols, fact.start + at) - first, name)
