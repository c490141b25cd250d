"""Which files make a Rocq project, under which names they know each other, and in which order they are built."""

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from io import StringIO
from itertools import takewhile
from pathlib import Path
from typing import Final

from verifier.core import rocq
from verifier.core.display import shown
from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding
from verifier.extract.sources import (
    BRING,
    OUTSIDE,
    SourceFault,
    chain_of,
    leaves,
    member_of,
    read_text,
    real_path,
)

PROJECT: Final = "_CoqProject"
_MAPPED: Final = {"-Q": 2, "-R": 2, "-I": 1, "-arg": 1}
_FILTER: Final = re.compile(r"\([^()]*\)")  # what an import takes of a file, or leaves out
_NAME: Final = re.compile(r"[\w.']+")
_OWN: Final = ("theories", "Init/Prelude.v", "Coq")  # the prover's own library: folder, a file there, name
_INSTALLED: Final = "user-contrib"  # where the prover looks for libraries of others


@dataclass(frozen=True, slots=True)
class File:
    """One file: as messages name it, its text, and its full name for those that require it, as `Coq.Lists.List`."""

    member: str
    path: Path
    text: str
    module: str

    @property
    def folder(self) -> str:
        """The folder that it lies in, relative to the sources."""
        return Path(self.member).parent.as_posix()


@dataclass(frozen=True, slots=True)
class Project:
    """The files, the name that all their names begin with, and how they are loaded.

    `short` says that they require each other by last names alone, `prelude` that they are read behind the prover's
    beginning. `own` is the prover's own library, which nothing can stand in for; `installed` one that the prover finds
    compiled, its own or another.
    """

    files: Sequence[File]
    library: str
    short: bool
    prelude: bool
    own: bool
    installed: bool

    def ordered(self) -> list[File]:
        """The files so that each stands behind those that it requires; InputFault for circles."""
        names: dict[str, list[File]] = {}
        for file in self.files:
            names.setdefault(file.module.rpartition(".")[2], []).append(file)
        needs = {file.member: [one.member for one in self._required(file, names)] for file in self.files}
        by_member = {file.member: file for file in self.files}
        try:
            return [by_member[member] for member in TopologicalSorter(needs).static_order()]
        except CycleError as error:
            message = f"the files require each other: {chain_of(error.args[1])}"
            raise InputFault([finding(error.args[1][0], message, "Break it.")]) from None

    def _required(self, file: File, names: Mapping[str, Sequence[File]]) -> Iterator[File]:
        for prefix, name in _requires(file.text):
            full = f"{prefix}.{name}" if prefix else name
            found = [
                one
                for one in names.get(name.rpartition(".")[2], ())
                if one is not file and self._means(prefix, name, full, one.module)
            ]
            if len(found) == 1:
                yield found[0]

    def _means(self, prefix: str, name: str, full: str, module: str) -> bool:
        if prefix:
            return module == full or (module.startswith(f"{prefix}.") and module.endswith(f".{name}"))
        return module == full or (self.short and module.endswith(f".{name}"))


def project_read(sources: Path) -> Project:
    """The files that `_CoqProject` lists, all below its folders where it lists none, all where there is no such file.

    Raises InputFault with every file that cannot be read.
    """
    lines = _words(sources / PROJECT, sources) if (sources / PROJECT).is_file() else []
    words = [word for word, _ in lines]
    prefix, own = _installed(sources)
    _refuse_strange(sources, lines, folders=not prefix)
    mapped = {folder: (name, option) for option, folder, name in _mappings(words)} if not prefix else {}
    files = _files(sources, _paths(sources, words, mapped), _names(sources, mapped, prefix))
    if prefix:
        return Project(files, prefix, short=own, prelude=prefix != "Coq.Init", own=own, installed=True)
    prelude = "-noinit" not in words
    if mapped:
        library = _common([name for name, _ in mapped.values()])
        short = any(option == "-R" for _, option in mapped.values())
        return Project(files, library, short=short, prelude=prelude, own=False, installed=False)
    return _unnamed(sources, files, prelude=prelude)


def finding(member: str, message: str, remedy: str, line: int = 1) -> Finding:
    """Something that a project cannot be read with."""
    return Finding(Consequence.REFUSED, message, remedy, shown(member), line)


def _unnamed(sources: Path, files: Sequence[File], *, prelude: bool) -> Project:
    """Without a mapping: the name by which the files require each other, or any where they use last names alone."""
    stems = {file.path.stem for file in files}
    required = [(prefix, name) for file in files for prefix, name in _requires(file.text) if name in stems]
    library = next((prefix for prefix, _ in required if prefix), "")
    short = not library and any(not prefix for prefix, _ in required)
    if short:
        library = "".join(part.capitalize() for part in re.split(r"[^A-Za-z0-9]+", sources.name)) or "Project"
    named = [
        File(one.member, one.path, one.text, f"{library}.{one.module}" if library else one.module) for one in files
    ]
    return Project(named, library, short=short, prelude=prelude, own=False, installed=False)


def _installed(sources: Path) -> tuple[str, bool]:
    """The name that the prover gives a folder of what is installed with it, and whether it is its own; or nothing."""
    folder, mark, name = _OWN
    for parent in (sources, *sources.parents):
        below = sources.relative_to(parent).parts
        if parent.name == folder and (parent / mark).is_file():
            return ".".join((name, *below)), True
        if parent.name == _INSTALLED and below:
            return ".".join(below), False
    return "", False


def _paths(sources: Path, words: Sequence[str], mapped: Mapping[str, tuple[str, str]]) -> list[Path]:
    listed = [sources / word for word in _plain(words) if word.endswith(".v")]
    return list(dict.fromkeys(listed or sorted(path for folder in mapped or ["."] for path in _below(sources, folder))))


