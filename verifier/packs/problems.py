"""From theories and problem files to problems: every pointer resolved, every ground truth held to its category."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from verifier.core.problem import ProblemSpec, Split, Status
from verifier.packs.categories import category_fitting, category_mismatch
from verifier.packs.folder import Folder, table_read, text_read, toml_values
from verifier.packs.positions import Path
from verifier.packs.report import Report, named, nearest
from verifier.packs.schema import PackFile, ProblemsFile, ProblemTable
from verifier.packs.theories import Source, Stated


@dataclass(frozen=True, slots=True)
class Theory:
    """One unit as read: path in the pack, text and what it states."""

    path: str
    text: str
    stated: Sequence[Stated]


@dataclass(frozen=True, slots=True)
class Theories:
    """Theories by unit, in building order, and the commands that theories declare."""

    by_unit: dict[str, Theory]
    commands: Mapping[str, str]

    @property
    def files(self) -> dict[str, str]:
        """Units that lie in folders, with their path under theories/."""
        paths = {unit: theory.path.removeprefix("theories/") for unit, theory in self.by_unit.items()}
        return {unit: path for unit, path in paths.items() if "/" in path}


def theories_read(folder: Folder, pack: PackFile, source: Source, report: Report) -> Theories:
    """The units; files that no unit names become findings, but for those in folders, which sessions may need."""
    places = _places(folder, source)
    paths = sorted(path for same in places.values() for path in same) if source.sessions else []
    commands = source.declared(text for path in paths if (text := text_read(folder, path, report)) is not None)
    theories: dict[str, Theory] = {}
    for number, unit in enumerate(pack.units):
        found = places.get(unit, [])
        if unit.lower() in {known.lower() for known in theories}:
            report.add("pack.toml", f"unit `{unit}` is named twice", "Name it once.", at=("units", number))
        elif not found:
            message = f"no file theories/{unit}{source.extension}"
            report.add("pack.toml", message, "Add the file or take the unit away.", at=("units", number))
        elif len(found) > 1:
            message = f"unit `{unit}` may be any of {named(found)}"
            report.add("pack.toml", message, "Keep one of the files.", at=("units", number))
        elif (text := text_read(folder, found[0], report)) is not None:
            theories[unit] = Theory(found[0], text, source.stated(text, commands))
    _check_strangers(folder, pack, source, report)
    return Theories(theories, commands)


def _places(folder: Folder, source: Source) -> dict[str, list[str]]:
    """Files under theories/ by stem."""
    places: dict[str, list[str]] = {}
    for path in folder.under("theories"):
        if path.endswith(source.extension):
            places.setdefault(path.rsplit("/", 1)[1].removesuffix(source.extension), []).append(path)
    return places


def _check_strangers(folder: Folder, pack: PackFile, source: Source, report: Report) -> None:
    for path in folder.under("theories"):
        _, inside, name = path.removeprefix("theories/").rpartition("/")
        if inside and source.sessions:
            continue
        if name.endswith(source.extension):
            if name.removesuffix(source.extension) not in pack.units:
                report.add(path, "no unit of pack.toml", "Add its stem to `units`, in building order, or take it away.")
        elif inside or name not in source.project_files:
            report.add(
                path, "neither a theory nor a project file", "Take it away; compiled files are not part of a pack."
            )


@dataclass(frozen=True, slots=True)
class Problems:
    """What could be read: problems by id in the order of units and theories, and every id that is at least named.

    `complete` is False when a file could not be read at all, so that nobody complains about ids it may name.
    """

    by_id: dict[str, ProblemSpec]
    named: frozenset[str]
    complete: bool


def problems_read(folder: Folder, pack: PackFile, theories: dict[str, Theory], report: Report) -> Problems:
    """All problems of the pack; a faulty entry does not keep its neighbours from being checked."""
    found: list[ProblemSpec] = []
    taken: dict[str, str] = {}
    names: set[str] = set()
    complete = True
    for member in folder.under("problems"):
        stem = member.removeprefix("problems/").removesuffix(".toml")
        if not member.endswith(".toml") or stem not in pack.units:
            remedy = "Name it problems/<unit>.toml after a unit of pack.toml."
            report.add(member, "no problems file of a unit", remedy)
            continue
        values = toml_values(folder, member, report)
        if values is None:
            complete = False
            continue
        entries = _entries(member, values, report)
        names |= _named(values)
        _check_ids(entries, member, taken, report)
        if stem in theories:
            found += _Pointers(pack, stem, theories[stem], member, report).resolve(entries)
    order = {unit: number for number, unit in enumerate(pack.units)}
    found.sort(key=lambda p: (order[p.unit], p.position))
    return Problems({problem.id: problem for problem in found}, frozenset(names), complete)


Entries = list[tuple[int, ProblemTable]]


def _named(values: dict[str, Any]) -> set[str]:
    """Ids that a file names, also in entries that the schema refuses."""
    listed = values.get("problem")
    entries = listed if isinstance(listed, list) else []
    return {entry["id"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str)}


def _entries(member: str, values: dict[str, Any], report: Report) -> Entries:
    """Entries with their place in the file; where the schema refuses some, the others are kept."""
    file = table_read(member, values, ProblemsFile, report)
    if file is not None:
        return list(enumerate(file.problem))
    sound: Entries = []
    listed = values.get("problem")
    for number, entry in enumerate(listed if isinstance(listed, list) else []):
        with suppress(ValidationError):
            sound.append((number, ProblemTable.model_validate(entry)))
    return sound


def _check_ids(entries: Entries, member: str, taken: dict[str, str], report: Report) -> None:
    for number, entry in entries:
        here = f"`{entry.id}` in {member}"
        if entry.id.lower() in taken:
            message = f"id `{entry.id}` is taken by {taken[entry.id.lower()]}; case does not tell ids apart"
            report.add(member, message, "Choose another id.", at=("problem", number, "id"))
        else:
            taken[entry.id.lower()] = here


class _Pointers:
    """Resolves the problems of one unit against what its theory states."""

    def __init__(self, pack: PackFile, unit: str, theory: Theory, member: str, report: Report) -> None:
        self.unit, self.theory, self.member, self.report = unit, theory, member, report
        self.categories = {category.name: category for category in pack.categories}
        self.for_teams = pack.edition == "team"
        self.by_name: dict[str, list[Stated]] = {}
        for lemma in theory.stated:
            self.by_name.setdefault(lemma.name, []).append(lemma)

    def resolve(self, entries: Entries) -> list[ProblemSpec]:
        found: list[ProblemSpec] = []
        owners: dict[int, str] = {}
        for number, entry in entries:
            at: Path = ("problem", number)
            if entry.category not in self.categories:
                self._refuse_category(entry, at)
            lemma = self._lemma(entry, at)
            if lemma is None:
                continue
            if owner := owners.get(lemma.position):
                message = f"`{entry.id}` and `{owner}` are the same lemma `{lemma.name}`"
                self.report.add(self.member, message, "Keep one of the two problems.", at=at)
            owners[lemma.position] = entry.id
            kept = self.for_teams and entry.split == "evaluation"
            if not kept:
                self._check_truth(entry, lemma, at)
            found.append(self._problem(entry, lemma, "" if kept else lemma.proof))
        return found

    def _refuse_category(self, entry: ProblemTable, at: Path) -> None:
        guess = nearest(entry.category, self.categories)
        remedy = f"Write `{guess}`." if guess else f"Write one of {named(list(self.categories))}, or add it there."
        message = f"category `{entry.category}` is not named in pack.toml"
        self.report.add(self.member, message, remedy, at=(*at, "category"))

    def _lemma(self, entry: ProblemTable, at: Path) -> Stated | None:
        pointer = entry.lemma or entry.id
        key = (*at, "lemma" if entry.lemma else "id")
        *modules, name = pointer.split(".")
        depth = len(modules)
        found = [s for s in self.by_name.get(name, []) if not depth or list(s.scope[-depth:]) == modules]
        if len(found) == 1:
            return found[0]
        if found:
            paths = named([".".join((*lemma.scope, lemma.name)) for lemma in found])
            message = f"{self.theory.path} states {len(found)} lemmas `{pointer}`"
            self.report.add(self.member, message, f"Write `lemma` with its path, one of {paths}.", at=key)
        else:
            guess = nearest(name, self.by_name)
            remedy = f'Write `lemma = "{guess}"`.' if guess else "Write the name of a lemma that is stated there."
            self.report.add(self.member, f"{self.theory.path} states no lemma `{pointer}`", remedy, at=key)
        return None

    def _check_truth(self, entry: ProblemTable, lemma: Stated, at: Path) -> None:
        if not lemma.finished:
            message = f"the ground truth of `{entry.id}` is not finished"
            self.report.add(self.theory.path, message, "Prove it, or take the problem away.", at=lemma.line)
            return
        if lemma.transparent and entry.split == "evaluation":
            message = f"later proofs can read the ground truth of `{entry.id}`, since it ends with `Defined`"
            self.report.add(self.theory.path, message, "End it with `Qed`, or make it a demonstration.", at=lemma.line)
        category = self.categories.get(entry.category)
        wrong = category_mismatch(category, lemma) if category else ""
        if wrong:
            fits = category_fitting(list(self.categories.values()), lemma)
            remedy = f"Write `{fits}`, which it fits, or" if fits else "No category fits it: take the problem away or"
            message = f"`{entry.id}` is no {entry.category}: its ground truth (line {lemma.line} of the theory) {wrong}"
            self.report.add(self.member, message, f"{remedy} change the proof.", at=(*at, "category"))

    def _problem(self, entry: ProblemTable, lemma: Stated, ground_truth: str) -> ProblemSpec:
        return ProblemSpec(
            id=entry.id,
            revision=entry.revision,
            category=entry.category,
            unit=self.unit,
            lemma=lemma.name,
            statement=lemma.statement,
            position=lemma.position,
            status=Status(entry.status),
            split=Split(entry.split),
            bundle=entry.bundle,
            permitted_axioms=tuple(entry.permitted_axioms),
            tags=tuple(entry.tags),
            scope=lemma.scope,
            ground_truth=ground_truth,
        )
