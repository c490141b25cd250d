"""A picture as a list of plain shapes, and its form as SVG: no style sheet, script, font or address in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.xml_text import xml_escaped

FONTS: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', 'DejaVu Sans', sans-serif"
NARROW, WIDE = "fijlt.,:;'|!()[]/ -", "mwMW@%—"

# The light scheme of static/selen.css: a picture brings its own ground and is meant for paper and cards.
INK: Final = {
    "--page": "#fbfcfd", "--surface": "#ffffff", "--ink": "#12161c", "--ink-2": "#434b57", "--ink-3": "#5d6673",
    "--rule": "#dce0e6", "--edge": "#7f8896", "--accent": "#1d4f9c", "--band": "#7c90b1", "--grid": "#e6e9ee",
    "--err-undefined": "#b2522f", "--err-logic": "#66707f", "--err-other": "#66707f", "--hatch": "#f8ece6",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line; `dashed` for what was only reported."""

    x1: float
    y1: float
    x2: float
    y2: float
    colour: str
    width: float = 1.0
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle. Empty colours draw nothing; `hatch` is the colour of slanted lines on it."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    edge: str = ""
    hatch: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    """A mark around a point: circle or diamond, open where `fill` is empty."""

    x: float
    y: float
    size: float
    fill: str
    edge: str
    diamond: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """One line of text on its base line."""

    x: float
    y: float
    text: str
    size: float = 13
    colour: str = INK["--ink"]
    anchor: str = "start"  # start, middle, end
    bold: bool = False


Shape = Line | Box | Dot | Word


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes in the order in which they are painted; `title` says in words what they show."""

    width: float
    height: float
    title: str
    shapes: Sequence[Shape]


def text_width(text: str, size: float) -> float:
    """Pixels that a line takes at most in common fonts."""
    units = sum(0.38 if char in NARROW else 0.95 if char in WIDE or ord(char) > 0x2E80 else 0.64 for char in text)
    return units * size


def fitting(text: str, size: float, width: float) -> str:
    """The text, cut with an ellipsis where it takes more than `width`."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "…", size) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def svg(picture: Picture) -> str:
    """The picture as a document of its own."""
    hatches = dict.fromkeys((s.fill, s.hatch) for s in picture.shapes if isinstance(s, Box) and s.hatch)
    names = {pair: f"h{number}" for number, pair in enumerate(hatches)}
    size = f'width="{picture.width:g}" height="{picture.height:g}" viewBox="0 0 {picture.width:g} {picture.height:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="t" font-family="{FONTS}">',
        f'<title id="t">{xml_escaped(picture.title)}</title>',
        *(_pattern(name, *pair) for pair, name in names.items()),
        *(_shape(shape, names) for shape in picture.shapes),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _pattern(name: str, fill: str, line: str) -> str:
    return (
        f'<defs><pattern id="{name}" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="6" height="6" fill="{fill}"/>'
        f'<line x1="1" x2="1" y1="0" y2="6" stroke="{line}" stroke-width="2"/></pattern></defs>'
    )


def _shape(shape: Shape, hatches: dict[tuple[str, str], str]) -> str:
    match shape:
        case Line():
            dash = ' stroke-dasharray="3 3"' if shape.dashed else ""
            ends = f'x1="{shape.x1:.1f}" y1="{shape.y1:.1f}" x2="{shape.x2:.1f}" y2="{shape.y2:.1f}"'
            return f'<line {ends} stroke="{shape.colour}" stroke-width="{shape.width:g}"{dash}/>'
        case Box():
            fill = f"url(#{hatches[shape.fill, shape.hatch]})" if shape.hatch else shape.fill or "none"
            edge = f' stroke="{shape.edge}"' if shape.edge else ""
            place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
            return f'<rect {place} fill="{fill}"{edge}/>'
        case Dot():
            paint = f'fill="{shape.fill or INK["--surface"]}" stroke="{shape.edge}" stroke-width="2"'
            if shape.diamond:
                x, y, r = shape.x, shape.y, shape.size
                return f'<path d="M{x:.1f} {y - r:.1f}l{r:g} {r:g}l{-r:g} {r:g}l{-r:g} {-r:g}z" {paint}/>'
            return f'<circle cx="{shape.x:.1f}" cy="{shape.y:.1f}" r="{shape.size:g}" {paint}/>'
        case Word():
            weight = ' font-weight="600"' if shape.bold else ""
            anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
            place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" font-size="{shape.size:g}" fill="{shape.colour}"'
            return f"<text {place}{anchor}{weight}>{xml_escaped(shape.text)}</text>"
