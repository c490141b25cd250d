"""The standings as a picture: scores with their intervals, for slides and for cards of links."""

from collections.abc import Sequence
from typing import Final

from leaderboard.drawing import INK, Box, Dot, Line, Picture, Shape, Word, fitting
from leaderboard.marks import axis, percent
from leaderboard.standings import Board, Row
from verifier.core.augmentation import augmentations_said
from verifier.core.ranking import Standing

WIDTH, HEIGHT = 1200, 630  # what cards of links are cut to
SIDE: Final = 56
TOP: Final = 190
ROWS: Final = 8
NAMES: Final = 470  # where the axis begins
RANK: Final = 38  # kept free for the rank before a name
FIGURES: Final = 190  # kept free for the numbers at the right


def standings_picture(board: Board, title: str, subtitle: str) -> Picture:
    """The first eight ranked systems with dot, 95 % interval and counts; how many more there are is said below."""
    rows = [row for row in board.rows if row.standing is Standing.RANKED and row.value is not None]
    shapes: list[Shape] = [
        Box(0, 0, WIDTH, HEIGHT, INK["--surface"]),
        Box(0, 0, WIDTH, 8, INK["--ink"]),
        Word(SIDE, 82, fitting(title, 38, WIDTH - 2 * SIDE), 38, bold=True),
        Word(SIDE, 124, fitting(subtitle, 22, WIDTH - 2 * SIDE), 22, INK["--ink-2"]),
    ]
    if not rows:
        shapes.append(Word(SIDE, TOP + 60, "No published run yet", 28, INK["--ink-2"]))
        return Picture(WIDTH, HEIGHT, f"{title}. {subtitle}. No published run yet", shapes)
    shapes += _plot(rows[:ROWS], board)
    more = len(rows) - len(rows[:ROWS])
    note = f"{more} more ranked system{'' if more == 1 else 's'} on the board. " if more else ""
    shapes.append(Word(SIDE, HEIGHT - 26, f"{note}Bars: 95 % Wilson interval.", 17, INK["--ink-3"]))
    shapes.append(Word(WIDTH - SIDE, HEIGHT - 26, "Selen", 20, INK["--ink"], "end", bold=True))
    told = "; ".join(f"{row.entry.system} {percent(row.value or 0)} %" for row in rows[:ROWS])
    return Picture(WIDTH, HEIGHT, f"{title}. {subtitle}. {told}", shapes)


def _plot(rows: Sequence[Row], board: Board) -> list[Shape]:
    scale = axis(board)
    height = min(60, (HEIGHT - TOP - 96) / len(rows))
    bottom = TOP + height * len(rows)
    start, end = NAMES, WIDTH - SIDE - FIGURES
    shapes: list[Shape] = []
    for tick in scale.ticks:
        x = start + (end - start) * float(tick.x.rstrip("%")) / 100
        shapes.append(Line(x, TOP - 6, x, bottom, INK["--grid"]))
        shapes.append(Word(x, TOP - 14, tick.label, 15, INK["--ink-3"], "middle"))
    shapes.append(Line(start, TOP - 6, start, bottom, INK["--edge"]))
    for number, row in enumerate(rows):
        shapes += _row(row, TOP + height * (number + 0.5), start, (end - start) / scale.end)
    return shapes


def _by(row: Row) -> str:
    """Whose it is and what helped it, which is often all that tells one row from the next."""
    helped = augmentations_said(row.entry.augmentations)
    return f"{row.entry.team}, {helped}" if helped else row.entry.team


def _row(row: Row, y: float, start: float, per_cent: float) -> list[Shape]:
    """One system; `per_cent` is the width of one per cent."""
    value = 100 * (row.value or 0.0)
    shapes: list[Shape] = [
        Word(SIDE + 26, y + 1, str(row.rank), 20, INK["--ink-3"], "end"),
        Word(SIDE + RANK, y + 1, fitting(row.entry.system, 20, NAMES - SIDE - RANK - 20), 20),
        Word(SIDE + RANK, y + 20, fitting(_by(row), 15, NAMES - SIDE - RANK - 20), 15, INK["--ink-3"]),
        Word(WIDTH - SIDE, y + 7, f"{value:.1f} %", 22, anchor="end", bold=True),
    ]
    if row.score:
        low, high = (start + 100 * end * per_cent for end in (row.score.interval.low, row.score.interval.high))
        counts = f"{row.score.solved}/{row.score.total}"
        shapes.append(Word(WIDTH - SIDE - 100, y + 6, counts, 17, INK["--ink-3"], "end"))
        shapes.append(Line(low, y, high, y, INK["--band"], 8))
    shapes.append(Dot(start + value * per_cent, y, 6, INK["--ink"], INK["--surface"]))
    return shapes
