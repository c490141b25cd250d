"""Owned statements as text: under another name, and as a proposition of their own."""

import re
from typing import Final

from verifier.core import rocq

_NAME: Final = re.compile(r"[^\W\d][\w']*")
_BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}


def renamed(statement: str, name: str, fresh: str) -> str:
    """The statement under a fresh name; everything else as it stands."""
    at = _name_at(statement, name)
    return statement[:at] + fresh + statement[at + len(name) :]


def proposition(statement: str, name: str) -> str | None:
    """The statement as one closed term (`forall` its binders), or None where binders cannot stand under `forall`."""
    bare = rocq.without_comments(statement)
    rest = bare[_name_at(statement, name) + len(name) :].rstrip()
    rest = rest.removesuffix(".")
    colon = _top_colon(rest)
    if colon is None or ":=" in rest[:colon] or "@{" in rest[:colon]:
        return None
    binders, body = rest[:colon].strip(), rest[colon + 1 :].strip()
    return f"forall {binders}, {body}" if binders else body


def _name_at(statement: str, name: str) -> int:
    for match in _NAME.finditer(rocq.without_comments(statement)):
        if match.group() == name:
            return match.start()
    raise ValueError(f"the statement does not name {name}")


def _top_colon(text: str) -> int | None:
    depth, at = 0, 0
    while at < len(text):
        sign = text[at]
        if sign == '"':
            at = rocq.string_end(text, at)
            if at < 0:
                return None
            continue
        depth += (sign in _BRACKETS) - (sign in _BRACKETS.values())
        if sign == ":" and depth == 0 and text[at + 1 : at + 2] not in {"=", ":"}:
            return at
        at += 1
    return None
