"""A badge for pages elsewhere: score, interval and date of a published run as a small picture.

Plain SVG 1.1: no font, style sheet or picture from anywhere, its own ground, so that it reads on any page.
"""

from leaderboard.drawing import FONTS, text_width
from leaderboard.feed import score_words
from leaderboard.published_runs import Published
from leaderboard.selectors import Benchmark
from leaderboard.xml_text import xml_escaped

HEIGHT = 24
PAD = 8
SIZE = 12
LONGEST = 40


def badge_svg(benchmark: Benchmark, run: Published) -> str:
    """The picture; its title says in words what it shows."""
    name = shortened(benchmark.pack.title)
    value, detail = _value(run), f"{run.since:%Y-%m-%d}"
    left, middle, right = (round(text_width(each, SIZE)) + 2 * PAD for each in (name, value, detail))
    width = left + middle + right
    title = f"{run.system} by {run.team} on {benchmark.pack.title}: {score_words(run)}, {run.since:%d %B %Y}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}" '
        f'role="img" aria-labelledby="t"><title id="t">{xml_escaped(title)}</title>'
    )
    parts = [
        head,
        f'<rect width="{width}" height="{HEIGHT}" rx="3" fill="#12161c"/>',
        f'<rect x="{left}" width="{middle}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<rect x=".5" y=".5" width="{width - 1}" height="{HEIGHT - 1}" rx="3" fill="none" stroke="#12161c"/>',
        f'<g font-family="{FONTS}" font-size="{SIZE}" text-anchor="middle" aria-hidden="true">',
        _word(left / 2, name, left, "#ffffff"),
        _word(left + middle / 2, value, middle, "#12161c", 'font-weight="600"'),
        _word(left + middle + right / 2, detail, right, "#e8ebf0"),
        "</g></svg>",
    ]
    return "\n".join(parts) + "\n"


def shortened(text: str) -> str:
    """At most forty characters, the last one saying that there are more."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def _value(run: Published) -> str:
    if run.solved is None:
        return "not scored"
    if run.owed:
        return f"{run.metric} incomplete"
    low, high = 100 * run.interval.low, 100 * run.interval.high
    return f"{run.metric} {100 * run.rate:.1f} % ({low:.1f}–{high:.1f})"


def _word(x: float, text: str, width: int, colour: str, more: str = "") -> str:
    fitted = f'textLength="{width - 2 * PAD}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x:g}" y="16" fill="{colour}" {more} {fitted}>{xml_escaped(text)}</text>'.replace("  ", " ")
