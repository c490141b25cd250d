"""How the board writes what it shows: rates, p values, marks of rows without a rank."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import template
from django.utils.html import format_html

from leaderboard.comparison import PairRow
from leaderboard.evidence_links import counting, evidence_address
from leaderboard.marks import Fourfold, fourfold_bar, percent
from leaderboard.reported import CLASSES, shares_of_hundred
from leaderboard.scores import Score
from leaderboard.selectors import Entry
from leaderboard.standings import Errors
from verifier.core.augmentation import augmentations_said
from verifier.core.ranking import Standing

register = template.Library()

MARKS = {Standing.REFERENCE: "ref", Standing.REPORTED: "†"}


@register.simple_tag
def counted(entry: Entry, text: object, score: Score, category: str = "", k: int = 1) -> str:
    """Some words of a score, leading to the problems that it counts; plain where nobody may see them."""
    address = evidence_address(entry, category, counting(score, k))
    return format_html('<a class="to" href="{}">{}</a>', address, text) if address else str(text)


@register.filter
def rate(share: float | None) -> str:
    """Percent with one decimal, a dash for nothing."""
    return "–" if share is None else percent(share)


@register.filter
def over(score: Score) -> str:
    """A score as its two counts: 48/132."""
    return f"{score.solved}/{score.total}"


@register.filter
def class_share(errors: Errors, name: str) -> str:
    """Share of one class of failures in whole percent, such that a row adds up to 100; empty without failures."""
    shares = shares_of_hundred([errors.undefined, errors.logic, errors.other])
    return f"{shares[CLASSES.index(name)]} %" if errors.total else ""


@register.filter
def share_of(part: int, whole: int) -> str:
    """Share of a count in percent with one decimal, a dash where there is no whole."""
    return percent(part / whole) if whole else "–"


@register.filter
def signed(share: float) -> str:
    """A difference of two rates, in percentage points with its sign; none where it is written as nothing."""
    written = f"{100 * share:+.1f}".replace("-", "−")
    return "0.0" if written[1:] == "0.0" else written


@register.filter
def along(share: float) -> str:
    """A place on a bar from 0 to 1."""
    return f"{100 * share:.2f}%"


@register.filter
def less(high: float, low: float) -> float:
    """A difference."""
    return high - low


@register.filter
def at(values: Sequence[Any], place: int) -> Any:
    """The value at a place."""
    return values[place]


@register.filter
def fourfold(row: PairRow) -> Fourfold:
    """The bar of a fourfold table."""
    return fourfold_bar(row)


@register.filter
def p_short(p: float) -> str:
    """A p value in a column that is headed p."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


@register.filter
def p_words(p: float) -> str:
    """A p value as it is quoted."""
    return f"p\u00a0=\u00a0{p:.3f}" if p >= 0.001 else "p\u00a0<\u00a00.001"


@register.filter
def standing_mark(standing: Standing) -> str:
    """What stands in place of a rank."""
    return MARKS.get(standing, "–")


@register.filter
def augmentation_words(names: Iterable[str]) -> str:
    """Augmentations as they are said."""
    return augmentations_said(names)


@register.filter
def sort_words(sort: str) -> str:
    """What a board is sorted by."""
    return sort.replace(".", ", ACC#")


@register.filter
def score_for(scores: Mapping[tuple[str, int], Score | None], k: int) -> Score | None:
    """ACC#k over all problems."""
    return scores["", k]


@register.filter
def value_for(values: Mapping[int, float | None], k: int) -> float | None:
    """The value of this k."""
    return values[k]
