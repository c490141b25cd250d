"""Static pictures of the plots, drawn from the very figures that the pages' plots are made of, without a browser.

Of Plotly's figures this knows what leaderboard.plots uses: stacked horizontal bars, markers and stepped lines over
categories, numbers, logarithms and dates.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from leaderboard import picture_axes
from leaderboard.drawing import INK, Box, Dot, Line, Picture, Shape, Word, fitting, text_width
from leaderboard.picture_axes import Axis

WIDTH: Final = 960
ROW: Final = 40
TOP: Final = 104
BOTTOM: Final = 56
SIDE: Final = 28
LABEL: Final = 260  # pixels that names may take
_VARIABLE: Final = re.compile(r"var\((--[a-z0-9-]+)\)")

Trace = Mapping[str, Any]


def figure_picture(figure: str, title: str, subtitle: str) -> Picture:
    """A figure, as leaderboard.plots writes it, under a title and a line that says of what and when."""
    read = json.loads(figure)
    traces, layout = read["data"], read["layout"]
    unit = layout.get("yaxis", {}).get("title", {}).get("text", "")
    told = f"{subtitle}. {unit}" if unit else subtitle
    head = [Word(SIDE, 38, title, 20, bold=True), Word(SIDE, 60, fitting(told, 13, WIDTH - 2 * SIDE), 13, _ink2())]
    if not any(trace.get("x") for trace in traces):
        empty = Word(SIDE, TOP + 20, "Nothing to show yet.", 14, _ink2())
        return Picture(WIDTH, TOP + BOTTOM, title, [_ground(TOP + BOTTOM), *head, empty])
    names = list(dict.fromkeys(name for trace in traces for name in trace["y"] if isinstance(name, str)))
    body, height = _rows(traces, layout, names) if names else _over_time(traces)
    return Picture(WIDTH, height, f"{title}. {subtitle}", [_ground(height), *head, *_legend(traces), *body])


def _rows(traces: Sequence[Trace], layout: Mapping[str, Any], names: Sequence[str]) -> tuple[list[Shape], float]:
    """Names down the side, first on top; bars or marks beside them."""
    parts = [name.split("<br>") for name in names]
    left = SIDE + min(LABEL, max(text_width(word, 13) for lines in parts for word in lines)) + 16
    bottom = TOP + ROW * len(names)
    axis = _axis(traces, layout, left, WIDTH - SIDE - 12)
    shapes = _grid(axis, bottom, layout["xaxis"].get("title", {}).get("text", ""))
    for number, lines in enumerate(parts):
        shapes += _label(lines, left - 12, TOP + ROW * number)
    ends = dict.fromkeys(names, 0.0)
    for trace in traces:
        for name, value in zip(trace["y"], trace["x"], strict=True):
            y = TOP + ROW * names.index(name)
            if trace["type"] == "bar":
                shapes.append(_bar(trace, axis.at(ends[name]), axis.at(ends[name] + value), y))
                ends[name] += value
            else:
                shapes.append(_mark(trace, axis.at(value), y + ROW / 2))
    return shapes, bottom + BOTTOM


def _over_time(traces: Sequence[Trace]) -> tuple[list[Shape], float]:
    """Days across, values up."""
    bottom, left = TOP + 280, SIDE + 56
    moments = [picture_axes.seconds(x) for trace in traces for x in trace["x"]]
    right = WIDTH - SIDE - 40  # the last day is written around the end of the axis
    across = picture_axes.dates(moments, left, right)
    up = picture_axes.linear(max(y for trace in traces for y in trace["y"]), bottom, TOP)
    shapes: list[Shape] = []
    for value, written in up.ticks:
        shapes.append(Line(left, up.at(value), right, up.at(value), INK["--grid"]))
        shapes.append(Word(left - 10, up.at(value) + 4, written, 12, _ink2(), "end"))
    for value, written in across.ticks:
        shapes.append(Word(across.at(value), bottom + 22, written, 12, _ink2(), "middle"))
    shapes.append(Line(left, bottom, right, bottom, INK["--edge"]))
    for trace in traces:
        points = [(across.at(picture_axes.seconds(x)), up.at(y)) for x, y in zip(trace["x"], trace["y"], strict=True)]
        shapes += _steps(trace, points) if trace["mode"] == "lines" else [_mark(trace, x, y) for x, y in points]
    return shapes, bottom + BOTTOM


def _axis(traces: Sequence[Trace], layout: Mapping[str, Any], start: float, end: float) -> Axis:
    if layout["xaxis"].get("type") == "log":
        return picture_axes.logarithmic([value for trace in traces for value in trace["x"]], start, end)
    if traces[0]["type"] != "bar":
        return picture_axes.linear(max(value for trace in traces for value in trace["x"]), start, end)
    sums: dict[str, float] = {}
    for trace in traces:
        for name, value in zip(trace["y"], trace["x"], strict=True):
            sums[name] = sums.get(name, 0) + value
    return picture_axes.linear(max(sums.values()), start, end, whole=True)


def _grid(axis: Axis, bottom: float, title: str) -> list[Shape]:
    shapes: list[Shape] = []
    for number, (value, written) in enumerate(axis.ticks):
        x = axis.at(value)
        shapes.append(Line(x, TOP, x, bottom, INK["--edge" if number == 0 and value == 0 else "--grid"]))
        shapes.append(Word(x, bottom + 18, written, 12, _ink2(), "middle"))
    middle = (axis.at(axis.ticks[0][0]) + axis.at(axis.ticks[-1][0])) / 2
    return [*shapes, Word(middle, bottom + 40, title, 12, _ink2(), "middle")]


def _label(lines: Sequence[str], x: float, y: float) -> list[Shape]:
    first = Word(x, y + (18 if len(lines) > 1 else 25), fitting(lines[0], 13, LABEL), 13, anchor="end")
    rest = [Word(x, y + 33, fitting(line, 12, LABEL), 12, _ink2(), "end") for line in lines[1:2]]
    return [first, *rest]


def _bar(trace: Trace, start: float, end: float, y: float) -> Box:
    marker = trace["marker"]
    edge = _colour(marker["line"]["color"]) if marker.get("line", {}).get("width") else ""
    hatch = _colour(marker["pattern"]["fgcolor"]) if "pattern" in marker else ""
    return Box(start, y + 11, max(end - start, 0), ROW - 22, _colour(marker["color"]), edge, hatch)


def _mark(trace: Trace, x: float, y: float) -> Shape:
    marker = trace["marker"]
    colour, symbol, size = _colour(marker["color"]), marker["symbol"], marker["size"] / 2
    if symbol.startswith("line-ns"):
        return Line(x, y - size - 2, x, y + size + 2, colour, 2)
    return Dot(x, y, size, "" if symbol.endswith("-open") else colour, colour, symbol.startswith("diamond"))


def _steps(trace: Trace, points: Sequence[tuple[float, float]]) -> Iterable[Shape]:
    """A line that keeps its height until the next point."""
    colour, width = _colour(trace["line"]["color"]), trace["line"]["width"]
    for (x, y), (following, after) in pairwise(points):
        yield Line(x, y, following, y, colour, width)
        yield Line(following, y, following, after, colour, width)


def _legend(traces: Sequence[Trace]) -> list[Shape]:
    shapes: list[Shape] = []
    x: float = SIDE
    for trace in traces:
        if trace["type"] == "bar":
            sample = _bar(trace, x, x + 24, TOP - 36)
            shapes.append(Box(x, TOP - 26, 24, 11, sample.fill, sample.edge, sample.hatch))
        elif trace["mode"] == "lines":
            shapes.append(Line(x, TOP - 20, x + 24, TOP - 20, _colour(trace["line"]["color"]), 2))
        else:
            shapes.append(_mark(trace, x + 12, TOP - 20))
        shapes.append(Word(x + 32, TOP - 16, trace["name"], 12, _ink2()))
        x += 32 + text_width(trace["name"], 12) + 24
    return shapes


def _ground(height: float) -> Box:
    return Box(0, 0, WIDTH, height, INK["--surface"])


def _ink2() -> str:
    return INK["--ink-2"]


def _colour(written: str) -> str:
    """A colour of a figure; the site's variables become the values of the light scheme."""
    named = _VARIABLE.fullmatch(written)
    return INK[named[1]] if named else written
