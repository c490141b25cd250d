"""Figures of papers as the site shows them: tables laid out like the printed ones, and grey rows beside a board.

Pure functions of what `packs sync` mirrored from baselines.toml. Per cent stand as printed; whatever is computed
here (whole numbers behind them, sums, shares, intervals) is computed from whole numbers alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.core.augmentation import AUGMENTATION_WORDS
from verifier.core.problem import publication
from verifier.core.statistics import Interval, wilson

ALL = "all"
CLASSES = ("undefined", "logic", "other")
CLASS_WORDS = {"undefined": "Undefined", "logic": "Logic", "other": "Other"}


@dataclass(frozen=True, slots=True)
class Line:
    """One row of baselines.toml as mirrored; see verifier.core.problem.Baseline for what each part means."""

    system: str
    augmentations: tuple[str, ...]
    source: str
    link: str
    k: int | None
    scores: dict[str, int | float]
    problems: dict[str, int]
    solved: dict[str, int]
    failures: dict[str, dict[str, int]]
    seconds: dict[str, int | float]
    note: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A share as printed, in per cent, with the whole number behind it where print and total leave one possible."""

    printed: str
    solved: int | None = None
    total: int | None = None

    @property
    def interval(self) -> Interval | None:
        """The 95 % Wilson interval, None where the count is not known."""
        return None if self.solved is None or not self.total else wilson(self.solved, self.total)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table: what is printed, and what else is known of it."""

    text: str
    share: str = ""  # per cent that stands beside a count
    detail: str = ""


TableRow = tuple[tuple[str, ...], tuple[Cell | None, ...]]


@dataclass(frozen=True, slots=True)
class PaperTable:
    """One published table. `columns` head the cells of every row; `heads` head the columns before them."""

    source: str
    link: str
    kind: str  # scores, failures, seconds
    title: str
    heads: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportedRow:
    """One system of a paper beside a board: everything that the paper says of it under one set of augmentations.

    `scores` goes by (category or "" for all, k). `failures` are those of ACC#1 by category or "" for all.
    """

    system: str
    augmentations: tuple[str, ...]
    sources: tuple[str, ...]
    link: str
    scores: dict[tuple[str, int], Figure]
    failures: dict[str, dict[str, int]]


def lines_of(manifest: Mapping[str, Any]) -> tuple[Line, ...]:
    """The reported rows of a pack's mirrored manifest, in the order of the file."""
    rows = manifest.get("baselines", [])
    return tuple(Line(**{**row, "augmentations": tuple(row["augmentations"])}) for row in rows)


