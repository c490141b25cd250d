"""How are the files of a pack written, so that the same values give the same bytes."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from verifier.packs.identity import set_digest
from verifier.packs.schema import LimitsTable, PackFile, ProblemTable, Table

# In the order of docs/packs.md.
_HEADING: Final = (
    "format",
    "edition",
    "title",
    "summary",
    "prover",
    "toolchain",
    "licence",
    "citation",
    "homepage",
    "units",
    "current_set",
    "k_values",
    "primary_metric",
    "proofs",
    "daily_quota",
    "proof_dependencies",
    "skipped_proofs",
    "variables",
    "opens",
    "closes",
)
_PROBLEM: Final = ("revision", "status", "split", "bundle", "permitted_axioms", "tags")


def manifest_file(heading: PackFile) -> str:
    """pack.toml with the keys that were given, in the order of their description."""
    lines = _lines(heading, _HEADING)
    for name in ("limits", "selftest"):
        table: LimitsTable = getattr(heading, name)
        if table.model_fields_set:
            lines += ["", f"[{name}]", *_lines(table, LimitsTable.model_fields)]
    for category in heading.categories:
        lines += ["", "[[categories]]", *_lines(category, type(category).model_fields)]
    return "\n".join(lines) + "\n"


def problems_file(problems: Sequence[ProblemTable]) -> str:
    """problems/<unit>.toml; what is as it would be without a key is left out."""
    return "\n".join(_problem(problem) for problem in problems)


def set_file(
    title: str, members: Sequence[tuple[str, int]], seed: int | None = None, drawn: Mapping[str, int] | None = None
) -> str:
    """A set of problems with their revisions and its digest, and what it was drawn with."""
    listed = "".join(f"  {_value(f'{name}@{revision}')},\n" for name, revision in members)
    text = f"title = {_value(title)}\nmembers = [\n{listed}]\ndigest = {_value(set_digest(members))}\n"
    text += "" if seed is None else f"seed = {seed}\n"
    return text + (f"drawn = {_value(drawn)}\n" if drawn else "")


def _problem(problem: ProblemTable) -> str:
    lines = ["[[problem]]", f"id = {_value(problem.id)}"]
    if problem.lemma and problem.lemma != problem.id:
        lines.append(f"lemma = {_value(problem.lemma)}")
    lines.append(f"category = {_value(problem.category)}")
    for key in _PROBLEM:
        value = getattr(problem, key)
        if value != ProblemTable.model_fields[key].default:
            lines.append(f"{key} = {_value(value)}")
    return "\n".join(lines) + "\n"


def _lines(table: Table, keys: Sequence[str] | Mapping[str, object]) -> list[str]:
    given = {key: getattr(table, key) for key in keys if key in table.model_fields_set}
    return [f"{key} = {_value(value)}" for key, value in given.items() if value is not None]


def _value(value: Any) -> str:
    """A value in TOML; a JSON string is a TOML string."""
    match value:
        case bool():
            text = "true" if value else "false"
        case str():
            text = json.dumps(value, ensure_ascii=False)
        case datetime():
            text = value.isoformat().replace("+00:00", "Z")
        case Mapping():
            text = f"{{ {', '.join(f'{_key(key)} = {_value(one)}' for key, one in value.items())} }}"
        case list() | tuple():
            text = f"[{', '.join(_value(one) for one in value)}]"
        case float() if value.is_integer():
            text = str(int(value))
        case _:
            text = str(value)
    return text


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else json.dumps(key)
