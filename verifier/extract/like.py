"""What did a host decide about a pack, and which pack does that make of its sources as they stand now."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding
from verifier.extract.pack import Problem, Unit, Written, pointer_of
from verifier.extract.written import manifest_file, problems_file, set_file
from verifier.packs.categories import category_fitting, category_mismatch
from verifier.packs.folder import folder_read, text_read, toml_read
from verifier.packs.manifest import MANIFEST
from verifier.packs.report import Report
from verifier.packs.schema import CategoryTable, PackFile, ProblemsFile, ProblemTable, SetFile
from verifier.packs.theories import Stated

_MADE: Final = ("theories/", "problems/", "sets/")  # all else beside pack.toml is the host's own


@dataclass(frozen=True, slots=True)
class Choices:
    """What a pack says that no source does.

    `problems` are the lemmas taken, by the unit whose file names them; `sets` go by name; `own` are files that no
    theory has a part in: README, self-tests, samples, published figures.
    """

    heading: PackFile
    problems: Mapping[str, Sequence[ProblemTable]]
    sets: Mapping[str, SetFile]
    own: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class _Taken:
    unit: int
    lemma: Stated
    table: ProblemTable


def choices_read(root: Path, prover: str) -> Choices:
    """The choices in a pack's folder, whatever its theories say by now; InputFault with all that is wrong."""
    report = Report()
    if not (root / MANIFEST).is_file():
        message = f"no {MANIFEST} of a pack here"
        raise InputFault([Finding(Consequence.REFUSED, message, "Name a pack's folder.", root.name, None)])
    folder = folder_read(root, report)
    heading = toml_read(folder, MANIFEST, PackFile, report)
    if heading is not None and heading.prover != prover:
        report.add(MANIFEST, f"this is a pack for {heading.prover}", f"Write extract {heading.prover}.", at=("prover",))
    if heading is not None and heading.edition != "host":
        report.add(MANIFEST, "this edition holds no proofs", "Name the host's own pack.", at=("edition",))
    problems = {_stem(path): toml_read(folder, path, ProblemsFile, report) for path in folder.under("problems")}
    sets = {_stem(path): toml_read(folder, path, SetFile, report) for path in folder.under("sets")}
    own = [path for path in folder.files if path != MANIFEST and not path.startswith(_MADE)]
    for path in own:
        text_read(folder, path, report)
    report.raise_if_any()
    assert heading is not None, "what is no heading is a finding"
    return Choices(
        heading,
        {unit: file.problem for unit, file in problems.items() if file},
        {name: file for name, file in sets.items() if file},
        {path: (root / path).read_bytes() for path in own},
    )


def pack_like(choices: Choices, units: Sequence[Unit], sources: Mapping[str, bytes]) -> Written:
    """The pack of the lemmas that the host took, with all that the sources say written anew.

    Pointers, categories by the pack's own rules, the order of problems, the file that each stands in, units and the
    digests of sets come from `units`, which are all theories in the order in which they are built. Notes name every
    lemma that is gone, moved, has another category or is stated and not taken, and sets that lost members.
    """
    notes: list[str] = []
    taken = sorted(_taken(choices, units, notes), key=lambda one: (one.unit, one.lemma.position))
    notes += _not_taken(units, taken)
    tables: dict[str, list[ProblemTable]] = {}
    for one in taken:
        tables.setdefault(units[one.unit].name, []).append(one.table)
    if not tables:
        message = "none of the lemmas that this pack takes is in the sources"
        raise InputFault([Finding(Consequence.REFUSED, message, "Name other sources.", MANIFEST, None)])
    present = [unit.name for unit in units if unit.needed or unit.name in tables]
    files = {f"theories/{path}": data for path, data in sources.items()}
    files[MANIFEST] = manifest_file(choices.heading.model_copy(update={"units": present})).encode()
    files |= {f"problems/{unit}.toml": problems_file(inside).encode() for unit, inside in tables.items()}
    files |= _sets(choices, {one.table.id for one in taken}, notes)
    problems = [
        Problem(one.table.id, units[one.unit].name, one.lemma.name, one.table.category, one.table.split)
        for one in taken
    ]
    return Written({**files, **choices.own}, problems, Counter(), tuple(notes))


def _taken(choices: Choices, units: Sequence[Unit], notes: list[str]) -> Iterator[_Taken]:
    """Problems with the lemma that each means now; notes on those that are gone or changed."""
    for unit, tables in choices.problems.items():
        for table in tables:
            found = _meant(table.lemma or table.id, unit, units)
            if len(found) != 1:
                how = f"names {len(found)} lemmas" if found else "is gone from the sources"
                notes.append(f"left out, {how}: {table.lemma or table.id} of {unit}, problem {table.id}")
                continue
            at, lemma = found[0]
            category = _category(choices.heading.categories, table, lemma)
            if not category:
                notes.append(f"left out, fits no category: {lemma.name} of {units[at].name}, problem {table.id}")
                continue
            if units[at].name != unit:
                notes.append(f"moved from {unit} to {units[at].name}: {lemma.name}, problem {table.id}")
            if category != table.category:
                notes.append(f"{table.category} before, {category} now: {lemma.name}, problem {table.id}")
            same = [one for one in units[at].stated if one.name == lemma.name]
            update = {"lemma": pointer_of(same, lemma), "category": category}
            yield _Taken(at, lemma, table.model_copy(update=update))


def _meant(pointer: str, unit: str, units: Sequence[Unit]) -> list[tuple[int, Stated]]:
    """The lemmas that a pointer means: in its own unit, else in any other."""
    *modules, name = pointer.split(".")
    found = [
        (at, lemma)
        for at, one in enumerate(units)
        for lemma in one.stated
        if lemma.name == name and (not modules or list(lemma.scope[-len(modules) :]) == modules)
    ]
    return [(at, lemma) for at, lemma in found if units[at].name == unit] or found


def _category(categories: list[CategoryTable], table: ProblemTable, lemma: Stated) -> str:
    """The host's category while the proof fits it, else the first that it fits; empty where none does."""
    if not lemma.finished or lemma.lines < 1:
        return ""
    own = next((one for one in categories if one.name == table.category), None)
    return own.name if own and not category_mismatch(own, lemma) else category_fitting(categories, lemma)


def _not_taken(units: Sequence[Unit], taken: Sequence[_Taken]) -> Iterator[str]:
    met = {(one.unit, one.lemma.line) for one in taken}
    for at, unit in enumerate(units):
        names = [one.name for one in unit.stated if one.line in unit.lines and (at, one.line) not in met]
        if names:
            yield f"not taken, {len(names)} of {unit.name}: {', '.join(names)}"


def _sets(choices: Choices, present: set[str], notes: list[str]) -> dict[str, bytes]:
    """The sets in their frozen order, less what is gone."""
    files = {}
    for name, one in choices.sets.items():
        written = [(problem, int(revision)) for problem, _, revision in (line.partition("@") for line in one.members)]
        members = [(problem, revision) for problem, revision in written if problem in present]
        if len(members) < len(written):
            lost = ", ".join(problem for problem, _ in written if problem not in present)
            notes.append(f"set {name} is another now and needs another name: without {lost}")
        files[f"sets/{name}.toml"] = set_file(one.title, members, one.seed, one.drawn).encode()
    return files


def _stem(path: str) -> str:
    return Path(path).stem
