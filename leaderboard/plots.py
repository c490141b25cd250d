"""From rows to a Plotly figure as JSON; the only module that knows Plotly.

Colours are written as variables of the site's style sheet; the page's script puts in their values, so
one figure reads well in both schemes.
"""

import math
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any, Final

import plotly.graph_objects as go

from leaderboard.standings import Row
from leaderboard.tables import TimeRow
from leaderboard.ticks import day_ticks, day_words, linear_ticks, log_ticks, number_words
from leaderboard.timeline import Timeline
from verifier.core.verdict import ErrorClass

BAR_HEIGHT = 34
NAME_LENGTH = 24
LEAST = 0.001  # seconds; times are measured in thousandths
NOTHING: Final = str(go.Figure(layout={"template": "none"}).to_json())  # a plot without data is not drawn
STYLES: Final[dict[ErrorClass, dict[str, Any]]] = {
    ErrorClass.UNDEFINED: {
        "color": "var(--hatch)",
        "pattern": {"shape": "/", "fgcolor": "var(--err-undefined)", "size": 6},
    },
    ErrorClass.LOGIC: {"color": "var(--err-logic)"},
    ErrorClass.OTHER: {"color": "var(--surface)"},
}


def errors_figure(shown: Sequence[Row]) -> str:
    """Failures of the scoring attempt by class, one bar a system, first rank on top; as counts."""
    rows = [row for row in shown if row.errors.total]
    if not rows:
        return NOTHING
    names = [_name(row) for row in rows]
    layout = _layout(len(rows), "Failures at #1")
    layout["xaxis"] |= _ticks(linear_ticks(max(row.errors.total for row in rows), whole=True))
    layout["yaxis"] |= {"tickvals": names, "ticktext": ["<br>".join(map(_short, name.split("<br>"))) for name in names]}
    figure = go.Figure(layout=layout)
    for error_class, style in STYLES.items():
        figure.add_bar(
            name=error_class.value,
            orientation="h",
            y=names,
            x=[getattr(row.errors, error_class.value) for row in rows],
            marker={
                **style,
                "line": {"color": "var(--err-other)", "width": 1 if error_class is ErrorClass.OTHER else 0},
            },
            hovertemplate="%{y}: %{x} " + error_class.value + "<extra></extra>",
        )
    return str(figure.to_json())


def times_figure(rows: tuple[TimeRow, ...]) -> str:
    """Median, mean and 95th percentile of the checking time per category, seconds on a logarithmic axis."""
    rows = tuple(row for row in rows if row.proofs)
    if not rows:
        return NOTHING
    ticks = log_ticks([max(value, LEAST) for row in rows for value in (row.median, row.mean, row.p95)])
    ends = [math.log10(ticks[0]) - 0.05, math.log10(ticks[-1]) + 0.05]
    layout = _layout(len(rows), "Seconds per proof")
    layout["xaxis"] |= {"type": "log", "rangemode": "normal"} | _ticks(ticks) | {"range": ends}
    figure = go.Figure(layout=layout)
    marks = (
        ("median", "circle", "var(--ink)"),
        ("mean", "diamond-open", "var(--ink-2)"),
        ("p95", "line-ns-open", "var(--ink-2)"),
    )
    for name, symbol, colour in marks:
        figure.add_scatter(
            name="95th percentile" if name == "p95" else name,
            mode="markers",
            y=[row.category for row in rows],
            x=[max(getattr(row, name), LEAST) for row in rows],
            marker={"symbol": symbol, "color": colour, "size": 11, "line": {"color": colour, "width": 2}},
            hovertemplate="%{y}: %{x} s<extra></extra>",
        )
    return str(figure.to_json())


def history_figure(made: Timeline) -> str:
    """Every published run on its day in percent, and the best on the board as steps that go on to the right edge."""
    whole = [point for point in made.points if not point.owed]
    if not whole:
        return NOTHING
    layout = _layout(6, "")
    first, last = made.days[0].day, made.days[-1].day
    room = timedelta(hours=max(12, round(0.6 * (last - first).days)))
    ends = [(datetime.combine(first, time()) - room).isoformat(), (datetime.combine(last, time()) + room).isoformat()]
    days = day_ticks(first, last)
    layout["xaxis"] |= {"type": "date", "range": ends}
    layout["xaxis"] |= {"tickvals": [day.isoformat() for day in days], "ticktext": day_words(days, before_year="<br>")}
    rates = linear_ticks(max(10.0, *(100 * point.score.rate for point in whole)))
    layout["yaxis"] |= _ticks(rates) | {"autorange": False, "title": {"text": "Problems proved, %"}}
    figure = go.Figure(layout=layout)
    best = [(day.day.isoformat(), round(100 * day.best.score.rate, 1)) for day in made.days if day.best]
    best += [(ends[1], best[-1][1])] if best and made.days[-1].best else []
    figure.add_scatter(
        name="best on the board",
        mode="lines",
        line={"shape": "hv", "color": "var(--ink)", "width": 2},
        x=[day for day, _ in best],
        y=[rate for _, rate in best],
        hovertemplate="%{x|%-d %b %Y}: best %{y} %<extra></extra>",
    )
    figure.add_scatter(
        name="published run",
        mode="markers",
        marker={"symbol": "circle-open", "color": "var(--accent)", "size": 9, "line": {"width": 2}},
        x=[point.entry.since.date().isoformat() for point in whole],
        cliponaxis=False,
        y=[round(100 * point.score.rate, 1) for point in whole],
        text=[f"{point.entry.system}, {point.entry.team}" for point in whole],
        hovertemplate="%{text}: %{y} %<extra></extra>",
    )
    return str(figure.to_json())


def _ticks(values: Sequence[float]) -> dict[str, Any]:
    """An axis from the first of these values to the last, naming each."""
    return {"tickvals": list(values), "ticktext": number_words(values), "range": [values[0], values[-1]]}


def _short(name: str) -> str:
    """A name beside a bar, which also has to leave room for the bar on a phone; variants differ in their ends."""
    half = NAME_LENGTH // 2
    return name if len(name) <= NAME_LENGTH else f"{name[:half].rstrip()}…{name[1 - half :].lstrip()}"


def _name(row: Row) -> str:
    """Name of a bar; equal names of different teams are kept apart."""
    return f"{row.entry.system}<br>{row.entry.team}"


def _layout(bars: int, title: str) -> dict[str, Any]:
    """What all figures share: no template, no ground of their own, the site's type."""
    line = {
        "gridcolor": "var(--grid)",
        "linecolor": "var(--rule)",
        "zerolinecolor": "var(--edge)",
        "tickcolor": "var(--rule)",
    }
    return {
        "template": "none",
        "barmode": "stack",
        "bargap": 0.45,
        "autosize": True,
        "dragmode": False,
        "height": 110 + BAR_HEIGHT * max(bars, 1),
        "margin": {"l": 10, "r": 10, "t": 30, "b": 50, "pad": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "var(--sans)", "size": 12, "color": "var(--ink-2)"},
        "hoverlabel": {"bgcolor": "var(--surface)", "bordercolor": "var(--edge)", "font": {"color": "var(--ink)"}},
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "traceorder": "normal"},
        "xaxis": {"title": {"text": title}, "rangemode": "tozero", "automargin": True, "fixedrange": True, **line},
        "yaxis": {"autorange": "reversed", "automargin": True, "fixedrange": True, **line},
    }
