"""The files of a pack as the judge walks through them: sentences, and where each problem's lemma stands."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from verifier.core import rocq
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack, ProblemSpec
from verifier.provers.rocq import policy
from verifier.provers.rocq.commands import Library

_PROJECT: Final = "_CoqProject"
SHUT: Final = "It stands in a functor, a module type or a sealed module, so its assumptions cannot be asked for."


@dataclass(frozen=True, slots=True)
class Unit:
    """One file: its text, its sentences, its lemmas, and the index of each lemma's statement in `sentences`."""

    name: str
    place: str  # where it stands below the library, `Folder/Unit`
    source: str
    sentences: tuple[rocq.Sentence, ...]
    lemmas: tuple[rocq.SourceLemma, ...]
    indices: tuple[int, ...]

    def lemma_of(self, problem: ProblemSpec) -> rocq.SourceLemma:
        """Where a problem is stated; PlatformFault when the file does not state it."""
        for lemma in self.lemmas:
            if lemma.name == problem.lemma and lemma.index == problem.position:
                return lemma
        named = [lemma for lemma in self.lemmas if lemma.name == problem.lemma and lemma.scope == problem.scope]
        if len(named) == 1:
            return named[0]
        raise PlatformFault(f"Problem {problem.id}: {self.name}.v does not state the lemma {problem.lemma}.")


def path_of(pack: Pack, unit: str) -> Path:
    """The file of a unit."""
    return pack.source(unit, ".v")


def place_of(pack: Pack, unit: str) -> str:
    """Where a unit stands below the library, as `Folder/Unit`."""
    return pack.files.get(unit, f"{unit}.v").removesuffix(".v")


def image_of(pack: Pack, unit: str) -> str:
    """The compiled file of a unit, by its path in the environment."""
    return f"{place_of(pack, unit)}.vo"


def read(pack: Pack, unit: str) -> Unit:
    """The unit as it stands in the pack's folder."""
    path = path_of(pack, unit)
    try:
        return _parse(unit, place_of(pack, unit), path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PlatformFault(f"{path.name} of pack {pack.slug} cannot be read: {error.strerror}.") from error


def shut(pack: Pack) -> dict[str, str]:
    """Problems that no proof can be confirmed of, with the reason: from outside nobody can name their lemmas."""
    return {one.id: SHUT for one in pack.problems if read(pack, one.unit).lemma_of(one).modules is None}


def left_out(pack: Pack) -> frozenset[str]:
    """Lemmas that are taken as given at home, as the edition for teams leaves their proofs out; none for the host."""
    if not pack.for_teams:
        return frozenset()
    lemmas = (lemma for unit in pack.units for lemma in read(pack, unit).lemmas)
    return frozenset(lemma.name for lemma in lemmas if lemma.ending == "Admitted")


def tactic_names(pack: Pack) -> frozenset[str]:
    """Capitalised tactics that the pack's own files define; read again only when a file has changed."""
    paths = tuple(path_of(pack, unit) for unit in pack.units)
    try:
        stamps = tuple((stat.st_ino, stat.st_mtime_ns, stat.st_size) for stat in map(Path.stat, paths))
        return _tactic_names(paths, stamps)
    except OSError as error:
        raise PlatformFault(f"A file of pack {pack.slug} cannot be read: {error.strerror}.") from error


@lru_cache(maxsize=32)
def _tactic_names(paths: tuple[Path, ...], stamps: tuple[tuple[int, int, int], ...]) -> frozenset[str]:  # noqa: ARG001 - part of the key
    return policy.tactic_names("\n".join(path.read_text(encoding="utf-8") for path in paths))


@lru_cache(maxsize=64)
def _parse(name: str, place: str, source: str) -> Unit:
    sentences = tuple(rocq.sentences(source))
    lemmas = tuple(rocq.lemmas(source))
    starts = {sentence.start: at for at, sentence in enumerate(sentences)}
    return Unit(name, place, source, sentences, lemmas, tuple(starts[lemma.start] for lemma in lemmas))


def library_named(slug: str) -> str:
    """The name by which files of a pack know each other where the pack gives none."""
    return "".join(part.capitalize() for part in slug.split("-"))


def library_of(pack: Pack) -> Library:
    """How the pack's files are loaded: what theories/_CoqProject says, else a name made from the slug."""
    name, short, words = library_named(pack.slug), False, list[str]()
    project = pack.root / "theories" / _PROJECT
    if project.is_file():
        words = project.read_text(encoding="utf-8").split()
    for at, word in enumerate(words[:-2]):
        if word in {"-Q", "-R"}:
            name, short = words[at + 2], word == "-R"
            break
    return Library(name, short, prelude="-noinit" not in words)
