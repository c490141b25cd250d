"""docs/settings.md and the code name the same variables."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READERS = {"text", "flag", "integer", "words", "path"}


def variables_in_code() -> set[str]:
    found = set()
    for room in ("selen_site", "submissions", "leaderboard", "verifier"):
        for source in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(source.read_text())):
                match node:
                    case ast.Call(
                        func=ast.Attribute(value=ast.Name(id="env"), attr=attr),
                        args=[ast.Constant(value=str(name)), *_],
                    ) if attr in READERS:
                        found.add(name)
    return found


def test_every_variable_is_in_the_table_and_every_row_is_read():
    table = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE))
    assert table == variables_in_code()
