"""docs/settings.md and the code name the same variables."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


OF_THE_SELF_TEST = {"SELEN_SELF_TEST"}  # a decoy that the sandbox's self-test sets and looks for


def variables_in_code() -> set[str]:
    """Every text in the code that is the name of a variable and nothing else."""
    found = set()
    for room in ("selen_site", "submissions", "leaderboard", "verifier"):
        for source in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(source.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found |= set(re.findall(r"\A(?:SELEN_[A-Z_]+|DATABASE_URL|REDIS_URL)\Z", node.value))
    return found - OF_THE_SELF_TEST


def test_every_variable_is_in_the_table_and_every_row_is_read():
    table = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE))
    assert table == variables_in_code()
