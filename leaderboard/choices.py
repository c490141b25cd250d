"""Links of a board's filters, orders and pages: each keeps the rest of the view as it is."""

from dataclasses import dataclass
from functools import partial

from leaderboard.filters import AUGMENTATIONS, Filters, Metric, default_filters
from leaderboard.settled_filters import PAGE_ROWS
from leaderboard.shown import Shown
from leaderboard.standings import Board
from verifier.core.augmentation import AUGMENTATION_WORDS


@dataclass(frozen=True, slots=True)
class Choice:
    """One link of a filter."""

    label: str
    query: str
    current: bool
    count: int | None = None


def sorts(filters: Filters, default: Filters, category: str, ks: tuple[int, ...]) -> tuple[Choice, ...]:
    """The links under a category's head: most solved first, by each k."""
    keys = [f"{category}.{k}" for k in ks]
    return tuple(
        Choice(f"#{k}", _address(filters.changed(sort=key, page=1), default), filters.sort == key)
        for k, key in zip(ks, keys, strict=True)
    )


def orders(filters: Filters, default: Filters) -> dict[str, Choice]:
    """The orders that no category has a part in."""
    return {
        name: Choice(name, _address(filters.changed(sort=name, page=1), default), filters.sort == name)
        for name in ("rank", "system", "date")
    }


def page_choices(filters: Filters, default: Filters, rows: int) -> list[Choice]:
    """Links to the pages of a view with so many rows; one page where there is nothing."""
    pages = max(-(-rows // PAGE_ROWS), 1)
    here = min(filters.page, pages)
    return [
        Choice(str(number), _address(filters.changed(page=number), default), number == here)
        for number in range(1, pages + 1)
    ]


def choice_of(
    view: Shown, label: str, count: int | None = None, current: str | None = None, **changes: object
) -> Choice:
    """A link of a filter; it keeps the others as they are and goes back to the first page.

    It is the current one where the view has all its values, or where `current` is one of them.
    """
    filters = view.filters
    here = all(getattr(filters, name) == value for name, value in changes.items())
    here |= current is not None and current in changes.values()
    target = filters.changed(page=1, **changes)
    return Choice(label, _address(target, default_filters(view.benchmark)), here, count)


def filter_choices(view: Shown, board: Board) -> dict[str, list[Choice]]:
    """Links of every filter; each keeps the others as they are."""
    choice = partial(choice_of, view)
    ks = view.benchmark.k_values
    words = [(name, AUGMENTATION_WORDS.get(name, name)) for name in AUGMENTATIONS]
    return {
        "category": [choice("All", category=""), *(choice(c.name, category=c.name) for c in view.benchmark.categories)],
        "metric": [
            *(choice(f"ACC#{k}", k=k, metric=Metric.ACC) for k in ks),
            *(choice(f"pass@{k}", k=k, metric=Metric.PASS) for k in ks if k > 1),
        ],
        "systems": [
            choice("All", board.systems, open_source=False),
            choice("Open", board.open_systems, open_source=True),
        ],
        "figures": [choice("All", verified=False), choice("Verified", verified=True)],
        "augmentation": [
            choice("Any", augmentation=""),
            choice("none", augmentation="none"),
            *(choice(word, augmentation=name) for name, word in words),
        ],
    }


def _address(filters: Filters, default: Filters) -> str:
    return filters.query(default) or "?"
