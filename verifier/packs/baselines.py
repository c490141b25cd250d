"""Figures that other people published, held to their own arithmetic before anybody sees them."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from verifier.core.problem import Baseline, Failures, publication
from verifier.packs.folder import Folder, toml_read
from verifier.packs.positions import Path
from verifier.packs.report import Report, named, nearest
from verifier.packs.schema import BaselinesFile, BaselineTable

BASELINES: Final = "baselines.toml"
ALL: Final = "all"
_MAPPINGS: Final = ("scores", "failures", "seconds")


def baselines_read(folder: Folder, categories: Sequence[str], report: Report) -> list[Baseline]:
    """Every row of `baselines.toml`; what its figures contradict, in themselves or in each other, is a finding."""
    file = toml_read(folder, BASELINES, BaselinesFile, report) if BASELINES in folder.files else None
    if file is None:
        return []
    known = [*categories, ALL]
    for name in file.problems:
        _check_category(name, known, ("problems", name), report)
    _check_sum(file.problems, report)
    found: list[Baseline] = []
    for number, entry in enumerate(file.baseline):
        at: Path = ("baseline", number)
        for mapping in _MAPPINGS:
            for name in getattr(entry, mapping):
                _check_category(name, known, (*at, mapping, name), report)
        found.append(_baseline(entry, file.problems, at, report))
    _Agreement(report).check(found)
    return found


def solved_behind(printed: float, total: int) -> list[int]:
    """Whole numbers whose share of `total` is printed as this per cent; a whole number is one without decimals.

    Both ends of the rounding interval count, so that it does not matter how a half was rounded.
    """
    decimals = 0 if isinstance(printed, int) else len(repr(printed).partition(".")[2])
    half = Fraction(1, 2 * 10**decimals)
    exact = Fraction(repr(printed))
    lowest = math.ceil((exact - half) * total / 100)
    highest = math.floor((exact + half) * total / 100)
    return list(range(max(lowest, 0), min(highest, total) + 1))


def _check_category(name: str, known: Sequence[str], at: Path, report: Report) -> None:
    if name not in known:
        guess = nearest(name, known)
        remedy = f"Write `{guess}`." if guess else f"Write one of {named(known)}."
        report.add(BASELINES, f"`{name}` is no category of this pack", remedy, at=at)


def _check_sum(problems: Mapping[str, int], report: Report) -> None:
    parts = sum(number for name, number in problems.items() if name != ALL)
    if ALL in problems and len(problems) > 1 and problems[ALL] < parts:
        message = f"`all` is {problems[ALL]}, and the categories have {parts} problems"
        report.add(BASELINES, message, "Write the number of all problems.", at=("problems", ALL))


def _baseline(entry: BaselineTable, problems: Mapping[str, int], at: Path, report: Report) -> Baseline:
    solved: dict[str, int] = {}
    for name, printed in entry.scores.items():
        if name not in problems:
            continue
        fitting = solved_behind(printed, problems[name])
        if not fitting:
            message = f"no whole number out of {problems[name]} problems is {printed} per cent"
            remedy = "Compare with the print, here and in `problems`."
            report.add(BASELINES, message, remedy, at=(*at, "scores", name))
        elif len(fitting) == 1:
            solved[name] = fitting[0]
    failures = {name: Failures(each.undefined, each.logic, each.other) for name, each in entry.failures.items()}
    named_here = {*entry.scores, *entry.failures, *entry.seconds}
    return Baseline(
        system=entry.system,
        augmentations=tuple(entry.augmentations),
        source=entry.source,
        link=entry.link,
        k=entry.k,
        scores=dict(entry.scores),
        problems={name: number for name, number in problems.items() if name in named_here},
        solved=solved,
        failures=failures,
        seconds=dict(entry.seconds),
        note=entry.note,
    )


def _key(row: Baseline, category: str) -> tuple[object, ...]:
    return publication(row.source, row.link), row.system, row.augmentations, row.k, category


class _Agreement:
    """What rows of one publication say of a system, augmentations and k must fit together, whichever table it is."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.scores: dict[tuple[object, ...], float] = {}
        self.solved: dict[tuple[object, ...], int] = {}

    def check(self, rows: Sequence[Baseline]) -> None:
        for number, row in enumerate(rows):
            for name, printed in row.scores.items():
                self._score(row, name, printed, ("baseline", number, "scores", name))
        for number, row in enumerate(rows):
            for name in row.failures:
                self._failures(row, name, ("baseline", number, "failures", name))

    def _score(self, row: Baseline, name: str, printed: float, at: Path) -> None:
        key = _key(row, name)
        before = self.scores.setdefault(key, printed)
        if name in row.solved:
            self.solved.setdefault(key, row.solved[name])
        if before != printed:
            message = f"ACC#{row.k} of `{row.system}` in {name} is {printed} here and {before} further up"
            remedy = "Compare both with the print; where the print itself differs, keep one and say so in `note`."
            self.report.add(BASELINES, message, remedy, at=at)

    def _failures(self, row: Baseline, name: str, at: Path) -> None:
        failed, solved = row.failures[name].total, self.solved.get(_key(row, name))
        total = row.problems.get(name)
        if total is None or (failed <= total if solved is None else failed + solved == total):
            return
        parts = f"{failed} failures" if solved is None else f"{failed} failures and {solved} solved"
        message = f"{parts} are not the {total} problems of {name}"
        self.report.add(BASELINES, message, "Compare with the print, here and in `problems`.", at=at)
