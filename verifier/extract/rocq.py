"""Which lemmas does a Rocq project state, folder by folder, and which pack do they make."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

from verifier.core import rocq
from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding
from verifier.extract.facts import Ending, Fact, Rules, kept
from verifier.extract.isabelle import Extraction, SessionFacts
from verifier.extract.pack import Heading, Unit, Written, pack_of
from verifier.extract.sources import SourceFault, member_of, read_text
from verifier.packs.surroundings import READERS
from verifier.packs.theories import SOURCES, states_goals_rocq

PROJECT: Final = "_CoqProject"
_ENDINGS: Final = {"Qed": Ending.PROVED, "Defined": Ending.PROVED, "Save": Ending.PROVED}
_GIVEN_UP: Final = frozenset({"Admitted", "Abort"})
_FROM: Final = re.compile(r"\bFrom\s+([\w.]+)\s+Require(?:\s+(?:Import|Export))?\s+([\w\s]+)\.")
_MAPPED: Final = {"-Q": 2, "-R": 2, "-I": 1, "-arg": 1}


@dataclass(frozen=True, slots=True)
class _File:
    member: str
    path: Path
    text: str


def extract_rocq(sources: Path, rules: Rules) -> Extraction:
    """The lemmas of every file that `_CoqProject` lists, or of every `.v` file below where there is none.

    Folders stand in the place of sessions. A scope is a section or module; `strict` leaves lemmas inside one out.
    Raises InputFault for rules that are Isabelle's alone and for files that cannot be read.
    """
    if rules is Rules.PAPER:
        raise InputFault([_finding("paper", "these rules read Isabelle alone", "Use strict or full.")])
    return _counted(_files(sources), rules)


def extract_rocq_pack(sources: Path, rules: Rules) -> tuple[Extraction, Written]:
    """The lemmas and the pack of them; InputFault where the files do not lie in one folder, as in every Rocq pack."""
    files = _files(sources)
    found = _counted(files, rules)
    folders = sorted({str(Path(file.member).parent) for file in files})
    if len(folders) != 1:
        message = f"the files lie in {len(folders)} folders, and a Rocq pack holds one"
        raise InputFault([_finding(folders[1], message, f"Name one of them, such as {folders[0]}, as --sources.")])
    lines: dict[str, set[int]] = {}
    for fact in (fact for one in found.sessions for fact in one.kept):
        lines.setdefault(fact.member, set()).add(fact.line)
    reader = SOURCES["rocq"].stated
    units = [
        Unit(file.path.stem, reader(file.text, {}), frozenset(lines.get(file.member, ()))) for file in _ordered(files)
    ]
    texts = {file.path.name: file.text.encode() for file in files}
    if name := _logical(sources, files):
        texts[PROJECT] = f"-Q . {name}\n".encode()
    heading = Heading(
        title=f"Lemmas of {name or sources.name}",
        summary=f"Lemmas of the Rocq project {name or sources.name}, extracted by the rules `{rules}`.",
        prover="rocq",
        toolchain=">=8.16",
        citation=f"Lemmas of the Rocq project {name or sources.name}, extracted by Selen under the rules `{rules}`.",
        variables={},
    )
    return found, pack_of(heading, units, texts, every_unit=True)


def _files(sources: Path) -> list[_File]:
    project = sources / PROJECT
    if project.is_file():
        paths = [sources / word for word in _plain(_words(project, sources)) if word.endswith(".v")]
    else:
        paths = sorted(path for path in sources.rglob("*.v") if not path.is_symlink())
    faults: list[Finding] = []
    files = []
    for path in dict.fromkeys(paths):
        try:
            files.append(_File(member_of(path, sources), path, _closed(path, sources)))
        except SourceFault as fault:
            faults.append(fault.finding)
    if faults or not files:
        raise InputFault(faults or [_finding(PROJECT, "there is no .v file here", "Name the folder of a project.")])
    return files


def _closed(path: Path, sources: Path) -> str:
    text = read_text(path, sources)
    unclosed = rocq.outline(text).unclosed
    if unclosed is not None and unclosed.what != "sentence":
        message = f"a {unclosed.what} begins here and never ends"
        raise SourceFault(member_of(path, sources), unclosed.line, message, "Close it.")
    return text


def _words(project: Path, sources: Path) -> list[str]:
    try:
        return shlex.split(read_text(project, sources), comments=True)
    except SourceFault as fault:
        raise InputFault([fault.finding]) from None
    except ValueError:
        raise InputFault([_finding(PROJECT, "a quote is never closed", "Close it.")]) from None


def _plain(words: Sequence[str]) -> Iterator[str]:
    """The words that are no option and no option's value."""
    skipped = 0
    for word in words:
        if skipped:
            skipped -= 1
        elif word in _MAPPED:
            skipped = _MAPPED[word]
        else:
            yield word


def _logical(sources: Path, files: Sequence[_File]) -> str:
    """The name that `_CoqProject` gives the files, else the one by which they require each other, or nothing."""
    words = _words(sources / PROJECT, sources) if (sources / PROJECT).is_file() else []
    mapped = (words[at + 2] for at, word in enumerate(words[:-2]) if word in {"-Q", "-R"})
    stems = {file.path.stem for file in files}
    required = (
        match.group(1)
        for file in files
        for match in _FROM.finditer(rocq.without_comments(file.text))
        if stems & set(match.group(2).split())
    )
    return next(mapped, "") or next(required, "")


def _counted(files: Sequence[_File], rules: Rules) -> Extraction:
    folders: dict[str, list[_File]] = {}
    for file in files:
        folders.setdefault(Path(file.member).parent.as_posix(), []).append(file)
    found = []
    for folder, inside in sorted(folders.items()):
        seen = tuple(fact for file in inside for fact in _facts(folder, file))
        found.append(SessionFacts(folder, len(inside), seen, tuple(fact for fact in seen if kept(fact, rules))))
    return Extraction(tuple(found), ())


def _facts(folder: str, file: _File) -> Iterator[Fact]:
    for lemma in rocq.lemmas(file.text):
        ending = Ending.GIVEN_UP if lemma.ending in _GIVEN_UP else _ENDINGS.get(lemma.ending, Ending.OPEN)
        yield Fact(
            session=folder,
            theory=file.path.stem,
            member=file.member,
            line=lemma.line,
            keyword=lemma.keyword.lower(),
            name=lemma.name,
            proof_lines=lemma.proof_lines,
            declarative=states_goals_rocq(lemma.proof),
            ending=ending,
            in_block=bool(lemma.scope),
        )


def _ordered(files: Sequence[_File]) -> list[_File]:
    """The files so that each stands behind those that it requires."""
    by_stem = {file.path.stem: file for file in files}
    needs = {
        stem: [name for name in READERS["rocq"].imports(file.text) if name in by_stem and name != stem]
        for stem, file in by_stem.items()
    }
    try:
        return [by_stem[stem] for stem in TopologicalSorter(needs).static_order()]
    except CycleError as error:
        chain = " → ".join(f"{stem}.v" for stem in error.args[1])
        raise InputFault(
            [_finding(f"{error.args[1][0]}.v", f"the files require each other: {chain}", "Break it.")]
        ) from None


def _finding(member: str, message: str, remedy: str) -> Finding:
    return Finding(Consequence.REFUSED, message, remedy, member, 1)
