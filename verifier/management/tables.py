"""How a project's lemmas and what became of them are printed: fact by fact, by folder, by reason, as one object."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from rich.table import Table

from verifier.core.display import shown
from verifier.extract.checked import FolderChecked, Refusal
from verifier.extract.facts import Ending, Fact, category_of

_HEADINGS: Final = ("files", "found", "checked", "verified", "refused", "ms a proof", "ms a lemma, all in all")


def fact_object(fact: Fact, *, kept: bool) -> dict[str, Any]:
    """A stated fact as an object; `kept` says whether the rules take it."""
    return {
        "session": fact.session,
        "theory": fact.theory,
        "file": fact.member,
        "line": fact.line,
        "keyword": fact.keyword,
        "name": fact.name,
        "target": fact.target,
        "in_block": fact.in_block,
        "ending": str(fact.ending),
        "lines": fact.proof_lines,
        "declarative": fact.declarative,
        "category": category_of(fact) if fact.ending is Ending.PROVED else None,
        "kept": kept,
        **(asdict(fact.used) if fact.used else {}),
    }


def checked_tables(folders: Sequence[FolderChecked], rules: str) -> list[Table]:
    """The table by folder, and where lemmas were refused that of their reasons."""
    table = Table(title=f"Checked where they stand, rules {rules}")
    table.add_column("folder")
    for heading in _HEADINGS:
        table.add_column(heading, justify="right")
    for one in folders:
        table.add_row(shown(one.folder), *_cells([one]))
    table.add_section()
    table.add_row("all of these", *_cells(folders))
    reasons = _reasons(folders)
    return [table, _why(reasons)] if reasons else [table]


def checked_object(folders: Sequence[FolderChecked], rules: str) -> dict[str, Any]:
    """The same as an object, with every refusal."""
    return {
        "rules": rules,
        "folders": {one.folder: _figures([one]) for one in folders},
        "total": _figures(folders),
        "refused": [asdict(refusal) for one in folders for refusal in one.refused],
    }


def _figures(folders: Sequence[FolderChecked]) -> dict[str, int | float | None]:
    verified, checked = sum(one.verified for one in folders), sum(one.checked for one in folders)
    return {
        "files": sum(one.files for one in folders),
        "found": sum(one.found for one in folders),
        "checked": checked,
        "verified": verified,
        "refused": checked - verified,
        "proof_ms": round(sum(one.proof_ms for one in folders) / verified, 1) if verified else None,
        "lemma_ms": round(sum(one.wall_ms for one in folders) / checked, 1) if checked else None,
    }


def _cells(folders: Sequence[FolderChecked]) -> list[str]:
    return ["" if figure is None else f"{figure:,}" for figure in _figures(folders).values()]


def _reasons(folders: Sequence[FolderChecked]) -> dict[str, list[Refusal]]:
    """Refusals by reason, the most frequent first."""
    found = [refusal for one in folders for refusal in one.refused]
    order = [reason for reason, _ in Counter(refusal.reason for refusal in found).most_common()]
    return {reason: [refusal for refusal in found if refusal.reason == reason] for reason in order}


def _why(reasons: dict[str, list[Refusal]]) -> Table:
    table = Table(title="Refused")
    for heading in ("reason", "lemmas", "the first of them", "what the prover said"):
        table.add_column(heading, justify="right" if heading == "lemmas" else "left", overflow="fold")
    for reason, refusals in reasons.items():
        first = refusals[0]
        table.add_row(reason, f"{len(refusals):,}", f"{shown(first.member)}:{first.line} {first.lemma}", first.message)
    return table
