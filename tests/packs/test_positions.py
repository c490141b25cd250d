"""Lines of TOML keys, held against every form in which TOML can write them."""

import json
import tomllib

from hypothesis import given
from hypothesis import strategies as st

from verifier.packs.positions import Positions

TEXT = '''# a comment with [a.table] and key = 1
top = 1
"quoted key" = "a # no comment"
dotted.inner.key = 2
long = """
[not.a.table]
fake = 1 \\"""
"""
raw = \'\'\'
[[neither]]
\'\'\'
list = [ # comment ]
  1,
  [2, "]"],
  { a = 1, b = [
    3 ] },
]
[table]
key = 'value'
[table.sub]
key = 2026-01-01T00:00:00Z
[[many]]
id = 1
[many.part]
key = 1
[[many]]
id = 2
[[many.deep]]
x = 1
[[many.deep]]
x = 2
'''

EXPECTED = {
    ("top",): 2,
    ("quoted key",): 3,
    ("dotted", "inner", "key"): 4,
    ("long",): 5,
    ("raw",): 9,
    ("list",): 12,
    ("list", 0): 13,
    ("list", 1): 14,
    ("list", 1, 1): 14,
    ("list", 2): 15,
    ("list", 2, "a"): 15,
    ("list", 2, "b", 0): 16,
    ("table",): 18,
    ("table", "key"): 19,
    ("table", "sub", "key"): 21,
    ("many", 0): 22,
    ("many", 0, "id"): 23,
    ("many", 0, "part", "key"): 25,
    ("many", 1, "id"): 27,
    ("many", 1, "deep", 1, "x"): 31,
    ("many", 1, "missing"): 26,
    ("nowhere",): 1,
}


def test_every_form_of_key_has_its_line():
    tomllib.loads(TEXT)
    positions = Positions(TEXT)
    assert {path: positions.line(path) for path in EXPECTED} == EXPECTED


@given(st.lists(st.text(max_size=20).filter(lambda text: "\r" not in text), max_size=8))
def test_strings_never_shift_the_lines_that_follow(values):
    lines = [f"k{number} = {json.dumps(value)}" for number, value in enumerate(values)]
    positions = Positions("\n".join(lines))
    for number in range(len(values)):
        assert positions.line((f"k{number}",)) == number + 1
