"""A board as values: pure functions from published runs and filters to rows, groups and what to say about them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from leaderboard.filters import Filters, Metric
from leaderboard.selectors import Benchmark, Entry
from verifier.core.metrics import has_acc, macro, mean_pass_at_k, solved
from verifier.core.ranking import Contender, Place, Standing, rank
from verifier.core.statistics import Interval, Tier, rank_intervals, tiers, wilson


@dataclass(frozen=True, slots=True)
class Score:
    """Problems solved out of all, with the 95 % Wilson interval."""

    solved: int
    total: int
    interval: Interval

    @property
    def rate(self) -> float:
        """Share of one."""
        return self.solved / self.total


@dataclass(frozen=True, slots=True)
class Errors:
    """Failures of the scoring attempt by class; `other` includes `missing` (design, section 4)."""

    undefined: int
    logic: int
    other: int
    missing: int

    @property
    def total(self) -> int:
        """All failures."""
        return self.undefined + self.logic + self.other


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a board. `scores` holds ACC#k by (category or "" for all, k), None where nothing was uploaded.

    `value` is the metric that the board is ranked by, a share of one; `score` its counts where it has any.
    """

    entry: Entry
    standing: Standing
    rank: int | None
    rank_interval: tuple[int, int] | None
    value: float | None
    score: Score | None
    scores: dict[tuple[str, int], Score | None]
    passes: dict[int, float | None]
    macro: float | None
    errors: Errors
    proved: int
    confirmed: int
    pending: int
    internal: int
    uploaded: int


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under one rule. A tier says who opened it and how far it is from the leader before."""

    standing: Standing
    number: int
    rows: tuple[Row, ...]
    tier: Tier | None = None
    against: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """Everything that a page, an export or a plot shows of one view."""

    filters: Filters
    groups: tuple[Group, ...]
    teams: tuple[str, ...]
    systems: int
    open_systems: int
    judged: int
    changed: datetime | None

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows in the order shown."""
        return tuple(row for group in self.groups for row in group.rows)

    @property
    def ranked(self) -> tuple[Row, ...]:
        """Rows that hold a rank."""
        return tuple(row for row in self.rows if row.standing is Standing.RANKED)

    def chosen(self) -> Row | None:
        """The row whose failures and times are shown: the one asked for, else the first."""
        asked = (row for row in self.rows if row.entry.submission == self.filters.system)
        return next(asked, self.rows[0] if self.rows else None)


def board(benchmark: Benchmark, entries: Sequence[Entry], filters: Filters) -> Board:
    """The board of `entries` under `filters`; ranks, tiers and intervals are those among the rows shown."""
    shown = [entry for entry in entries if _matches(entry, filters)]
    by_key = {entry.submission: entry for entry in shown}
    places = [index for index, name in enumerate(benchmark.members) if filters.category in {"", name}]
    values = {key: _value(entry, filters, places) for key, entry in by_key.items()}
    ranking = rank(
        Contender(
            key=key,
            score=values[key],
            since=entry.since.isoformat(),
            incomplete=bool(entry.counts["internal"]),
            reference=entry.reference,
        )
        for key, entry in by_key.items()
    )
    ranked = [place for place in ranking if place.standing is Standing.RANKED]
    vectors = [_picked(by_key[place.key], filters, places) for place in ranked]
    exact = filters.metric is Metric.ACC
    spread = dict(zip((p.key for p in ranked), rank_intervals(vectors), strict=True)) if exact else {}
    rows = [
        _row(benchmark, by_key[place.key], filters, place, spread=spread.get(place.key), value=values[place.key])
        for place in ranking
    ]
    parts = tiers(vectors) if exact else [Tier(0, len(ranked), None)][: len(ranked)]
    return Board(
        filters=filters,
        groups=_ordered(rows, filters) if filters.sort != "rank" else _grouped(rows, parts),
        teams=tuple(sorted({entry.team for entry in entries if not entry.reference})),
        systems=sum(not entry.reference for entry in entries),
        open_systems=sum(entry.open_source and not entry.reference for entry in entries),
        judged=sum(entry.counts["judged"] for entry in entries),
        changed=max((entry.since for entry in entries), default=None),
    )


def _matches(entry: Entry, filters: Filters) -> bool:
    if filters.open_source and not entry.open_source:
        return False
    if filters.team and entry.team != filters.team:
        return False
    if filters.augmentation == "none":
        return not entry.augmentations
    return not filters.augmentation or filters.augmentation in entry.augmentations


def _picked(entry: Entry, filters: Filters, places: Sequence[int]) -> list[bool]:
    done = solved(entry.vectors, entry.counts["scoring"], filters.k)
    return [done[index] for index in places]


