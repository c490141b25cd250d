"""From the facts that count to a pack: sources, problems, demonstrations, one set. Same facts, same bytes."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from verifier.core.display import shown
from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding
from verifier.extract.choice import DEMONSTRATIONS, chosen
from verifier.extract.facts import MOST_LINES
from verifier.extract.written import manifest_file, problems_file, set_file
from verifier.packs.manifest import MANIFEST
from verifier.packs.schema import UNIT, CategoryTable, PackFile, ProblemTable
from verifier.packs.theories import Stated

SET: Final = "all"
_SPDX: Final = re.compile(r"SPDX-License-Identifier:\s*([A-Za-z0-9.+-]+)")
_RENAME: Final = "Rename the file: letters, digits, `_` and `'`, a letter first."
_FOREIGN: Final = re.compile(r"[^A-Za-z0-9_'-]+")
CATEGORIES: Final = {
    "P1": ("procedural, one line", (1, 1)),
    "P2": ("procedural, two to six lines", (2, 6)),
    "P3": ("procedural, seven to twenty lines", (7, MOST_LINES)),
    "D": ("declarative: the ground truth is a structured proof", None),
}
_STATES_GOALS: Final = "declarative: the ground truth states intermediate goals"  # what D is for Rocq


@dataclass(frozen=True, slots=True)
class Unit:
    """A theory: all that it states as the pack's reader sees it, and the lines of what counts.

    `unfit` are lines of facts whose own proof no team could send, so that it is no demonstration. With `needed` it is
    a unit of the pack also where none of its facts is a problem.
    """

    name: str
    stated: Sequence[Stated]
    lines: frozenset[int]
    unfit: frozenset[int] = frozenset()
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """What pack.toml says of the benchmark as a whole."""

    title: str
    summary: str
    prover: str
    toolchain: str
    citation: str
    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem as it is written into the pack."""

    id: str
    unit: str
    lemma: str
    category: str
    split: str = "evaluation"
    fit: bool = True
    transparent: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """The files of the pack by path, its problems, and what counts but cannot be told apart in a pack, by reason.

    `notes` say what became of lemmas that another pack takes.
    """

    files: Mapping[str, bytes]
    problems: Sequence[Problem]
    left_out: Counter[str]
    notes: Sequence[str] = ()


def pack_of(heading: Heading, units: Sequence[Unit], sources: Mapping[str, bytes]) -> Written:
    """The pack. `sources` are the files under theories/ by path; `units` come in the order in which they are built."""
    left_out: Counter[str] = Counter()
    problems = _split(_named([one for unit in units for one in _pointed(unit, left_out)]))
    if all(one.split != "evaluation" for one in problems):
        why = ": later proofs can read every proof that counts" if problems else ""
        message = f"nothing that these sources state can be a problem{why}"
        raise InputFault([Finding(Consequence.REFUSED, message, "Name other sources or other rules.", MANIFEST, 1)])
    tables: dict[str, list[ProblemTable]] = {}
    for one in problems:
        table = ProblemTable.model_construct(id=one.id, lemma=one.lemma, category=one.category, split=one.split)
        tables.setdefault(one.unit, []).append(table)
    named = [unit.name for unit in units if unit.needed or unit.name in tables]
    evaluated = [(problem.id, 1) for problem in problems if problem.split == "evaluation"]
    files = {f"theories/{path}": data for path, data in sources.items()}
    files[MANIFEST] = _manifest(heading, named, problems, sources.values()).encode()
    files[f"sets/{SET}.toml"] = set_file(f"All {len(evaluated):,} evaluation problems", evaluated).encode()
    files |= {f"problems/{unit}.toml": problems_file(inside).encode() for unit, inside in tables.items()}
    return Written(files, problems, left_out)


def refuse_names(units: Sequence[str], others: Iterable[str], remedy: str) -> None:
    """InputFault with every file of a unit whose name no pack can have, or that another file of the pack has too.

    A pack finds its units by their names alone, and some file systems do not tell case apart.
    """
    faults = [
        Finding(Consequence.REFUSED, "a unit of a pack cannot have this name", _RENAME, shown(member), 1)
        for member in units
        if not re.fullmatch(UNIT, Path(member).stem)
    ]
    named: dict[str, list[str]] = {}
    for member in dict.fromkeys((*units, *others)):
        named.setdefault(Path(member).stem.lower(), []).append(shown(member))
    for name in dict.fromkeys(Path(member).stem.lower() for member in units):
        if len(same := named[name]) > 1:
            message = f"a pack cannot tell {len(same)} files of this name apart: {', '.join(same)}"
            faults.append(Finding(Consequence.REFUSED, message, remedy, same[1], 1))
    if faults:
        raise InputFault(faults)


