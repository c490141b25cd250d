"""How sure a score and a difference are: intervals, paired tests, tiers and ranks under resampling.

Pure functions of counts and of solved/unsolved vectors over the same problems; nothing here is approximate where an
exact form exists, and everything is deterministic.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, norm

ALPHA: Final = 0.05
RESAMPLES: Final = 1000
SEED: Final = 20240611


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends of an interval, ends included, as shares of one."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Paired:
    """A paired comparison: problems that the first solves alone, the second alone, and the two-sided p value."""

    gained: int
    lost: int
    p: float


@dataclass(frozen=True, slots=True)
class Tier:
    """A run of a ranking that its leader cannot be told from.

    `start` and `stop` are places in the ranking; `leader` is the place of its first. `opened_by` is the comparison of
    that first system with the leader of the tier before, with Holm's adjusted p; None in the first tier.
    """

    start: int
    stop: int
    opened_by: Paired | None


@cache
def _quantile(confidence: float) -> float:
    return float(norm.ppf(1 - (1 - confidence) / 2))


def wilson(solved: int, total: int, confidence: float = 0.95) -> Interval:
    """Score interval of a proportion.

    With z the normal quantile and p = solved/total: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n). Source: Wilson
    1927, "Probable inference, the law of succession, and statistical inference". An end that the formula puts at
    solved = 0 or solved = total is exactly 0 or 1. Raises ValueError without a total or outside 0..total.
    """
    if not 0 <= solved <= total or total < 1:
        raise ValueError(f"no interval for {solved} of {total}")
    z = _quantile(confidence)
    share, scale = solved / total, 1 + z * z / total
    middle = (share + z * z / (2 * total)) / scale
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / scale
    return Interval(
        low=0.0 if solved == 0 else max(0.0, middle - half),
        high=1.0 if solved == total else min(1.0, middle + half),
    )


@cache
def mcnemar(gained: int, lost: int) -> float:
    """Two-sided p value of the exact paired test on discordant problems.

    Under no difference each discordant problem falls to either side with probability 1/2, so p is that of a binomial
    test of min(gained, lost) among gained + lost; 1 where nothing is discordant. Source: McNemar 1947, in its exact
    form (Agresti, "Categorical Data Analysis", section 11.1).
    """
    discordant = gained + lost
    return float(binomtest(min(gained, lost), discordant, 0.5).pvalue) if discordant else 1.0


def paired(first: Sequence[bool], second: Sequence[bool]) -> Paired:
    """What `first` solves and `second` does not, the reverse, and the exact paired test of the two."""
    gained = sum(a and not b for a, b in zip(first, second, strict=True))
    lost = sum(b and not a for a, b in zip(first, second, strict=True))
    return Paired(gained=gained, lost=lost, p=mcnemar(gained, lost))


def holm(values: Sequence[float]) -> list[float]:
    """P values adjusted for their number, in the order given.

    The i-th smallest of m (i from 0) becomes the running maximum of min(1, (m - i) p). Source: Holm 1979, "A simple
    sequentially rejective multiple test procedure".
    """
    adjusted = [0.0] * len(values)
    highest = 0.0
    for step, index in enumerate(sorted(range(len(values)), key=lambda i: values[i])):
        highest = max(highest, min(1.0, (len(values) - step) * values[index]))
        adjusted[index] = highest
    return adjusted


def tiers(ranking: Sequence[Sequence[bool]], alpha: float = ALPHA) -> list[Tier]:
    """Tiers of a ranking, best first, given each system's solved problems.

    Walking down, a system opens a new tier when it differs from the current tier's leader by `mcnemar`, adjusted by
    `holm` over that leader's comparisons with all systems ranked below it (design, section 10).
    """
    found: list[Tier] = []
    matrix = np.array([list(row) for row in ranking], dtype=bool)
    leader, opened_by = 0, None
    while leader < len(ranking):
        comparisons = _against(matrix, leader)
        adjusted = holm([each.p for each in comparisons])
        below = next((place for place, p in enumerate(adjusted) if p < alpha), None)
        stop = len(ranking) if below is None else leader + 1 + below
        found.append(Tier(start=leader, stop=stop, opened_by=opened_by))
        if below is not None:
            opened_by = Paired(comparisons[below].gained, comparisons[below].lost, adjusted[below])
        leader = stop
    return found


def rank_intervals(
    ranking: Sequence[Sequence[bool]], *, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> list[tuple[int, int]]:
    """Lowest and highest rank of each system when the problems are drawn again, for all systems alike.

    Paired bootstrap: every resample draws as many problems with replacement and ranks all systems on that draw, equal
    score, equal rank; the ends are the percentiles of those ranks (inverted distribution function), widened to the
    rank on the set itself where that lies outside. Source: Efron 1979; for league tables Goldstein and Spiegelhalter
    1996. The seed is fixed, so that a board never changes by itself.
    """
    if not ranking:
        return []
    matrix = np.array([list(row) for row in ranking], dtype=np.float64)
    problems = matrix.shape[1]
    if problems == 0:
        return [(1, len(ranking))] * len(ranking)
    draw = np.random.default_rng(seed).multinomial(problems, np.full(problems, 1 / problems), size=resamples)
    ranks = _ranks(draw @ matrix.T)
    own = _ranks(matrix.sum(axis=1)[np.newaxis, :])[0]
    tail = (1 - confidence) / 2
    low, high = np.quantile(ranks, [tail, 1 - tail], axis=0, method="inverted_cdf")
    return [(int(min(a, here)), int(max(b, here))) for a, b, here in zip(low, high, own, strict=True)]


def _against(matrix: NDArray[np.bool_], leader: int) -> list[Paired]:
    """Comparisons of all systems below `leader` with it."""
    below, top = matrix[leader + 1 :], matrix[leader]
    gained, lost = (below & ~top).sum(axis=1), (~below & top).sum(axis=1)
    return [Paired(int(g), int(m), mcnemar(int(g), int(m))) for g, m in zip(gained, lost, strict=True)]


def _ranks(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Rank in each row: one more than the number of strictly higher scores."""
    ordered = np.sort(scores, axis=1)
    above = [row.size - np.searchsorted(line, row, side="right") for line, row in zip(ordered, scores, strict=True)]
    return np.asarray(above, dtype=np.int64) + 1
