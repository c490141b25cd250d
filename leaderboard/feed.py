"""Atom feed of a board (RFC 4287): one entry for every run that entered it, under an id that never changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree as ET

from leaderboard.published_runs import Published
from leaderboard.reported import label_of
from leaderboard.selectors import Benchmark
from leaderboard.xml_text import xml_text

ATOM = "http://www.w3.org/2005/Atom"
EMPTY = datetime(2026, 1, 1, tzinfo=UTC)  # last change of a board that nothing entered yet


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the feed itself, the board and every submission (by its id) can be read."""

    feed: str
    board: str
    submissions: dict[str, str]


def board_atom(benchmark: Benchmark, runs: Sequence[Published], addresses: Addresses) -> str:
    """The feed as XML, newest first."""
    ET.register_namespace("", ATOM)
    feed = ET.Element(f"{{{ATOM}}}feed")
    pack = benchmark.pack
    _text(feed, "id", _identity(f"board/{pack.slug}"))
    _text(feed, "title", f"{pack.title}: leaderboard")
    _text(feed, "subtitle", pack.summary)
    _text(feed, "updated", _moment(max((run.since for run in runs), default=EMPTY)))
    _link(feed, "self", addresses.feed, "application/atom+xml")
    _link(feed, "alternate", addresses.board, "text/html")
    _author(feed, "Selen")
    for run in runs:
        _entry(feed, benchmark, run, addresses.submissions[run.submission])
    text: str = ET.tostring(feed, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _entry(feed: ET.Element, benchmark: Benchmark, run: Published, address: str) -> None:
    entry = ET.SubElement(feed, f"{{{ATOM}}}entry")
    # A run enters a board once; judged again, its submission enters with another run.
    _text(entry, "id", _identity(f"board/{benchmark.pack.slug}/{benchmark.problem_set.name}/run/{run.run}"))
    _text(entry, "title", f"{label_of(run.system, run.augmentations)}: {score_words(run)}")
    _text(entry, "published", _moment(run.since))
    _text(entry, "updated", _moment(run.since))
    _link(entry, "alternate", address, "text/html")
    _author(entry, run.team)
    summary = (
        f"{run.team} published {run.system} on {benchmark.pack.title}, set {benchmark.problem_set.name}: "
        f"{score_words(run)}. Environment {run.environment[:16]} ({run.version})."
    )
    _text(entry, "summary", summary)


def score_words(run: Published) -> str:
    """A score in words: rate, counts and interval, or why there is none."""
    if run.solved is None:
        return f"nothing uploaded that {run.metric} counts"
    if run.owed:
        return f"{run.metric} incomplete, {run.owed} verdicts open"
    low, high = 100 * run.interval.low, 100 * run.interval.high
    return f"{run.metric} {100 * run.rate:.1f} % ({run.solved}/{run.total}, 95 % interval {low:.1f} to {high:.1f})"


def _identity(name: str) -> str:
    """The same for the same name for ever, on any host and under any address of the site."""
    return uuid5(NAMESPACE_URL, f"urn:selen:{name}").urn


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _text(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, f"{{{ATOM}}}{name}").text = xml_text(text)


def _link(parent: ET.Element, rel: str, address: str, kind: str) -> None:
    ET.SubElement(parent, f"{{{ATOM}}}link", rel=rel, href=address, type=kind)


def _author(parent: ET.Element, name: str) -> None:
    _text(ET.SubElement(parent, f"{{{ATOM}}}author"), "name", name)
