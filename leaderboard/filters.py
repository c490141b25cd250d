"""What a reader asked to see, read from the address and written back into addresses."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from urllib.parse import urlencode

from leaderboard.selectors import Benchmark
from verifier.core.augmentation import Augmentation

AUGMENTATIONS = tuple(map(str, Augmentation))


class FilterError(ValueError):
    """A part of the address that names nothing here; the message says which and what would do."""


class Metric(StrEnum):
    """ACC#k is what the paper measures; pass@k estimates the same for samples drawn again."""

    ACC = "acc"
    PASS = "pass"  # noqa: S105 (a metric)


@dataclass(frozen=True, slots=True)
class Filters:
    """One view of a board. Empty means: all of them. `at` is the last moment that counts, None for now."""

    category: str = ""
    k: int = 1
    metric: Metric = Metric.ACC
    augmentation: str = ""
    open_source: bool = False
    verified: bool = False  # leaves out figures that were reported and not checked here
    team: str = ""
    sort: str = "rank"
    system: str = ""
    other: str = ""  # the second system where two are compared
    at: datetime | None = None
    page: int = 1

    @property
    def label(self) -> str:
        """The metric as it is written: ACC#5 or pass@5."""
        return f"ACC#{self.k}" if self.metric is Metric.ACC else f"pass@{self.k}"

    def changed(self, **changes: object) -> "Filters":
        """The same view with some parts different."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def of_board(self) -> "Filters":
        """The same view of the whole board, without what only one of its pages or another view looks at."""
        return self.changed(system="", other="", page=1)

    def pairs(self, default: "Filters") -> list[tuple[str, str]]:
        """Name and value of every part that differs from the default view, as the address holds them."""
        changed = [field.name for field in fields(self) if getattr(self, field.name) != getattr(default, field.name)]
        return [("open" if name == "open_source" else name, _written(getattr(self, name))) for name in changed]

    def query(self, default: "Filters") -> str:
        """Query string with a leading question mark, empty where the view is the default one."""
        pairs = self.pairs(default)
        return "?" + urlencode(pairs) if pairs else ""


def default_filters(benchmark: Benchmark) -> Filters:
    """The board as the pack ranks it."""
    return Filters(k=benchmark.primary_k)


def filters_read(query: Mapping[str, str], benchmark: Benchmark) -> Filters:
    """The view that the address asks for; raises FilterError naming the part that is wrong."""
    default = default_filters(benchmark)
    known = {"category", "k", "metric", "augmentation", "open", "team", "sort", "system", "at"}
    known |= {"verified", "page", "other"}
    if strange := sorted(set(query) - known):
        raise FilterError(f"There is no filter “{strange[0]}”. The filters are {', '.join(sorted(known))}.")
    categories = [each.name for each in benchmark.categories]
    k = _one_of("k", query.get("k", str(default.k)), [str(value) for value in benchmark.k_values])
    metric = _one_of("metric", query.get("metric", Metric.ACC.value), [each.value for each in Metric])
    columns = [f"{name}.{value}" for name in categories for value in benchmark.k_values]
    return Filters(
        category=_one_of("category", query.get("category", ""), ["", *categories]),
        k=int(k),
        metric=Metric(metric),
        augmentation=_one_of("augmentation", query.get("augmentation", ""), ["", "none", *AUGMENTATIONS]),
        open_source=_one_of("open", query.get("open", "0"), ["0", "1"]) == "1",
        verified=_one_of("verified", query.get("verified", "0"), ["0", "1"]) == "1",
        team=query.get("team", ""),
        sort=_one_of("sort", query.get("sort", "rank"), ["rank", "system", "date", *columns]),
        system=query.get("system", ""),
        other=query.get("other", ""),
        at=_moment(query.get("at", "")),
        page=_page(query.get("page", "1")),
    )


def _one_of(name: str, value: str, allowed: list[str]) -> str:
    if value in allowed:
        return value
    raise FilterError(f"“{value}” is no {name} of this board; it has {', '.join(each for each in allowed if each)}.")


def _page(value: str) -> int:
    if value.isascii() and value.isdecimal() and int(value[:6]) > 0:
        return int(value[:6])
    raise FilterError(f"“{value}” is no page; write page=2.")


def _moment(value: str) -> datetime | None:
    """A date means the end of that day in UTC; a moment in the future means now."""
    if not value:
        return None
    try:
        if len(value) == len("2026-11-12"):
            moment = datetime.combine(date.fromisoformat(value) + timedelta(days=1), time(), UTC) - timedelta(
                microseconds=1
            )
        else:
            moment = datetime.fromisoformat(value.replace(" ", "+"))
            moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise FilterError(f"“{value}” is no date; write at=2026-11-12 or at=2026-11-12T14:07:00Z.") from None
    return None if moment >= datetime.now(UTC) else moment


def _written(value: object) -> str:
    if isinstance(value, datetime):
        last = value.time() == time(23, 59, 59, 999999)
        return value.date().isoformat() if last else value.isoformat()
    return str(int(value)) if isinstance(value, bool) else str(value)
