"""The table 'so far': what the checked lemmas of a run add up to. None of it is a score."""

from collections.abc import Iterable
from dataclasses import dataclass

from submissions.selectors.results import MISSING, WAITING, AttemptCell, ProblemLine
from verifier.core.metrics import scoring_attempt
from verifier.core.verdict import ErrorClass, Verdict


@dataclass(frozen=True, slots=True)
class Tally:
    """One category. Only lemmas whose attempts are all checked count; failures are of the scoring attempt.

    `other` includes `missing`, the lemmas for which that attempt has no proof.
    """

    category: str
    lemmas: int
    done: int
    first: int
    ever: int
    undefined: int
    logic: int
    other: int
    missing: int

    @property
    def failures(self) -> int:
        """Failures of the three classes together."""
        return self.undefined + self.logic + self.other


def tallies(lines: tuple[ProblemLine, ...], categories: Iterable[str]) -> tuple[tuple[Tally, ...], Tally]:
    """A tally for every category that has a line, in the order in which the pack names them, and the sum."""
    order = {name: place for place, name in enumerate(categories)}
    names = sorted({line.category for line in lines}, key=lambda name: (order.get(name, len(order)), name))
    rows = tuple(_tally(name, [line for line in lines if line.category == name]) for name in names)
    return rows, _tally("All", list(lines))


def _tally(name: str, lines: list[ProblemLine]) -> Tally:
    done = [line for line in lines if all(cell.verdict != WAITING for cell in line.cells)]
    first = [cell for line in done for cell in line.cells if cell.attempt == scoring_attempt(_attempts(line.cells))]
    classes = [cell.error_class for cell in first]
    missing = sum(cell.verdict == MISSING for cell in first)
    return Tally(
        category=name,
        lemmas=len(lines),
        done=len(done),
        first=sum(cell.verdict == Verdict.PROVED for cell in first),
        ever=sum(any(_sample_proved(cell) for cell in line.cells) for line in done),
        undefined=classes.count(ErrorClass.UNDEFINED),
        logic=classes.count(ErrorClass.LOGIC),
        other=classes.count(ErrorClass.OTHER) + missing,
        missing=missing,
    )


def _attempts(cells: tuple[AttemptCell, ...]) -> list[int]:
    return [cell.attempt for cell in cells]


def _sample_proved(cell: AttemptCell) -> bool:
    return cell.attempt >= 1 and cell.verdict == Verdict.PROVED
