"""Which lemmas does a Rocq project state, folder by folder, and which pack do they make."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from verifier.core import rocq
from verifier.core.errors import InputFault
from verifier.extract.facts import Ending, Fact, Rules, kept
from verifier.extract.isabelle import Extraction, SessionFacts
from verifier.extract.like import Choices, pack_like
from verifier.extract.pack import Heading, Unit, Written, pack_of, refuse_names
from verifier.extract.rocq_project import PROJECT, File, Project, finding, project_read
from verifier.packs.theories import SOURCES, states_goals_rocq
from verifier.provers.rocq import faults, policy, units

_ENDINGS: Final = {"Qed": Ending.PROVED, "Defined": Ending.PROVED, "Save": Ending.PROVED}
_GIVEN_UP: Final = frozenset({"Admitted", "Abort"})


def extract_rocq(sources: Path, rules: Rules) -> Extraction:
    """The lemmas of every file of the project, by folder, which stands in the place of a session.

    A scope is a section or module; `strict` leaves lemmas inside one out. Raises InputFault for rules that are
    Isabelle's alone and for files that cannot be read.
    """
    return counted(_project(sources, rules).files, rules)


def extract_rocq_pack(
    sources: Path, rules: Rules, slug: str = "", choices: Choices | None = None
) -> tuple[Extraction, Written]:
    """The lemmas and the pack of them, in which files keep their folders below the library; InputFault as above.

    With `choices` it is the pack that a host decided on. Where `slug` is the library's name already, no file says so.
    """
    project = _project(sources, rules)
    title = project.library or sources.name
    if project.own:  # its name is taken wherever the prover runs, and its files find each other where they are
        name = project.library.replace(".", "")
        files = [replace(file, module=file.module.replace(project.library, name, 1)) for file in project.files]
        project = replace(project, files=files, library=name, short=False)
    found = counted(project.files, rules)
    return found, pack_of_project(project, title, found, rules, slug=slug, choices=choices)


def pack_of_project(
    project: Project, name: str, found: Extraction, rules: Rules, *, slug: str = "", choices: Choices | None = None
) -> Written:
    """The pack of lemmas found in a project; InputFault where files share a name or require each other in circles."""
    refuse_names([file.member for file in project.files], (), "Name a folder that holds one of them as --sources.")
    lines: dict[str, set[int]] = {}
    for fact in (fact for one in found.sessions for fact in one.kept):
        lines.setdefault(fact.member, set()).add(fact.line)
    reader = SOURCES["rocq"].stated
    tactics = policy.tactic_names("\n".join(file.text for file in project.files))
    read = [
        Unit(
            file.path.stem,
            reader(file.text, {}),
            frozenset(lines.get(file.member, ())),
            frozenset() if choices else _unfit(file, tactics),
            needed=True,
        )
        for file in project.ordered()
    ]
    texts = {_place(project, file): file.text.encode() for file in project.files}
    if options := _options(project, slug):
        texts[PROJECT] = options.encode()
    if choices:
        return pack_like(choices, read, texts)
    heading = Heading(
        title=f"Lemmas of {name}",
        summary=f"Lemmas of the Rocq project {name}, extracted by Selen (rules: {rules}).",
        prover="rocq",
        toolchain=">=8.16",
        citation=f"Lemmas of the Rocq project {name}, extracted by Selen (rules: {rules}).",
        variables={},
    )
    return pack_of(heading, read, texts)


def counted(files: Sequence[File], rules: Rules) -> Extraction:
    """What the files state, by folder."""
    folders: dict[str, list[File]] = {}
    for file in files:
        folders.setdefault(file.folder, []).append(file)
    found = []
    for folder, inside in sorted(folders.items()):
        seen = tuple(fact for file in inside for fact in _facts(folder, file))
        found.append(SessionFacts(folder, len(inside), seen, tuple(fact for fact in seen if kept(fact, rules))))
    return Extraction(tuple(found), ())


def _project(sources: Path, rules: Rules) -> Project:
    if rules is Rules.PAPER:
        raise InputFault([finding("paper", "these rules read Isabelle alone", "Use strict or full.")])
    return project_read(sources)


def _unfit(file: File, tactics: frozenset[str]) -> frozenset[int]:
    """Lines of lemmas whose own proof policy refuses on some release: nobody could send what it shows."""
    guards = faults.guards("")
    return frozenset(one.line for one in rocq.lemmas(file.text) if policy.findings(one.proof, tactics, guards))


def _place(project: Project, file: File) -> str:
    """Where the file stands under theories/: below the library, by its name."""
    return f"{file.module.removeprefix(f'{project.library}.').replace('.', '/')}.v"


def _options(project: Project, slug: str) -> str:
    """What theories/_CoqProject says; nothing where the slug names the library."""
    known = not project.short and project.library == units.library_named(slug)
    mapped = f"{'-R' if project.short else '-Q'} . {project.library}\n" if project.library and not known else ""
    return mapped + ("" if project.prelude else "-arg -noinit\n")


def _facts(folder: str, file: File) -> Iterator[Fact]:
    for lemma in rocq.lemmas(file.text):
        ending = Ending.GIVEN_UP if lemma.ending in _GIVEN_UP else _ENDINGS.get(lemma.ending, Ending.OPEN)
        several = _states_several(lemma.statement)
        yield Fact(
            session=folder,
            theory=file.path.stem,
            member=file.member,
            line=lemma.line,
            keyword=f"{lemma.keyword.lower()} with" if several else lemma.keyword.lower(),
            name=lemma.name,
            proof_lines=lemma.proof_lines,
            declarative=states_goals_rocq(lemma.proof),
            ending=ending,
            in_block=bool(lemma.scope),
            proposition=not several,
        )


def _states_several(statement: str) -> bool:
    """Whether lemmas are stated together, `Lemma a … with b …`: their one proof is no proof of one of them."""
    words = rocq.words(rocq.without_comments(statement)) if "with" in statement else ()
    return words.count("with") > words.count("match")