def _below(sources: Path, folder: str) -> list[Path]:
    try:
        return [path for path in (sources / folder).rglob("*.v") if not path.is_symlink()]
    except (OSError, RecursionError) as error:
        why = getattr(error, "strerror", None) or "its folders lie too deep in each other"
        message = f"the folder {shown(folder)} cannot be read: {why}"
        raise InputFault([finding(PROJECT, message, "List the files that count.")]) from None


def _names(sources: Path, mapped: Mapping[str, tuple[str, str]], prefix: str) -> Mapping[Path, str]:
    """Folders with the name that files below them have in front of their own; the nearest folder counts."""
    if not mapped:
        return {sources.resolve(): prefix}
    named = {sources / folder: name for folder, (name, _) in mapped.items()}
    return {real_path(folder) or folder: name for folder, name in named.items()}


def _files(sources: Path, paths: Sequence[Path], names: Mapping[Path, str]) -> list[File]:
    faults: list[Finding] = []
    files = []
    for path in paths:
        try:
            files.append(File(member_of(path, sources), path, _closed(path, sources), _module(path, names)))
        except SourceFault as fault:
            faults.append(fault.finding)
    if faults or not files:
        raise InputFault(faults or [finding(PROJECT, "there is no .v file here", "Name the folder of a project.")])
    return files


def _module(path: Path, names: Mapping[Path, str]) -> str:
    place = path.resolve()
    for parent in place.parents:
        if parent in names:
            parts = place.relative_to(parent).with_suffix("").parts
            return ".".join((names[parent], *parts) if names[parent] else parts)
    return path.stem


def _closed(path: Path, sources: Path) -> str:
    text = read_text(path, sources)
    unclosed = rocq.outline(text).unclosed
    if unclosed is not None and unclosed.what != "sentence":
        message = f"a {unclosed.what} begins here and never ends"
        raise SourceFault(member_of(path, sources), unclosed.line, message, "Close it.")
    return text


def _words(project: Path, sources: Path) -> list[tuple[str, int]]:
    """The words of `_CoqProject`, each with its line."""
    try:
        text = f"{read_text(project, sources)}\n"
        stream = StringIO(text)
        lexer = shlex.shlex(stream, posix=True)
        lexer.whitespace_split = True
        return [(word, lexer.lineno - (text[stream.tell() - 1] == "\n")) for word in lexer]
    except SourceFault as fault:
        raise InputFault([fault.finding]) from None
    except ValueError:
        raise InputFault([finding(PROJECT, "a quote is never closed", "Close it.")]) from None


def _refuse_strange(sources: Path, lines: Sequence[tuple[str, int]], *, folders: bool) -> None:
    """InputFault with every listed file and mapped folder that is a link or none of the sources, and with odd names."""
    words = [word for word, _ in lines]
    odd = {name for _, _, name in _mappings(words) if not _NAME.fullmatch(name)}
    named = {word for word in _plain(words) if word.endswith(".v")}
    named |= {folder for _, folder, _ in _mappings(words)} if folders else set()
    faults = []
    for word, line in reversed(dict(reversed(lines)).items()):
        if word in odd:
            faults.append(finding(PROJECT, f"no library can be called {shown(word)}", "Join names by dots.", line))
        if word not in named:
            continue
        what = "file" if word.endswith(".v") else "folder"
        if leaves(sources / word, sources):
            faults.append(finding(PROJECT, f"the {what} {shown(word)} {OUTSIDE}", BRING, line))
        elif _linked(sources / word, sources):
            message = f"the {what} {shown(word)} is a link or lies behind one"
            faults.append(finding(PROJECT, message, f"Name the {what} that it leads to.", line))
    if faults:
        raise InputFault(sorted(faults, key=lambda one: one.line or 0))


def _linked(path: Path, sources: Path) -> bool:
    """Whether a part of the path, which lies in the sources, is a link."""
    inside = Path(os.path.relpath(path, sources))
    parts = (part for part in (inside, *inside.parents) if part.name)
    return any(os.path.islink(sources / part) for part in parts)  # noqa: PTH114 - no fault where a name is too long


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


def _mappings(words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Option, folder and name of every `-Q folder name` and `-R folder name`."""
    for at, word in enumerate(words[:-2]):
        if word in {"-Q", "-R"} and words[at + 2]:
            yield word, words[at + 1], words[at + 2]


def _common(names: Sequence[str]) -> str:
    """The names' common beginning, part by part; InputFault where there is none."""
    columns = zip(*(name.split(".") for name in names), strict=False)
    shared = [same[0] for same in takewhile(lambda same: len(set(same)) == 1, columns)]
    if not shared:
        listed = ", ".join(sorted(names))
        message = f"its folders have names without a common beginning: {listed}"
        raise InputFault([finding(PROJECT, message, "Leave one library in it, and extract each by itself.")])
    return ".".join(shared)


def _requires(text: str) -> Iterator[tuple[str, str]]:
    """Prefix and name of every file that a text requires, sentence by sentence."""
    for sentence in rocq.outline(text).notable:
        if "Require" not in sentence.text or not sentence.text.endswith("."):
            continue
        match _FILTER.sub(" ", rocq.without_comments(sentence.text[:-1])).split():
            case ["From", prefix, "Require", *names]:
                pass
            case ["Require", *names]:
                prefix = ""
            case _:
                continue
        names = names[1:] if names[:1] in (["Import"], ["Export"]) else names
        yield from ((prefix, name) for name in names if _NAME.fullmatch(name))
