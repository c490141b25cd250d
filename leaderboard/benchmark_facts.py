"""What a benchmark's and an environment's page say, computed from their rows."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from leaderboard.cache import once
from leaderboard.filters import Filters
from leaderboard.grid import grid_at
from leaderboard.selectors import Benchmark
from leaderboard.standings import Row, board
from verifier.core.sizes import size_words
from verifier.models import Problem

LEADERS = 3
BYTES = "bytes"
LIMITS = (
    ("wall_seconds", "Checking time", "s", "timeout"),
    ("tokens", "Length", "tokens", "rejected"),
    ("proof_bytes", "Size", BYTES, "rejected"),
    ("memory_bytes", "Memory", BYTES, "resource"),
    ("output_bytes", "Output", BYTES, "resource"),
)


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """How many problems of one category count, are given away, or were withdrawn."""

    name: str
    meaning: str
    total: int
    demonstrations: int
    withdrawn: int


@dataclass(frozen=True, slots=True)
class Rule:
    """One limit of a proof in plain words."""

    name: str
    value: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Window:
    """When uploads are taken, and whether they are now."""

    opens: datetime | None
    closes: datetime | None
    open_now: bool


def category_rows(benchmark: Benchmark, problems: Iterable[Problem]) -> tuple[list[CategoryRow], CategoryRow]:
    """One row a category in the pack's order, and one for all."""
    rows = list(problems)
    withdrawn = Counter(row.category for row in rows if row.status == "withdrawn")
    given = Counter(row.category for row in rows if row.split == "demonstration" and row.status == "active")
    parts = [
        CategoryRow(each.name, each.meaning, each.total, given[each.name], withdrawn[each.name])
        for each in benchmark.categories
    ]
    return parts, CategoryRow("", "", benchmark.total, given.total(), withdrawn.total())


def rules(limits: Mapping[str, Any]) -> list[Rule]:
    """Limits of one proof, with the verdict that follows beyond each."""
    return [
        Rule(name, size_words(int(limits[key])) if unit == BYTES else f"{limits[key]:,g} {unit}", verdict)
        for key, name, unit, verdict in LIMITS
        if key in limits
    ]


def window(opens: datetime | None, closes: datetime | None) -> Window:
    """The time in which uploads are taken."""
    now = datetime.now(UTC)
    return Window(opens, closes, (opens is None or opens <= now) and (closes is None or now < closes))


def leaders(benchmark: Benchmark, filters: Filters) -> tuple[Row, ...]:
    """The first rows of the board as the pack ranks it."""

    def make() -> tuple[Row, ...]:
        return board(benchmark, grid_at(benchmark, None), filters).ranked[:LEADERS]

    return once(
        f"leaders|{benchmark.state}", make, last=f"leaders|{benchmark.pack.slug}|{benchmark.problem_set.digest}"
    )


def recipe_lines(recipe: Mapping[str, Any], before: str = "") -> list[tuple[str, str]]:
    """A nested mapping as flat lines, in its own order; lists are written as JSON."""
    lines: list[tuple[str, str]] = []
    for name, value in recipe.items():
        if isinstance(value, Mapping):
            lines += recipe_lines(value, f"{before}{name}.")
        else:
            lines.append((f"{before}{name}", value if isinstance(value, str) else json.dumps(value)))
    return lines
