"""Geometry of small drawings, as percent coordinates for SVG attributes; no style is ever written."""

from dataclasses import dataclass

from submissions.models import Slice
from submissions.selectors.runs import RunProgress

LABELLED = 0.2  # share of the bar from which its word fits, also on a phone


@dataclass(frozen=True, slots=True)
class Bar:
    """The bar of a run: three spans from the left, ends of slices, and how far it is."""

    proved: str
    failed_x: str
    failed: str
    other_x: str
    other: str
    now: str
    slices: tuple[str, ...]
    label: str
    wide_proved: bool
    wide_failed: bool


def percent(part: float, whole: float) -> str:
    """A share as an SVG length."""
    return f"{100 * part / whole:.2f}%" if whole else "0%"


def bar_of(progress: RunProgress) -> Bar:
    """Where the spans of a run's bar begin and end."""
    counts, total = progress.counts, progress.total
    other = counts.judged - counts.proved - counts.failed
    checks = [part for part in progress.slices if part.kind == Slice.Kind.CHECK]
    ends = [sum(part.total for part in checks[: place + 1]) for place in range(len(checks) - 1)]
    words = f"{counts.judged} of {total} proofs checked: {counts.proved} proved, {counts.failed} failed, {other} other"
    return Bar(
        proved=percent(counts.proved, total),
        failed_x=percent(counts.proved, total),
        failed=percent(counts.failed, total),
        other_x=percent(counts.proved + counts.failed, total),
        other=percent(other, total),
        now=percent(counts.judged, total),
        slices=tuple(percent(end, total) for end in ends),
        label=words,
        wide_proved=bool(total) and counts.proved / total > LABELLED,
        wide_failed=bool(total) and counts.failed / total > LABELLED,
    )
