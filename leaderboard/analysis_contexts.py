"""What the templates of the views beside the board are given."""

from typing import Any

from leaderboard import comparison, marks
from leaderboard.atlas import difficulties, order_of, solved_by
from leaderboard.choices import Choice, choice_of, page_choices
from leaderboard.failures import CLUSTERS, clusters, messages_are_public, messages_of
from leaderboard.filters import Metric, default_filters
from leaderboard.grid import grid_ever
from leaderboard.settled_filters import PAGE_ROWS
from leaderboard.shown import Shown
from leaderboard.standings import Row
from leaderboard.tables import error_rows, originality_rows, reason_lines, time_rows, times_of
from leaderboard.timeline import Timeline, timeline

LISTED = 200  # problems of one part of a comparison; the rest is counted


def common(view: Shown, name: str, title: str) -> dict[str, Any]:
    """What every one of these pages needs: where it is, and the links of its filters."""
    benchmark, filters, default = view.benchmark, view.filters, default_filters(view.benchmark)
    categories = [choice_of(view, "All", category="")]
    categories += [choice_of(view, each.name, category=each.name) for each in benchmark.categories]
    return {
        "benchmark": benchmark,
        "filters": filters,
        "query": view.query,
        "tab": name,
        "title": title,
        "categories": categories,
        "ks": [choice_of(view, f"ACC#{k}", k=k, metric=Metric.ACC) for k in benchmark.k_values],
        "kept_system": [pair for pair in filters.pairs(default) if pair[0] not in {"system", "page"}],
        "kept_pair": [pair for pair in filters.pairs(default) if pair[0] not in {"system", "other", "page"}],
    }


def failures(view: Shown) -> dict[str, Any]:
    """Classes per category of the chosen system and per system of the chosen category, reasons and clusters."""
    chosen, category = view.chosen(), view.filters.category
    context = _rows_shown(view)
    context |= {"chosen": chosen}
    if chosen is None:
        return context
    scoring = chosen.entry.counts["scoring"]
    told = messages_are_public(chosen.entry.submission)
    found = clusters(messages_of(chosen.entry.run, scoring, category)) if told else []
    return context | {
        "told": told,
        "quoted": chosen.entry.submission if found else "",
        "errors": [(row, marks.split(row.errors)) for row in error_rows(view.benchmark, chosen.entry)],
        "reasons": reason_lines(chosen.entry, category),
        "clusters": found[:CLUSTERS],
        "clusters_left": len(found) - len(found[:CLUSTERS]),
    }


def times(view: Shown) -> dict[str, Any]:
    """Checking time of the chosen system per category, and of every system in one category."""
    chosen, benchmark = view.chosen(), view.benchmark
    category = view.filters.category or benchmark.categories[0].name
    context = _rows_shown(view)
    return context | {
        "chosen": chosen,
        "category": category,
        "each": [choice_of(view, each.name, category=each.name, current=category) for each in benchmark.categories],
        "lines": [(row, times_of(category, row.entry)) for row in context["rows"]],
        "times": time_rows(benchmark, chosen.entry) if chosen else (),
    }


def history(view: Shown) -> dict[str, Any]:
    """Days on which the board changed, newest first, and every published run."""
    made = timeline_of(view)
    return {"days": made.days[::-1], "points": made.points[::-1]}


def augmentations(view: Shown) -> dict[str, Any]:
    """Models that were published bare and augmented."""
    return {"families": families_of(view)}


def originality(view: Shown) -> dict[str, Any]:
    """Accepted proofs of the scoring attempt beside the host's, per category, for every system of the board."""
    context = _rows_shown(view)
    lines = [(row, originality_rows(view.benchmark, row.entry)) for row in context["rows"]]
    return context | {"lines": lines, "measured": any(found for _, found in lines)}


def compare(view: Shown) -> dict[str, Any]:
    """Two systems of the board: those asked for, else the first two."""
    grid, rows = view.grid(), view.board().rows
    asked = [grid.place(view.filters.system), grid.place(view.filters.other)]
    others = [place for place in (grid.place(row.entry.submission) for row in rows) if place not in asked]
    first, second = (place if place is not None else (others.pop(0) if others else None) for place in asked)
    context: dict[str, Any] = {"rows": rows, "made": None}
    if first is None or second is None or first == second:
        return context
    made = comparison.compare(view.benchmark, grid, first, second, view.filters.k)
    idents = view.benchmark.listed.idents
    lists = {
        name: ([(idents[place], view.benchmark.listed.categories[place]) for place in places[:LISTED]], len(places))
        for name, places in made.lists.items()
    }
    return context | {"made": made, "lists": lists, "total": made.rows[-1]}


def atlas(view: Shown) -> dict[str, Any]:
    """Counts of the picture, and the problems at its hard end."""
    grid, benchmark = view.grid(), view.benchmark
    idents, proved = benchmark.listed.idents, solved_by(grid).tolist()
    hard = [place for place in order_of(grid)[::-1] if proved[place]][:12]
    return _rows_shown(view) | {
        "bins": difficulties(benchmark, grid),
        "never": sum(not number for number in proved),
        "systems": sum(not entry.reference for entry in grid.entries),
        "hard": [(idents[place], benchmark.listed.categories[place], proved[place]) for place in hard],
    }


def families_of(view: Shown) -> list[comparison.Family]:
    """Models of all teams, or of the one asked for."""
    grid, team = view.grid(), view.filters.team
    kept = [row for row, entry in enumerate(grid.entries) if team in {"", entry.team}]
    return comparison.families(view.benchmark, grid, kept)


def timeline_of(view: Shown) -> Timeline:
    """Scores over time of the category and k asked for."""
    return timeline(view.benchmark, grid_ever(view.benchmark), view.filters.changed(metric=Metric.ACC))


def rows_of_page(view: Shown) -> tuple[Row, ...]:
    """The rows of one page, in the order of the board."""
    rows: tuple[Row, ...] = _rows_shown(view)["rows"]
    return rows


def _rows_shown(view: Shown) -> dict[str, Any]:
    """The board's rows of one page, with the links to the others."""
    rows, filters = view.board().rows, view.filters
    pages: list[Choice] = page_choices(filters, default_filters(view.benchmark), len(rows))
    start = (min(filters.page, len(pages)) - 1) * PAGE_ROWS
    return {
        "board_rows": rows,
        "rows": rows[start : start + PAGE_ROWS],
        "pages": pages,
        "span": (start + 1, min(start + PAGE_ROWS, len(rows)), len(rows)),
    }
