"""How sure a score and a difference are: intervals, paired tests, tiers and ranks under resampling.

Pure functions of counts and of solved/unsolved vectors over the same problems; nothing here is approximate where an
exact form exists, and everything is deterministic.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr
from scipy.stats import norm

ALPHA: Final = 0.05
RESAMPLES: Final = 1000
SEED: Final = 20240611

Solved = Sequence[Sequence[bool]] | NDArray[np.bool_]  # systems by problems, best system first


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


@lru_cache(maxsize=2**16)
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


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided p value of the exact paired test on discordant problems.

    Under no difference each discordant problem falls to either side with probability 1/2, so with n = gained + lost
    and X binomial(n, 1/2), p = min(1, 2 P(X <= min(gained, lost))); 1 where nothing is discordant. Source: McNemar
    1947, in its exact form (Agresti, "Categorical Data Analysis", section 11.1).
    """
    return float(_mcnemar(np.array([gained]), np.array([lost]))[0])


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
    return [float(each) for each in _holm(np.asarray(values, dtype=float))]


def tiers(ranking: Solved, alpha: float = ALPHA) -> list[Tier]:
    """Tiers of a ranking, best first, given each system's solved problems.

    Walking down, a system opens a new tier when it differs from the current tier's leader by `mcnemar`, adjusted by
    `holm` over that leader's comparisons with all systems ranked below it (design, section 10).
    """
    found: list[Tier] = []
    matrix = np.asarray(ranking, dtype=bool)
    leader, opened_by = 0, None
    while leader < len(ranking):
        gained, lost = _against(matrix, leader)
        adjusted = _holm(_mcnemar(gained, lost))
        different = np.flatnonzero(adjusted < alpha)
        stop = leader + 1 + int(different[0]) if different.size else len(ranking)
        found.append(Tier(start=leader, stop=stop, opened_by=opened_by))
        if different.size:
            below = different[0]
            opened_by = Paired(int(gained[below]), int(lost[below]), float(adjusted[below]))
        leader = stop
    return found


def rank_intervals(
    ranking: Solved, *, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> list[tuple[int, int]]:
    """Lowest and highest rank of each system when the problems are drawn again, for all systems alike.

    Paired bootstrap: every resample draws as many problems with replacement and ranks all systems on that draw, equal
    score, equal rank; the ends are the percentiles of those ranks (inverted distribution function), widened to the
    rank on the set itself where that lies outside. Source: Efron 1979; for league tables Goldstein and Spiegelhalter
    1996. The seed is fixed, so that a board never changes by itself.
    """
    if not len(ranking):
        return []
    matrix = np.asarray(ranking, dtype=np.float32)
    problems = matrix.shape[1]
    if problems == 0:
        return [(1, len(ranking))] * len(ranking)
    ranks = _ranks(_draws(problems, resamples, seed) @ matrix.T)
    own = _ranks(matrix.sum(axis=1)[np.newaxis, :])[0]
    tail = (1 - confidence) / 2
    low, high = np.quantile(ranks, [tail, 1 - tail], axis=0, method="inverted_cdf")
    return [(int(min(a, here)), int(max(b, here))) for a, b, here in zip(low, high, own, strict=True)]


def _mcnemar(gained: NDArray[np.int64], lost: NDArray[np.int64]) -> NDArray[np.float64]:
    """`mcnemar` of many pairs; the distribution of a fair coin is symmetric, so both tails weigh the same."""
    discordant = gained + lost
    lower = bdtr(np.minimum(gained, lost).astype(float), np.maximum(discordant, 1), 0.5)
    return np.asarray(np.where(discordant > 0, np.minimum(1.0, 2.0 * lower), 1.0))


def _holm(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """`holm` of an array."""
    order = np.argsort(values, kind="stable")
    steps = np.minimum(1.0, (values.size - np.arange(values.size)) * values[order])
    adjusted = np.empty_like(values)
    adjusted[order] = np.maximum.accumulate(steps)
    return adjusted


def _against(matrix: NDArray[np.bool_], leader: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What each system below `leader` solves and it does not, and the reverse."""
    below, top = matrix[leader + 1 :], matrix[leader]
    shared = (below & top).sum(axis=1)
    return below.sum(axis=1) - shared, int(top.sum()) - shared


def _draws(problems: int, resamples: int, seed: int) -> NDArray[np.float32]:
    """How often each problem is drawn, one resample a row; exact in this type up to 2^24 problems."""
    picks = np.random.default_rng(seed).integers(problems, size=(resamples, problems))
    picks += np.arange(resamples)[:, np.newaxis] * problems
    tally = np.bincount(picks.ravel(), minlength=resamples * problems)
    drawn: NDArray[np.float32] = tally.reshape(resamples, problems).astype(np.float32)
    return drawn


def _ranks(scores: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """Rank in each row: one more than the number of strictly higher scores."""
    whole: NDArray[np.int64] = np.rint(scores).astype(np.int64)
    found: NDArray[np.int64] = np.empty(whole.shape, dtype=np.int64)
    for place, row in enumerate(whole):
        tally = np.bincount(row)
        found[place] = row.size - np.cumsum(tally)[row]
    found += 1
    return found
