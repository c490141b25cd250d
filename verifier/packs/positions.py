"""On which line a value of a TOML file stands.

The standard library reads TOML without keeping places. This walk keeps the places and nothing else. It trusts that
the text was read before, so it has no errors of its own, and it runs only when there is a finding to place.
"""

import re
from bisect import bisect_right
from typing import Final

Path = tuple[str | int, ...]

_SPACE: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY: Final = re.compile(r"""[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*(\.)?""")
_STRINGS: Final = (
    re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}', re.DOTALL),
    re.compile(r"'''.*?'{3,5}", re.DOTALL),
    re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)
_PLAIN: Final = re.compile(r"[^,\]}\n#]*")


def _plain_key(written: str) -> str:
    return written[1:-1] if written[0] in "\"'" else written


class _Walk:
    def __init__(self, text: str) -> None:
        self.text = text
        self.offsets: dict[Path, int] = {}
        self.tables: dict[Path, int] = {}

    def file(self) -> None:
        at, prefix = self.space(0), Path()
        while at < len(self.text):
            if self.text[at] == "[":
                at, prefix = self.header(at)
            else:
                at = self.pair(at, prefix)
            at = self.space(at)

    def space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def key(self, at: int) -> tuple[int, tuple[str, ...]]:
        parts: list[str] = []
        while match := _KEY.match(self.text, at):
            parts.append(_plain_key(match[1]))
            at = match.end()
            if not match[2]:
                break
        return at, tuple(parts)

    def header(self, at: int) -> tuple[int, Path]:
        many = self.text.startswith("[[", at)
        end, parts = self.key(at + 1 + many)
        path: Path = ()
        for number, part in enumerate(parts):
            path = (*path, part)
            last = number == len(parts) - 1
            if path in self.tables or (last and many):
                self.tables[path] = self.tables.get(path, -1) + (last and many)
                path = (*path, self.tables[path])
            self.offsets.setdefault(path, at)
        return end + 1 + many, path

    def pair(self, at: int, prefix: Path) -> int:
        end, parts = self.key(at)
        path: Path = prefix
        for part in parts:
            path = (*path, part)
            self.offsets.setdefault(path, at)
        return self.value(self.space(self.text.index("=", end) + 1), path)

    def value(self, at: int, path: Path) -> int:
        for string in _STRINGS:
            if match := string.match(self.text, at):
                return match.end()
        if self.text[at] == "[":
            return self.items(at + 1, path)
        if self.text[at] == "{":
            return self.pairs(at + 1, path)
        match = _PLAIN.match(self.text, at)
        return match.end() if match else at

    def items(self, at: int, path: Path) -> int:
        number, at = 0, self.space(at)
        while self.text[at] != "]":
            self.offsets[(*path, number)] = at
            at = self.comma(self.value(at, (*path, number)))
            number += 1
        return at + 1

    def pairs(self, at: int, path: Path) -> int:
        at = self.space(at)
        while self.text[at] != "}":
            at = self.comma(self.pair(at, path))
        return at + 1

    def comma(self, at: int) -> int:
        at = self.space(at)
        return self.space(at + 1) if self.text[at] == "," else at


class Positions:
    """Lines of the keys, tables and list items of one TOML text, counted from 1."""

    def __init__(self, text: str) -> None:
        walk = _Walk(text)
        walk.file()
        self._offsets = walk.offsets
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def line(self, path: Path) -> int:
        """Line of what `path` names, else of the nearest thing around it, else 1."""
        while path and path not in self._offsets:
            path = path[:-1]
        return bisect_right(self._starts, self._offsets[path]) if path else 1
