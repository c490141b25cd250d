"""Which session of a pack each of its theories belongs to, and on which line each problem is stated."""

from pathlib import Path
from typing import Final

from isar_tools.project.root import RootSession, parse_root

from verifier.core import isar
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack, Status
from verifier.provers.isabelle.builds import SOURCES
from verifier.provers.isabelle.image import Unit

ROOT: Final = "ROOT"


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


def units(pack: Pack) -> list[Unit]:
    """The theories to replay, in the pack's order."""
    home = {entry.name.text: session.name.text for session in sessions(pack) for entry in session.theories}
    found = []
    for name in pack.units:
        if name not in home:
            raise PlatformFault(f"theories/{ROOT} of pack {pack.slug} does not list the theory {name}.")
        found.append(Unit(home[name], name, f"{SOURCES}/{name}.thy", _targets(pack, name)))
    return found


def _targets(pack: Pack, unit: str) -> tuple[tuple[str, int], ...]:
    text = (folder(pack) / f"{unit}.thy").read_text(encoding="utf-8")
    lines = {lemma.index: lemma.line for lemma in isar.stated(text)}
    return tuple(
        (problem.id, lines[problem.position])
        for problem in pack.problems
        if problem.unit == unit and problem.status is not Status.WITHDRAWN
    )
