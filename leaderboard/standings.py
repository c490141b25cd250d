"""A board as values: pure functions from published runs and filters to rows, groups and what to say about them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from leaderboard.filters import Filters, Metric
from leaderboard.grid import Grid
from leaderboard.scores import Score, View, view_of
from leaderboard.selectors import Benchmark, Entry
from verifier.core.metrics import macro
from verifier.core.ranking import Contender, Place, Standing, rank
from verifier.core.statistics import Tier, rank_intervals, tiers


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


@dataclass(frozen=True)  # without slots: thousands of them are pickled three times as fast
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
    """Rows under one rule. A tier says who leads it and how far that one is from the leader before, `against`."""

    standing: Standing
    number: int
    rows: tuple[Row, ...]
    tier: Tier | None = None
    against: str = ""
    leader: str = ""


@dataclass(frozen=True, slots=True)
class Looks:
    """Proofs accepted at any attempt, and how many of them a fresh process and the prover's own build accepted too."""

    proved: int
    confirmed: int
    audited: int


@dataclass(frozen=True, slots=True)
class Board:
    """Everything that a page, an export or a plot shows of one view.

    `judged` counts results and `looks` second looks of every run that the board counts, whatever the filters;
    `skipping` names the environments among them whose base may hold skipped proofs.
    """

    filters: Filters
    groups: tuple[Group, ...]
    teams: tuple[str, ...]
    systems: int
    open_systems: int
    judged: int
    looks: Looks
    skipping: tuple[str, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows in the order shown."""
        return tuple(row for group in self.groups for row in group.rows)

    @property
    def ranked(self) -> tuple[Row, ...]:
        """Rows that hold a rank."""
        return tuple(row for row in self.rows if row.standing is Standing.RANKED)

    @property
    def ranked_teams(self) -> int:
        """Teams that the ranked rows are of."""
        return len({row.entry.team_id for row in self.ranked})

    def part(self, start: int, stop: int) -> tuple[Group, ...]:
        """The groups with only the rows from `start` to `stop`, for a page of a long board."""
        cut, before = [], 0
        for group in self.groups:
            rows = group.rows[max(start - before, 0) : max(stop - before, 0)]
            before += len(group.rows)
            if rows:
                cut.append(replace(group, rows=rows, leader=group.leader or group.rows[0].entry.system))
        return tuple(cut)


def board(benchmark: Benchmark, grid: Grid, filters: Filters) -> Board:
    """The board of a grid's runs under `filters`; ranks, tiers and intervals are those among the rows shown."""
    kept = [row for row, entry in enumerate(grid.entries) if _matches(entry, filters)]
    view = view_of(benchmark, grid, filters, kept)
    shown = {grid.entries[row].submission: place for place, row in enumerate(kept)}
    ranking = rank(
        Contender(
            key=key,
            score=view.values[place],
            since=grid.entries[kept[place]].since.isoformat(),
            incomplete=bool(view.owed[place]),
            reference=grid.entries[kept[place]].reference,
        )
        for key, place in shown.items()
    )
    ranked = [shown[place.key] for place in ranking if place.standing is Standing.RANKED]
    exact = filters.metric is Metric.ACC
    spread = dict(zip(ranked, rank_intervals(view.solved[ranked]), strict=True)) if exact else {}
    rows = [
        _row(benchmark, view, filters, place, at=shown[place.key], spread=spread.get(shown[place.key]))
        for place in ranking
    ]
    parts = tiers(view.solved[ranked]) if exact else [Tier(0, len(ranked), None)][: len(ranked)]
    entries = grid.entries
    return Board(
        filters=filters,
        groups=_ordered(rows, filters) if filters.sort != "rank" else _grouped(rows, parts),
        teams=tuple(sorted({entry.team for entry in entries if not entry.reference})),
        systems=sum(not entry.reference for entry in entries),
        open_systems=sum(entry.open_source and not entry.reference for entry in entries),
        judged=sum(entry.counts["judged"] for entry in entries),
        looks=Looks(*(sum(entry.counts.get(n, 0) for entry in entries) for n in ("proved", "confirmed", "audited"))),
        skipping=tuple(sorted({entry.environment for entry in entries if entry.skipped})),
    )


def _matches(entry: Entry, filters: Filters) -> bool:
    if filters.open_source and not entry.open_source:
        return False
    if filters.team and entry.team != filters.team:
        return False
    if filters.augmentation == "none":
        return not entry.augmentations
    return not filters.augmentation or filters.augmentation in entry.augmentations


def _row(
    benchmark: Benchmark,
    view: View,
    filters: Filters,
    place: Place,
    *,
    at: int,
    spread: tuple[int, int] | None,
) -> Row:
    entry, scores, value = view.entries[at], view.scores[at], view.values[at]
    by_category = [scores[each.name, filters.k] for each in benchmark.categories]
    evidence = evidence_of(entry, filters)
    return Row(
        entry=entry,
        standing=place.standing,
        rank=place.rank,
        rank_interval=spread,
        value=value,
        score=scores[filters.category, filters.k] if filters.metric is Metric.ACC else None,
        scores=scores,
        passes=view.passes[at],
        macro=macro((each.solved, each.total) for each in by_category if each),
        errors=errors_of(entry, filters.category),
        proved=evidence[0],
        confirmed=evidence[1],
        pending=evidence[2],
        internal=view.owed[at],
        uploaded=entry.counts["uploaded"],
    )


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
    """Proved, confirmed and pending proofs that the score shown counts, of the category shown.

    For ACC#1 those of the scoring attempt, for ACC#k those of samples 1 to k, for pass@k those of all samples.
    """
    parts = [part for name, part in entry.counts["categories"].items() if filters.category in {"", name}]
    if filters.metric is Metric.PASS:
        pieces = [piece for part in parts for piece in part["sampled"]]
    elif filters.k > 1:
        pieces = [piece for part in parts for piece in part["sampled"][: filters.k]]
    else:
        pieces = [part["evidence"] for part in parts]
    proved, confirmed, pending = (sum(piece[name] for piece in pieces) for name in ("proved", "confirmed", "pending"))
    return proved, confirmed, pending


def _grouped(rows: Sequence[Row], parts: Iterable[Tier]) -> tuple[Group, ...]:
    """Tiers of the ranked rows, then one group for each other standing that has rows."""
    groups: list[Group] = []
    for number, tier in enumerate(parts, start=1):
        before = groups[-1].rows[0].entry.system if groups else ""
        inside = tuple(rows[tier.start : tier.stop])
        groups.append(Group(Standing.RANKED, number, inside, tier, before, inside[0].entry.system))
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
