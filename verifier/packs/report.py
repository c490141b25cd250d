"""All findings of one pack, gathered while it is read, each with its file and line."""

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import ValidationError

from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding
from verifier.packs.positions import Path, Positions
from verifier.packs.schema import Table, place_in

_WANTED_TYPE = {
    "string_type": "text in quotes",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list in brackets",
    "tuple_type": "a list in brackets",
    "dict_type": "a table",
    "model_type": "a table",
    "datetime_type": "a date and time",
    "timezone_aware": "a date and time with time zone",
}


class Report:
    """Findings of one pack. Line numbers are worked out only for files that have findings."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._texts: dict[str, str] = {}
        self._positions: dict[str, Positions] = {}

    def knows(self, member: str, text: str) -> None:
        """Keep the text of a TOML file that was read without a syntax error, so that its keys have lines."""
        self._texts[member] = text

    def add(self, member: str, message: str, remedy: str, *, at: Path | int | None = None) -> None:
        """A finding in `member`; `at` is a line or the path of a key in a TOML file."""
        line = self._line(member, at) if isinstance(at, tuple) else at
        self.findings.append(Finding(Consequence.REFUSED, message, remedy, member, line))

    def schema_faults(self, member: str, fault: ValidationError, table: type[Table]) -> None:
        """Every fault that the schema found in one file, in the words of docs/packs.md."""
        for error in fault.errors(include_url=False):
            path = tuple(error["loc"])
            message, remedy = _in_plain_words(table, path, error["type"], error)
            self.add(member, message, remedy, at=path)

    def raise_if_any(self) -> None:
        """Raise InputFault with every finding, ordered by file and line."""
        if self.findings:
            raise InputFault(sorted(set(self.findings), key=lambda f: (f.member, f.line or 0, f.message)))

    def _line(self, member: str, path: Path) -> int | None:
        if member not in self._texts:
            return None
        if member not in self._positions:
            self._positions[member] = Positions(self._texts[member])
        return self._positions[member].line(path)


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that `name` was probably meant to be, or an empty string."""
    lowered = {one.lower(): one for one in known}
    found = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=0.6)
    return lowered[found[0]] if found else ""


def named(names: Sequence[str]) -> str:
    """Names for a sentence, at most ten of them."""
    shown = ", ".join(f"`{name}`" for name in names[:10])
    return f"{shown} and {len(names) - 10} more" if len(names) > 10 else shown


def _in_plain_words(table: type[Table], path: Path, kind: str, error: Any) -> tuple[str, str]:
    inner, says = place_in(table, path)
    key = _shown(path)
    write = f"Write {says}." if says else "See docs/packs.md."
    if kind == "extra_forbidden":
        known = list(inner.model_fields)
        guess = nearest(str(path[-1]), known)
        return f"unknown key `{key}`", f"Write `{guess}`." if guess else f"Take it away; known are {named(known)}."
    if kind == "missing":
        return f"key `{key}` is missing", write.replace("Write ", f"Add `{path[-1]}`: ", 1)
    if wanted := _WANTED_TYPE.get(kind):
        return f"`{key}` is {_shown_value(error['input'])}, not {wanted}", write
    if kind == "value_error":
        reason = str(error["ctx"]["error"])
        if path and isinstance(path[-1], int):  # a table as a whole
            return f"`{key}`: {reason}", "See docs/packs.md."
        return f"`{key}` is {_shown_value(error['input'])} and {reason}" if says and len(path) else reason, write
    return f"`{key}` is {_shown_value(error['input'])}", write


def _shown(path: Path) -> str:
    """`problem[2].id`, counted from 1 as people count."""
    shown = ""
    for part in path:
        shown += f"[{part + 1}]" if isinstance(part, int) else f".{part}"
    return shown.lstrip(".")


def _shown_value(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"