def write(written: Written, folder: Path) -> None:
    """Write the files into a folder that is not there yet or empty; InputFault when it holds something."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        message = "there is something already"
        raise InputFault([Finding(Consequence.REFUSED, message, "Name a new folder.", folder.name, None)])
    for path, data in written.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def category_of(lemma: Stated) -> str:
    """The category by the pack's own measure, in which comments are no lines; empty where the proof is longer."""
    if lemma.lines > MOST_LINES:
        return ""
    if lemma.declarative:
        return "D"
    return next(name for name, (_, lines) in CATEGORIES.items() if lines and lines[0] <= lemma.lines <= lines[1])


def pointer_of(same: Sequence[Stated], lemma: Stated) -> str:
    """The shortest path that leads to this lemma and to no other; empty where none does.

    `same` are the lemmas of its unit that have its name.
    """
    for depth in range(len(lemma.scope) + 1):
        path = lemma.scope[len(lemma.scope) - depth :]
        if sum(one.scope[len(one.scope) - depth :] == path for one in same if len(one.scope) >= depth) == 1:
            return ".".join((*path, lemma.name))
    return ""


def _pointed(unit: Unit, left_out: Counter[str]) -> list[Problem]:
    """The facts that count and that a name leads to, and to no other fact of the theory."""
    found = []
    met = {lemma.line: lemma for lemma in unit.stated if lemma.line in unit.lines}
    left_out["has no name"] += len(unit.lines) - len(met)
    same: dict[str, list[Stated]] = {}
    for lemma in unit.stated:
        same.setdefault(lemma.name, []).append(lemma)
    for lemma in met.values():
        pointer, category = pointer_of(same[lemma.name], lemma), category_of(lemma)
        if "." in lemma.name or any(mark.isspace() for mark in pointer) or len(pointer) > 200:
            left_out["has a name that no pointer can hold"] += 1
        elif not pointer:
            left_out["shares its name with another of its theory"] += 1
        elif not category or not lemma.finished or lemma.lines < 1:
            left_out["has no finished proof of one to twenty lines"] += 1
        elif lemma.transparent and lemma.line in unit.unfit:
            left_out["can be read by later proofs, and is no proof that a team could send"] += 1
        else:
            fit = lemma.line not in unit.unfit
            found.append(Problem("", unit.name, pointer, category, fit=fit, transparent=lemma.transparent))
    return found


def _named(problems: Sequence[Problem]) -> list[Problem]:
    """Every problem with an id that no other has, whatever the case: the lemma's name, else with its theory."""
    simple = Counter(_id(problem.lemma.rpartition(".")[2]).lower() for problem in problems)
    taken: set[str] = set()
    found = []
    for problem in problems:
        name = _id(problem.lemma.rpartition(".")[2])
        base = name if simple[name.lower()] == 1 else _id(f"{problem.unit}-{name}")
        number, unique = 1, base
        while unique.lower() in taken:
            number += 1
            unique = f"{base[:90]}-{number}"
        taken.add(unique.lower())
        found.append(replace(problem, id=unique))
    return found


def _id(name: str) -> str:
    plain = _FOREIGN.sub("-", name).strip("-'_")[:96]
    return plain if any(mark.isalpha() for mark in plain) else f"fact-{plain}".rstrip("-")


def _split(problems: Sequence[Problem]) -> list[Problem]:
    """Five demonstrations of each category, never more than half of it, and all that later proofs can read.

    The others are evaluated.
    """
    given = {problem.id for problem in problems if problem.transparent}
    for category in CATEGORIES:
        inside = [problem for problem in problems if problem.category == category and not problem.transparent]
        fit = [problem.id for problem in inside if problem.fit]
        given |= set(chosen(fit, min(DEMONSTRATIONS, len(inside) // 2), seed=0))
    return [replace(one, split="demonstration") if one.id in given else one for one in problems]


def _manifest(heading: Heading, units: Sequence[str], problems: Sequence[Problem], sources: Iterable[bytes]) -> str:
    present = {problem.category for problem in problems}
    categories = [
        CategoryTable.model_construct(
            name=name,
            meaning=_STATES_GOALS if name == "D" and heading.prover == "rocq" else meaning,
            lines=rule,
            declarative=rule is None,
        )
        for name, (meaning, rule) in CATEGORIES.items()
        if name in present
    ]
    values: dict[str, Any] = {
        "format": 1,
        "title": heading.title,
        "summary": heading.summary,
        "prover": heading.prover,
        "toolchain": heading.toolchain,
        "licence": _licence(sources),
        "citation": heading.citation,
        "units": list(units),
        "current_set": SET,
        "k_values": [1, 5],
        "primary_metric": "acc1",
        "proofs": "choice",
        "categories": categories,
    }
    if heading.variables:
        values["variables"] = dict(sorted(heading.variables.items()))
    return manifest_file(PackFile.model_construct(**values))


def _licence(sources: Iterable[bytes]) -> str:
    """The licences that the files themselves name."""
    found = {name for data in sources for name in _SPDX.findall(data[:4096].decode("utf-8", "replace"))}
    return " AND ".join(sorted(found))[:200] or "LicenseRef-unknown"
