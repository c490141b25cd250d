"""Which facts does an Isabelle project state, session by session, under a set of rules."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from verifier.core import isar
from verifier.core.display import shown
from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding
from verifier.extract.facts import Fact, Rules, category_of, kept
from verifier.extract.like import Choices, pack_like
from verifier.extract.lines import facts_by_lines
from verifier.extract.needs import files_of, root_of, sessions_needed
from verifier.extract.pack import Heading, Unit, Written, pack_of, refuse_names
from verifier.extract.sessions import Project, Session, read_project
from verifier.extract.sources import SourceFault
from verifier.extract.theories import ReachedTheory, Theories
from verifier.extract.tokens import facts_by_tokens
from verifier.packs.theories import SOURCES

_ARCHITECTURE: Final = "L4V_ARCH"


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """What one session states: how many theories were read, every fact seen, and those that count."""

    session: str
    theories: int
    seen: tuple[Fact, ...]
    kept: tuple[Fact, ...]

    @property
    def categories(self) -> Counter[str]:
        """How many of the kept facts fall in each category."""
        return Counter(category for fact in self.kept if (category := category_of(fact)) is not None)


@dataclass(frozen=True, slots=True)
class Extraction:
    """The facts by session, in the order asked for, and the findings about the sources that were passed over."""

    sessions: tuple[SessionFacts, ...]
    findings: tuple[Finding, ...]


def extract(sources: Path, wanted: Sequence[str], rules: Rules, architecture: str) -> Extraction:
    """The facts of the wanted sessions (all when none is named). The same sources give the same value.

    `architecture` stands for `$L4V_ARCH` in ROOT files. Raises InputFault with every place where the sources cannot be
    read as a project; an import that leads nowhere is a finding of the result, for its commands stay unknown.
    """
    project = read_project(sources, {_ARCHITECTURE: architecture})
    theories = Theories(project)
    found: list[SessionFacts] = []
    refused: list[Finding] = []
    for session in _wanted(project, wanted):
        reached = theories.reached(session)
        seen: list[Fact] = []
        for theory in reached:
            try:
                seen += _facts(theory, rules)
            except SourceFault as fault:
                refused.append(fault.finding)
        chosen = tuple(fact for fact in seen if kept(fact, rules))
        found.append(SessionFacts(session.name, len(reached), tuple(seen), chosen))
    refused += [finding for finding in theories.findings if finding.consequence is Consequence.REFUSED]
    if refused:
        raise InputFault(refused)
    return Extraction(tuple(found), (*project.findings, *theories.findings))


def extract_pack(
    sources: Path, wanted: Sequence[str], rules: Rules, architecture: str, choices: Choices | None = None
) -> tuple[Extraction, Written]:
    """The facts as `extract` gives them, and the pack of them; InputFault where one of the two cannot be made.

    The pack holds the wanted sessions and those that they need, under the folders that they have in the sources. With
    `choices` it is the pack that a host decided on.
    """
    found = extract(sources, wanted, rules, architecture)
    project = read_project(sources, {_ARCHITECTURE: architecture})
    theories, sessions = Theories(project), sessions_needed(project, _wanted(project, wanted))
    reached = [theory for session in sessions for theory in theories.reached(session)]
    files = {"ROOT": root_of(sessions, sources, project.variables).encode()}
    for theory in reached:
        files |= files_of(theory, sources.resolve())
    commands = isar.declared(theory.text for theory in reached)
    lines: dict[str, set[int]] = {}
    for fact in (fact for session in found.sessions for fact in session.kept):
        lines.setdefault(fact.member, set()).add(fact.line)
    reader = SOURCES["isabelle"].stated
    flat = {theory.where.member for theory in reached if "/" not in theory.where.member}  # a pack names all of these
    units = [
        Unit(
            theory.where.theory,
            reader(theory.text, commands),
            frozenset(lines.get(theory.where.member, ())),
            needed=theory.where.member in flat,
        )
        for theory in reached
        if choices or theory.where.member in flat | lines.keys()
    ]
    if choices:
        return found, pack_like(choices, units, files)
    members = [theory.where.member for theory in reached]
    remedy = "Rename one of them, or name sessions that do not need both."
    refuse_names([one for one in members if one in flat | lines.keys()], members, remedy)
    try:
        meant = {_ARCHITECTURE: architecture} if any(_ARCHITECTURE.encode() in data for data in files.values()) else {}
        written = pack_of(_heading([one.session for one in found.sessions], rules, meant), units, files)
    except InputFault as fault:
        raise InputFault([*found.findings, *fault.findings]) from None  # what was passed over may be why
    return found, written


def _heading(sessions: Sequence[str], rules: Rules, variables: Mapping[str, str]) -> Heading:
    names = ", ".join(sessions)
    called = f"Isabelle session{'' if len(sessions) == 1 else 's'} {names}"
    listed = names if len(names) <= 120 else f"{len(sessions)} sessions"
    return Heading(
        title=f"Lemmas of {listed}",
        summary=f"Lemmas of the {called}, extracted by Selen (rules: {rules}).",
        prover="isabelle",
        toolchain=">=2024",
        citation=f"Lemmas of the {called}, extracted by Selen (rules: {rules}).",
        variables=variables,
    )


def _wanted(project: Project, wanted: Sequence[str]) -> list[Session]:
    missing = [name for name in wanted if name not in project.sessions]
    if missing:
        raise InputFault(
            [
                Finding(
                    Consequence.REFUSED,
                    f"session {shown(name)} is not declared",
                    "Name a session that a ROOT file of these sources declares.",
                    "ROOT",
                    1,
                )
                for name in missing
            ]
        )
    return [project.sessions[name] for name in dict.fromkeys(wanted)] or list(project.sessions.values())


def _facts(theory: ReachedTheory, rules: Rules) -> list[Fact]:
    if rules is Rules.PAPER:
        return facts_by_lines(theory.where, theory.text)
    return facts_by_tokens(theory.where, theory.text, theory.keywords)
