"""What one run scores: integers per category and compact vectors that every board is computed from.

Definitions are those of the Selene paper (section 4.1 Metrics, Tables 2, 3 and 7) as the design fixes them (section
10). Everything stays a whole number until it is shown; nothing here knows a database.
"""

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from verifier.core.verdict import Confirmation, ErrorClass, Verdict

LETTERS: Final = {ErrorClass.UNDEFINED: "u", ErrorClass.LOGIC: "l", ErrorClass.OTHER: "o"}
PROVED, MISSING, INTERNAL = "-", "m", "i"


@dataclass(frozen=True, slots=True)
class Member:
    """A problem of the set, in the order of the set; its index is its place in the vectors."""

    id: str
    category: str


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One stored result: `index` is the member's place, `attempt` 0 for greedy and 1.. for samples."""

    index: int
    attempt: int
    verdict: str
    reason: str = ""
    error_class: str = ""
    wall_ms: int = 0
    confirmation: str = Confirmation.NOT_NEEDED


@dataclass(frozen=True, slots=True)
class Summary:
    """JSON-ready numbers of one run.

    `counts`: `problems`; `scoring` (the attempt behind ACC#1 and the error table, 0 or 1); `samples` (highest sample
    uploaded); `uploaded`, `judged`; `verdicts` and `reasons` over all attempts; `proved`, `confirmed`, `pending`,
    `internal` over all attempts; `categories` (name -> `total`, `outcomes` by letter of the error vector, `reasons`
    and `times` of the scoring attempt, `evidence` = what it proved, `sampled` = the same for each of samples 1, 2, …;
    a piece of evidence is `proved`, `confirmed`, `pending`).
    `vectors`: `first`, `greedy`, `count`, `samples`, `withheld` (lowest sample without a verdict, 0 for none) as lists,
    `error` as a string with one letter a problem.
    """

    counts: dict[str, Any]
    vectors: dict[str, Any]


def scoring_attempt(attempts: Iterable[int]) -> int:
    """Attempt behind ACC#1 and the error table: 0 where there is any greedy answer, else 1 (design, section 10)."""
    return 0 if 0 in set(attempts) else 1


def summarise(members: Sequence[Member], rows: Iterable[ResultRow], uploaded: Iterable[tuple[int, int]]) -> Summary:
    """Numbers of one run over the frozen `members`; `uploaded` holds (index, attempt) of every proof sent.

    An uploaded proof without a row, and a proved one whose confirmation disagreed, are internal: never counted as
    failed, never as proved (design, sections 4 and 7).
    """
    sent = set(uploaded)
    table = {(row.index, row.attempt): row for row in rows}
    scoring = scoring_attempt(attempt for _, attempt in sent)
    proved = {place for place, row in table.items() if _outcome(row) == PROVED}
    errors = [_error(index, scoring, sent, table) for index in range(len(members))]
    known = {place for place, row in table.items() if _outcome(row) != INTERNAL}
    vectors = {
        "first": _lowest_samples(proved, len(members)),
        "greedy": [int((index, 0) in proved) for index in range(len(members))],
        "count": _numbers_of_samples(proved, len(members)),
        "samples": _numbers_of_samples(sent, len(members)),
        "withheld": _lowest_samples(sent - known, len(members)),
        "error": "".join(errors),
    }
    verdicts = Counter(str(Verdict.INTERNAL) if _outcome(row) == INTERNAL else row.verdict for row in table.values())
    verdicts[str(Verdict.INTERNAL)] += len(sent - table.keys())
    counts = {
        "problems": len(members),
        "scoring": scoring,
        "samples": max((attempt for _, attempt in sent), default=0),
        "uploaded": len(sent),
        "judged": len(table),
        "verdicts": {name: number for name, number in sorted(verdicts.items()) if number},
        "reasons": _reasons(table.values()),
        "proved": len(proved),
        "confirmed": sum(table[place].confirmation == Confirmation.CONFIRMED for place in proved),
        "pending": sum(table[place].confirmation == Confirmation.PENDING for place in proved),
        "internal": verdicts[str(Verdict.INTERNAL)],
        "categories": _categories(members, errors, scoring, table),
    }
    return Summary(counts=counts, vectors=vectors)


def counted_attempts(scoring: int, k: int) -> range:
    """Attempts of which one has to be proved for ACC#k: the scoring attempt for k = 1, samples 1 to k beyond.

    Source: Selene, section 4.1 (ACC#k) and 4.2 (temperature 0 for ACC#1); design, section 10.
    """
    return range(scoring, scoring + 1) if k == 1 else range(1, k + 1)


def solved(vectors: Mapping[str, Any], scoring: int, k: int) -> list[bool]:
    """Which problems ACC#k counts: those that one of its `counted_attempts` proves."""
    attempts = counted_attempts(scoring, k)
    if 0 in attempts:
        return [bool(value) for value in vectors["greedy"]]
    return [value in attempts for value in vectors["first"]]


def owed(vectors: Mapping[str, Any], scoring: int, k: int) -> list[bool]:
    """Where ACC#k waits for a verdict that the platform owes and that could still change it (design, section 4).

    That is the scoring attempt for k = 1; beyond, a problem that none of samples 1..k proves while one of them is open.
    """
    if k == 1:
        return [letter == INTERNAL for letter in vectors["error"]]
    pairs = zip(vectors["withheld"], solved(vectors, scoring, k), strict=True)
    return [0 < value <= k and not done for value, done in pairs]


