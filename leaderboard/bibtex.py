"""BibTeX of one published run and of one state of a board."""

from collections.abc import Mapping
from datetime import UTC

from leaderboard.addresses import State
from leaderboard.filters import Filters, default_filters
from leaderboard.latex import commands_escaped
from leaderboard.published_runs import Published
from leaderboard.selectors import Benchmark
from verifier.core.digest import digest_bytes

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def run_bibtex(benchmark: Benchmark, run: Published, address: str, state: str) -> str:
    """An entry for one row; `address` is that of its submission, `state` that of the board when it entered.

    The key is made of the benchmark and the submission, so it never changes.
    """
    pack, since = benchmark.pack, run.since.astimezone(UTC)
    title = f"{run.system}: {_score(run)} on {pack.title}, set {benchmark.problem_set.name}"
    return _entry(
        f"selen-{pack.slug}-{run.submission}",
        {
            "author": f"{{{commands_escaped(run.team)}}}",
            "title": f"{{{commands_escaped(title)}}}",
            "year": str(since.year),
            "month": MONTHS[since.month - 1],
            "howpublished": commands_escaped(f"Selen, leaderboard of {pack.title}"),
            "url": _url(address),
            "note": commands_escaped(
                f"Published {since:%Y-%m-%d}, run {run.run}. Set digest {benchmark.problem_set.digest}, "
                f"environment digest {run.environment}. The board as it stood: {_url(state)}"
            ),
        },
        bare={"month"},
    )


def board_bibtex(benchmark: Benchmark, filters: Filters, state: State) -> str:
    """An entry for the board as it stood at the moment of `state`; empty where nothing was ever published.

    The moment is part of the key, and so are filters, so that two views of one state are cited beside each other.
    """
    if state.moment is None:
        return ""
    pack, at = benchmark.pack, state.moment.astimezone(UTC)
    view = f", {filters.category}" if filters.category else ""
    chosen = filters.of_board().changed(at=None).query(default_filters(benchmark))
    return _entry(
        f"selen-{pack.slug}-{benchmark.problem_set.name}-{at:%Y%m%dT%H%M%S}"
        + (f"-{digest_bytes(chosen.encode())[:8]}" if chosen else ""),
        {
            "author": "{Selen}",
            "title": f"{{{commands_escaped(f'Leaderboard of {pack.title}, set {benchmark.problem_set.name}')}}}",
            "year": str(at.year),
            "month": MONTHS[at.month - 1],
            "url": _url(state.address),
            "note": commands_escaped(
                f"{filters.label}{view}, as it stood on {at:%Y-%m-%d %H:%M:%S} UTC. "
                f"Set digest {benchmark.problem_set.digest}, pack digest {pack.digest}."
            ),
        },
        bare={"month"},
    )


def _score(run: Published) -> str:
    if run.solved is None:
        return f"no {run.metric}"
    if run.owed:
        return f"{run.metric} incomplete"
    return f"{run.metric} {run.solved}/{run.total}"


def _url(address: str) -> str:
    """An address inside braces: what would close them or start a command is percent-encoded."""
    return "".join(f"%{ord(char):02X}" if char in '{}\\^~`|<>" ' else char for char in address)


def _entry(key: str, fields: Mapping[str, str], bare: set[str]) -> str:
    """One @misc; fields in `bare` stand without braces, as abbreviations do."""
    width = max(map(len, fields))
    lines = [f"  {name:<{width}} = {value if name in bare else f'{{{value}}}'}," for name, value in fields.items()]
    return "\n".join([f"@misc{{{key},", *lines, "}"]) + "\n"
