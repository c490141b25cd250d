"""Marks that every page draws the same way: verdicts, shapes, places in the navigation, sizes and durations."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from submissions.models import Run
from verifier import engine
from verifier.core.augmentation import augmentations_said
from verifier.core.display import shown
from verifier.core.sizes import size_words

register = template.Library()

SHAPES = {
    "proved", "failed", "rejected", "timeout", "resource", "missing", "internal", "waiting", "running", "confirmed",
    "warn", "stop", "note", "tick", "lock",
}  # fmt: skip


@register.simple_tag
def mark(kind: str, word: str = "", more: str = "", shape: str = "") -> SafeString:
    """A verdict or state: shape, word and what follows in second text."""
    shape = shape or kind
    tail = format_html(" <small>{}</small>", more) if more else ""
    return format_html(
        '<span class="v is-{}"><svg aria-hidden="true"><use href="#s-{}"/></svg><span>{}{}</span></span>',
        kind,
        shape if shape in SHAPES else "note",
        word or kind,
        tail,
    )


@register.simple_tag
def shape(kind: str, label: str) -> SafeString:
    """A shape that stands alone and carries its words as a label."""
    return format_html(
        '<svg class="shape is-{}" role="img" aria-label="{}"><use href="#s-{}"/></svg>', kind, label, kind
    )


@register.simple_tag(takes_context=True)
def nav_link(context: dict[str, Any], address: str, label: str, names: str) -> SafeString:
    """A link of the main navigation, marked when one of the named pages is open."""
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    here = match is not None and match.url_name in names.split()
    return format_html('<a href="{}"{}>{}</a>', address, SafeString(' aria-current="page"') if here else "", label)


@register.filter
def ordinal(number: int) -> str:
    """A number as a place: 1st, 2nd, 3rd, 4th."""
    tail = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{tail}"


@register.filter
def size(number: int) -> str:
    """A number of bytes: 50 MB, 1.05 MB, 412 bytes."""
    return size_words(number)


@register.filter
def seconds(milliseconds: int | None) -> str:
    """Milliseconds as seconds with two digits; a dash for nothing."""
    return "–" if not milliseconds else f"{milliseconds / 1000:.2f}"


@register.filter
def share(part: int, whole: int) -> str:
    """A share in percent with one decimal; a dash when there is no whole."""
    return f"{100 * part / whole:.1f}" if whole else "–"


@register.filter
def minutes(duration: float | None) -> str:
    """Seconds as whole minutes for an estimate, never less than one."""
    return "–" if duration is None else f"{max(1, round(duration / 60))}"


@register.filter
def lasting(run: Run) -> str:
    """How long a run took from its first claim to its end or its cancelling: 42 s, 3 min 5 s or 2 h 10 min."""
    length = _length(run)
    return "–" if length is None else _duration(length)


@register.filter
def pace(run: Run, judged: int) -> str:
    """Proofs a minute over the whole of an ended run; empty where that says nothing."""
    length = _length(run)
    if length is None or not judged:
        return ""
    rate = 60 * judged / max(length.total_seconds(), 1.0)
    return f"{rate:,.0f}" if rate >= 9.95 else f"{rate:.1f}"


@register.filter
def since(moment: datetime) -> str:
    """How long ago a moment was, in seconds while that matters."""
    return _duration(max(timezone.now() - moment, timedelta()))


def _length(run: Run) -> timedelta | None:
    end = run.finished or run.cancelled
    return end - run.started if run.started and end else None


def _duration(length: timedelta) -> str:
    hours, left = divmod(round(length.total_seconds()), 3600)
    mins, secs = divmod(left, 60)
    if hours:
        return f"{hours} h {mins} min"
    return f"{mins} min {secs} s" if mins else f"{secs} s"


@register.filter
def words(code: str) -> str:
    """A reason's code as plain words."""
    return code.replace("_", " ")


@register.filter
def augmented(names: Sequence[str], between: str = ", ") -> str:
    """Augmentations as they are said, one after the other; empty without any."""
    return augmentations_said(names, between)


@register.filter
def visible(text: str) -> str:
    """Text of others with every character that hides or reorders shown by its number."""
    return "\n".join("\t".join(shown(part, len(part) + 1) for part in line.split("\t")) for line in text.split("\n"))


@register.filter
def readable(text: str, prover: str) -> str:
    """A statement with the characters that its prover's own encoding stands for."""
    return engine.readable(prover, text)


@register.filter
def coded(text: str) -> SafeString:
    """A message in which words between backticks are shown as code."""
    parts = [
        format_html("<code>{}</code>" if place % 2 else "{}", part)
        for place, part in enumerate(visible(text).split("`"))
    ]
    return SafeString("".join(parts))


@register.simple_tag
def failures(undefined: int, logic: int, other: int) -> SafeString:
    """Shares of the three classes of failure: hatched, solid, open, always in that order."""
    whole = undefined + logic + other
    if not whole:
        return SafeString('<span class="note">none</span>')
    first, second, third = (100 * part / whole for part in (undefined, logic, other))
    return format_html(
        '<svg class="err" role="img" aria-label="undefined {}, logic {}, other {} of {} failures">'
        '<rect fill="url(#hatch)" x="0" y="0" width="{}%" height="10"/>'
        '<rect class="e-l" x="{}%" y="0" width="{}%" height="10"/>'
        '<rect class="e-o" x="{}%" y=".5" width="{}%" height="9"/></svg>',
        undefined, logic, other, whole, f"{first:.1f}", f"{first:.1f}", f"{second:.1f}",
        f"{first + second:.1f}", f"{third:.1f}",
    )  # fmt: skip