def has_acc(samples: int, k: int) -> bool:
    """Whether ACC#k says something: k = 1 always, beyond that only where a second sample was uploaded at all."""
    return k == 1 or samples > 1


@lru_cache(maxsize=4096)
def pass_at_k(n: int, c: int, k: int) -> float:
    """Unbiased estimate of the chance that one of k samples proves it, from c proved among n.

    pass@k = 1 - C(n - c, k) / C(n, k). Source: Chen et al. 2021, "Evaluating Large Language Models Trained on Code",
    section 2.1, equation 1. Raises ValueError where the estimator does not exist (k > n, c > n, k < 1).
    """
    if not (1 <= k <= n and 0 <= c <= n):
        raise ValueError(f"pass@{k} needs 1 <= k <= n and 0 <= c <= n, not n = {n}, c = {c}")
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)


def mean_pass_of_tally(tally: Sequence[int], n: int, k: int) -> float | None:
    """Mean of pass@k over problems with n samples each; None where fewer than k samples were uploaded.

    `tally` holds how many problems have 0, 1, 2, … proved samples. A sample that is missing for one problem counts as
    not proved there, so n is that of the submission.
    """
    total = sum(tally)
    if not 1 <= k <= n or not total:
        return None
    return math.fsum(number * pass_at_k(n, c, k) for c, number in enumerate(tally) if number) / total


def macro(scores: Iterable[tuple[int, int]]) -> float | None:
    """Mean over categories of solved/total, each category weighing the same; empty categories are left out."""
    rates = [done / total for done, total in scores if total]
    return math.fsum(rates) / len(rates) if rates else None


def percentile(values: Sequence[int], share: float) -> int:
    """Nearest-rank percentile: the smallest value that at least `share` of all values do not exceed."""
    if not values:
        raise ValueError("a percentile needs at least one value")
    return sorted(values)[max(math.ceil(share * len(values)), 1) - 1]


def _lowest_samples(places: Iterable[tuple[int, int]], size: int) -> list[int]:
    """The lowest sample of each of `size` problems that is among the places; 0 for none."""
    lowest = [0] * size
    for index, attempt in sorted(places, reverse=True):
        if attempt:
            lowest[index] = attempt
    return lowest


def _numbers_of_samples(places: Iterable[tuple[int, int]], size: int) -> list[int]:
    """How many samples of each of `size` problems are among the places."""
    numbers = Counter(index for index, attempt in places if attempt)
    return [numbers[index] for index in range(size)]


def _outcome(row: ResultRow) -> str:
    """Letter of one result: proved, internal, or its error class."""
    if row.verdict == Verdict.INTERNAL or row.confirmation == Confirmation.DISAGREED:
        return INTERNAL
    return PROVED if row.verdict == Verdict.PROVED else LETTERS[ErrorClass(row.error_class)]


def _error(index: int, scoring: int, sent: set[tuple[int, int]], table: Mapping[tuple[int, int], ResultRow]) -> str:
    """Letter of one problem at the scoring attempt."""
    if (index, scoring) not in sent:
        return MISSING
    row = table.get((index, scoring))
    return INTERNAL if row is None else _outcome(row)


def _reasons(rows: Iterable[ResultRow]) -> dict[str, int]:
    return dict(sorted(Counter(row.reason for row in rows if row.reason).items()))


def _categories(
    members: Sequence[Member],
    errors: Sequence[str],
    scoring: int,
    table: Mapping[tuple[int, int], ResultRow],
) -> dict[str, Any]:
    """Table 3 and Table 7 of one run: outcomes, reasons and checking times of the scoring attempt per category."""
    places: dict[str, list[int]] = defaultdict(list)
    for index, member in enumerate(members):
        places[member.category].append(index)
    result: dict[str, Any] = {}
    samples = max((attempt for _, attempt in table), default=0)
    for name, indexes in places.items():
        rows = [table[index, scoring] for index in indexes if (index, scoring) in table]
        inside = set(indexes)
        sampled = [
            [row for (index, attempt), row in table.items() if attempt == sample and index in inside]
            for sample in range(1, samples + 1)
        ]
        result[name] = {
            "total": len(indexes),
            "outcomes": dict(sorted(Counter(errors[index] for index in indexes).items())),
            "reasons": _reasons(rows),
            "times": _times([row.wall_ms for row in rows if row.verdict not in {Verdict.REJECTED, Verdict.INTERNAL}]),
            "evidence": _evidence(rows),
            "sampled": [_evidence(each) for each in sampled],
        }
    return result


def _evidence(rows: Iterable[ResultRow]) -> dict[str, int]:
    """How many proofs were proved, and of these confirmed or still looked at a second time."""
    accepted = [row for row in rows if _outcome(row) == PROVED]
    return {
        "proved": len(accepted),
        "confirmed": sum(row.confirmation == Confirmation.CONFIRMED for row in accepted),
        "pending": sum(row.confirmation == Confirmation.PENDING for row in accepted),
    }


def _times(values: Sequence[int]) -> dict[str, float | int]:
    """Checking times in milliseconds of the proofs that a prover saw; timeouts are in, as in Table 7."""
    if not values:
        return {"proofs": 0}
    return {
        "proofs": len(values),
        "mean_ms": round(statistics.fmean(values), 1),
        "median_ms": statistics.median(values),
        "p95_ms": percentile(values, 0.95),
    }
