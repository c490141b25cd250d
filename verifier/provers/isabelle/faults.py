"""Published faults of Isabelle by which something false could pass, and how each is met here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from verifier.provers.base import KnownFault

_Release = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Row:
    has: Callable[[_Release], bool]
    fault: KnownFault


_ROWS: Final = (
    _Row(
        lambda release: release == (2025, 1),
        KnownFault(
            "NEWS of Isabelle2025-2",
            "Isabelle2025-1",
            "`isabelle build` accepts a proof that ends with `sorry`",
            "`sorry` is refused before a proof is run and by the driver, and no skipped proof passes the kernel check",
            "Prove the goal.",
        ),
    ),
    _Row(
        lambda release: release < (2025, 1),
        KnownFault(
            "NEWS of Isabelle2025-1",
            "before Isabelle2025-1",
            "method `normalization` may accept a goal that does not hold",
            "it rests on an oracle, and no proof may rest on one that the problem does not permit",
            "Use `simp` or `auto`.",
        ),
    ),
)


def known(version: str) -> tuple[KnownFault, ...]:
    """The faults of a release; a development version counts as the release before it."""
    year, _, minor = version.partition(" ")[0].partition("+")[0].partition("-")
    release = (int(year) if year.isdigit() else 0, int(minor) if minor.isdigit() else 0)
    return tuple(row.fault for row in _ROWS if row.has(release))