def shares_of_hundred(parts: Sequence[int]) -> list[int]:
    """Whole per cent that add up to 100: rounded down, then one more for the largest remainders, first come first.

    This is how Selene's Tables 3 and 5 come by 52 % and 57 % where plain rounding gives 53 % and 58 %.
    """
    total = sum(parts)
    if not total:
        return [0] * len(parts)
    shares = [100 * part // total for part in parts]
    by_remainder = sorted(range(len(parts)), key=lambda place: -(100 * parts[place] % total))
    for place in by_remainder[: 100 - sum(shares)]:
        shares[place] += 1
    return shares


def paper_tables(lines: Iterable[Line], categories: Sequence[str]) -> tuple[PaperTable, ...]:
    """One table for each source and kind of figure, in the order of the file."""
    groups: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        for kind in ("scores", "failures", "seconds"):
            if getattr(line, kind):
                groups.setdefault((line.source, kind), []).append(line)
    return tuple(_table(kind, rows, [*categories, ALL]) for (_, kind), rows in groups.items())


def reported_rows(lines: Iterable[Line], categories: Sequence[str]) -> tuple[ReportedRow, ...]:
    """One row a publication, system and augmentations with any score, best ACC#1 over all problems first."""
    groups: dict[tuple[str, str, tuple[str, ...]], list[Line]] = {}
    for line in lines:
        groups.setdefault((publication(line.source, line.link), line.system, line.augmentations), []).append(line)
    rows = [_row(rows, categories) for rows in groups.values() if any(line.scores for line in rows)]
    return tuple(sorted(rows, key=_descending))


def label_of(system: str, augmentations: Iterable[str]) -> str:
    """A system with its augmentations, as people say it; what its name tells already is not said again."""
    words = (AUGMENTATION_WORDS.get(name, name) for name in augmentations)
    return " + ".join([system, *(word for word in words if word not in system.casefold())])


def _table(kind: str, lines: Sequence[Line], order: Sequence[str]) -> PaperTable:
    columns = tuple(name for name in order if any(name in getattr(line, kind) for line in lines))
    heads: tuple[str, ...]
    rows: list[TableRow]
    if kind == "scores":
        helped = " with augmentations" if any(line.augmentations for line in lines) else ""
        title, heads = f"Problems proved{helped}, per cent", ("System", "ACC")
        rows = [((_label(line), f"#{line.k}"), tuple(_score(line, name) for name in columns)) for line in lines]
    elif kind == "seconds":
        title, heads = "Mean checking time of a proof, seconds", ("System",)
        rows = [((_label(line),), tuple(_printed(line.seconds.get(name)) for name in columns)) for line in lines]
    elif len(lines) == 1:
        title, heads = f"What fails: {_label(lines[0])} at ACC#{lines[0].k}", ("Error",)
        rows = _turned(lines[0], columns)
    else:
        names = columns
        title, heads = f"What fails at ACC#{lines[0].k}, by system", ("System", "Category")
        columns = ("Total", *CLASS_WORDS.values())
        rows = [
            ((_label(line), name), _failures(line.failures[name]))
            for line in lines
            for name in names
            if name in line.failures
        ]
    first = lines[0]
    notes = tuple(f"{_label(line)}: {line.note}" for line in lines if line.note)
    return PaperTable(first.source, first.link, kind, title, heads, columns, tuple(rows), notes)


def _label(line: Line) -> str:
    return label_of(line.system, line.augmentations)


def _score(line: Line, name: str) -> Cell | None:
    if name not in line.scores:
        return None
    known = name in line.solved
    return Cell(str(line.scores[name]), detail=f"{line.solved[name]}/{line.problems[name]}" if known else "")


def _printed(value: float | None) -> Cell | None:
    return None if value is None else Cell(str(value))


def _failures(counts: Mapping[str, int]) -> tuple[Cell, ...]:
    """Total, then each class with its share of the failures."""
    numbers = [counts[name] for name in CLASSES]
    shares = shares_of_hundred(numbers)
    parts = [Cell(str(number), share=f"{share} %") for number, share in zip(numbers, shares, strict=True)]
    return (Cell(str(sum(numbers))), *parts)


def _turned(line: Line, columns: Sequence[str]) -> list[TableRow]:
    """Categories across, classes down."""
    cells = [_failures(line.failures[name]) for name in columns]
    heads = ("Total", *CLASS_WORDS.values())
    return [((head,), tuple(column[place] for column in cells)) for place, head in enumerate(heads)]


def _row(lines: Sequence[Line], categories: Sequence[str]) -> ReportedRow:
    scores: dict[tuple[str, int], Figure] = {}
    failures: dict[str, dict[str, int]] = {}
    for line in lines:
        for name, printed in line.scores.items():
            key = ("" if name == ALL else name, line.k or 1)
            scores.setdefault(key, Figure(str(printed), line.solved.get(name), line.problems.get(name)))
        if line.k == 1:
            for name, counts in line.failures.items():
                failures.setdefault("" if name == ALL else name, dict(counts))
    for k in {key[1] for key in scores}:
        _sum_up(scores, k, categories)
    if "" not in failures and all(name in failures for name in categories):
        failures[""] = {part: sum(failures[name][part] for name in categories) for part in CLASSES}
    first = lines[0]
    told = dict.fromkeys(line.source for line in lines if line.scores or line.failures)
    return ReportedRow(first.system, first.augmentations, tuple(told), first.link, scores, failures)


def _sum_up(scores: dict[tuple[str, int], Figure], k: int, categories: Sequence[str]) -> None:
    """ACC#k over all problems from the counts of every category, where the paper does not print it."""
    parts = [scores[name, k] for name in categories if (name, k) in scores]
    if ("", k) in scores or len(parts) < len(categories) or any(part.solved is None for part in parts):
        return
    solved, total = sum(part.solved or 0 for part in parts), sum(part.total or 0 for part in parts)
    scores["", k] = Figure(f"{100 * solved / total:.1f}", solved, total)


def _descending(row: ReportedRow) -> tuple[float, str, tuple[str, ...]]:
    figure = row.scores.get(("", 1))
    value = float(figure.printed) if figure else -1.0
    return (-value, row.system.casefold(), row.augmentations)