def _value(entry: Entry, filters: Filters, places: Sequence[int]) -> Fraction | float | None:
    """What the row is ranked by, exact for ACC#k; None where nothing was uploaded for it."""
    if not places:
        return None
    samples = entry.counts["samples"]
    if filters.metric is Metric.PASS:
        return mean_pass_at_k((entry.vectors["count"][index] for index in places), samples, filters.k)
    if not has_acc(samples, filters.k):
        return None
    return Fraction(sum(_picked(entry, filters, places)), len(places))


def _row(
    benchmark: Benchmark,
    entry: Entry,
    filters: Filters,
    place: Place,
    *,
    spread: tuple[int, int] | None,
    value: Fraction | float | None,
) -> Row:
    counts = entry.counts
    scores = _scores(benchmark, entry)
    score = scores[filters.category, filters.k] if filters.metric is Metric.ACC else None
    by_category = [scores[each.name, filters.k] for each in benchmark.categories]
    evidence = evidence_of(entry, filters)
    return Row(
        entry=entry,
        standing=place.standing,
        rank=place.rank,
        rank_interval=spread,
        value=None if value is None else float(value),
        score=score,
        scores=scores,
        passes={k: mean_pass_at_k(entry.vectors["count"], counts["samples"], k) for k in benchmark.k_values},
        macro=macro((each.solved, each.total) for each in by_category if each),
        errors=errors_of(entry, filters.category),
        proved=evidence[0],
        confirmed=evidence[1],
        pending=evidence[2],
        internal=counts["internal"],
        uploaded=counts["uploaded"],
    )


def _scores(benchmark: Benchmark, entry: Entry) -> dict[tuple[str, int], Score | None]:
    """ACC#k of every category and of all, for every k of the pack."""
    scores: dict[tuple[str, int], Score | None] = {}
    for k in benchmark.k_values:
        here = has_acc(entry.counts["samples"], k)
        done = solved(entry.vectors, entry.counts["scoring"], k)
        for name, total in (("", benchmark.total), *((each.name, each.total) for each in benchmark.categories)):
            hits = sum(hit for hit, category in zip(done, benchmark.members, strict=True) if name in {"", category})
            scores[name, k] = Score(hits, total, wilson(hits, total)) if here and total else None
    return scores


def errors_of(entry: Entry, category: str = "") -> Errors:
    """Failures of the scoring attempt, of one category or of all."""
    letters: dict[str, int] = {}
    for name, part in entry.counts["categories"].items():
        if category in {"", name}:
            for letter, number in part["outcomes"].items():
                letters[letter] = letters.get(letter, 0) + number
    missing = letters.get("m", 0)
    return Errors(letters.get("u", 0), letters.get("l", 0), letters.get("o", 0) + missing, missing)


def evidence_of(entry: Entry, filters: Filters) -> tuple[int, int, int]:
    """Proved, confirmed and pending proofs behind the score shown: the scoring attempt, or all of them beyond k = 1."""
    if filters.k > 1 or filters.metric is Metric.PASS:
        return entry.counts["proved"], entry.counts["confirmed"], entry.counts["pending"]
    parts = [part["evidence"] for name, part in entry.counts["categories"].items() if filters.category in {"", name}]
    return (
        sum(part["proved"] for part in parts),
        sum(part["confirmed"] for part in parts),
        sum(part["pending"] for part in parts),
    )


def _grouped(rows: Sequence[Row], parts: Iterable[Tier]) -> tuple[Group, ...]:
    """Tiers of the ranked rows, then one group for each other standing that has rows."""
    groups: list[Group] = []
    for number, tier in enumerate(parts, start=1):
        before = groups[-1].rows[0].entry.system if groups else ""
        groups.append(Group(Standing.RANKED, number, tuple(rows[tier.start : tier.stop]), tier, before))
    apart = ((other, tuple(row for row in rows if row.standing is other)) for other in list(Standing)[1:])
    groups.extend(Group(other, 0, part) for other, part in apart if part)
    return tuple(groups)


def _ordered(rows: Sequence[Row], filters: Filters) -> tuple[Group, ...]:
    """One group for each standing in the order asked for; tiers only make sense in the order of rank."""
    if filters.sort == "system":
        ordered = sorted(rows, key=lambda row: (row.entry.system.casefold(), row.entry.submission))
    elif filters.sort == "date":
        ordered = sorted(rows, key=lambda row: row.entry.since, reverse=True)
    else:
        category, k = filters.sort.rsplit(".", 1)
        ordered = sorted(rows, key=lambda row: -_solved(row.scores[category, int(k)]))
    parts = ((standing, tuple(row for row in ordered if row.standing is standing)) for standing in Standing)
    return tuple(Group(standing, 0, part) for standing, part in parts if part)


def _solved(score: Score | None) -> int:
    return -1 if score is None else score.solved
