r"""Isabelle's outer tokens, read as the prover's own lexer reads them, from text in its ASCII encoding.

`\<name>` is one symbol; comments and cartouches nest. What the prover would only complain about later is left to it:
here a text is cut into tokens, and an error is told where the lexer cannot go on.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple


class Kind(StrEnum):
    """Kinds of tokens, as coarse as a policy needs them."""

    COMMENT = "comment"  # (* … *)
    FORMAL_COMMENT = "formal_comment"  # \<comment> and its like with their text
    WORD = "word"  # identifiers, also long ones
    NAME = "name"  # variables, type variables, numbers
    STRING = "string"  # "…" and `…`
    CARTOUCHE = "cartouche"
    CONTROL = "control"  # a control symbol, with its cartouche if one follows
    SYMBOLIC = "symbolic"  # runs such as := and single symbols
    OTHER = "other"  # any other character
    ERROR = "error"  # from here on nothing can be read


class Fault(StrEnum):
    """Why a token is an error."""

    COMMENT = "comment"
    STRING = "string"
    CARTOUCHE = "cartouche"
    CLOSE = "close"  # \<close> without \<open>
    FORMAL_COMMENT = "formal comment"  # without the cartouche that belongs to it
    ESCAPE = "escape"  # a backslash in a string before something else than \ and the quote


class Token(NamedTuple):
    """A token by its place; `fault` is set for errors, whose `end` is then where the reading stopped."""

    kind: Kind
    start: int
    end: int
    fault: Fault | None = None


_NAMED: Final = r"\\<\^?(?:[A-Za-z][A-Za-z0-9_']*)?>?"
SYMBOL: Final = re.compile(rf"{_NAMED}|[\s\S]")  # one Isabelle symbol; named ones may be malformed
MALFORMED: Final = re.compile(r"\\<\^?+(?:[A-Za-z][A-Za-z0-9_']*+)?+(?!>)|\\<\^?>")

_GREEK: Final = (
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|mu|nu|xi|pi|rho|sigma|tau|upsilon|phi|chi|psi|omega|"
    "Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega"  # \<lambda> binds variables and is no letter
)
_DOUBLED: Final = "|".join(f"{c}{c}?" for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_LETTER_SYMBOL: Final = rf"\\<(?:{_DOUBLED}|{_GREEK})>"
_GOES_ON: Final = rf"(?:[A-Za-z0-9_']|{_LETTER_SYMBOL}|\\<\^sub>(?=[A-Za-z0-9_']|{_LETTER_SYMBOL}))*+"
_IDENT: Final = rf"(?:[A-Za-z]|{_LETTER_SYMBOL}){_GOES_ON}"
IDENTIFIER: Final = re.compile(_IDENT)

_BLANK: Final = r" \t\n\x0b\f\r"
_STRING_PART: Final = r"(?:[^\\{q}]|\\<\^?(?:[A-Za-z][A-Za-z0-9_']*)?>?|\\\\(?!<)|\\{q}|\\[0-9]{{3}})*+"
_DOUBLE: Final = _STRING_PART.format(q='"')
_BACK: Final = _STRING_PART.format(q="`")
_ANY: Final = "|".join(
    (
        rf"(?P<word>{_IDENT}(?:\.{_IDENT})*+)",
        r"(?P<other>[()\[\],:;.{}](?!\*|\.))",
        rf'(?P<string>"{_DOUBLE}"|`{_BACK}`)',
        r"(?P<comment>\(\*)",
        r"(?P<cartouche>\\<open>)",
        rf"(?P<formal>\\<comment>[{_BLANK}]*+|\\<\^(?:cancel|latex|marker)>)",
        r"(?P<control>\\<\^[A-Za-z][A-Za-z0-9_']*>)",
        r"(?P<close>\\<close>)",
        rf"(?P<name>\??'?{_IDENT}(?:\.{_IDENT})*+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?)",
        rf"(?P<symbolic>[!#$%&*+\-/<=>?@^_|~]+|{_NAMED}|\.\.)",
        r'(?P<unclosed>["`])',
        r"(?P<rest>[\s\S])",
    )
)
_TOKEN: Final = re.compile(rf"[{_BLANK}]*+(?:{_ANY})")
_UNCLOSED: Final = {'"': re.compile(_DOUBLE), "`": re.compile(_BACK)}
_COMMENT_ENDS: Final = re.compile(r"\(\*|\*\)")
_CARTOUCHE_ENDS: Final = re.compile(r"\\<open>|\\<close>")
_OPENINGS: Final = frozenset({"(*", "\\<open>"})
_PLAIN: Final = {
    "word": Kind.WORD,
    "name": Kind.NAME,
    "symbolic": Kind.SYMBOLIC,
    "other": Kind.OTHER,
    "rest": Kind.OTHER,
    "string": Kind.STRING,
}


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, blanks between them left out; after an error there is no further token."""
    at = 0
    while found := _TOKEN.match(text, at):
        group = found.lastgroup
        assert group is not None
        start, at = found.span(group)
        if kind := _PLAIN.get(group):
            yield Token(kind, start, at)
            continue
        token = _nested(text, start, at, group)
        yield token
        if token.kind is Kind.ERROR:
            return
        at = token.end


def blanked(text: str, start: int, end: int) -> str:
    """As many blanks as there are symbols between two places, with the line breaks kept."""
    return "".join("\n" if symbol == "\n" else " " for symbol in SYMBOL.findall(text[start:end]))


def _nested(text: str, start: int, end: int, group: str) -> Token:
    """A token that holds others, or one that the lexer cannot finish."""
    if group == "comment":
        return _to_end(text, start, start, _COMMENT_ENDS, (Kind.COMMENT, Fault.COMMENT))
    if group == "cartouche":
        return _to_end(text, start, start, _CARTOUCHE_ENDS, (Kind.CARTOUCHE, Fault.CARTOUCHE))
    if group == "close":
        return Token(Kind.ERROR, start, end, Fault.CLOSE)
    if group == "unclosed":
        return _unclosed(text, start)
    formal = group == "formal"
    if text.startswith("\\<open>", end):
        kind = Kind.FORMAL_COMMENT if formal else Kind.CONTROL
        return _to_end(text, start, end, _CARTOUCHE_ENDS, (kind, Fault.CARTOUCHE))
    return Token(Kind.ERROR, start, end, Fault.FORMAL_COMMENT) if formal else Token(Kind.CONTROL, start, end)


def _to_end(text: str, start: int, opened: int, marks: re.Pattern[str], names: tuple[Kind, Fault]) -> Token:
    depth = 0
    for mark in marks.finditer(text, opened):
        depth += 1 if mark.group() in _OPENINGS else -1
        if depth == 0:
            return Token(names[0], start, mark.end())
    return Token(Kind.ERROR, start, len(text), names[1])


def _unclosed(text: str, start: int) -> Token:
    body = _UNCLOSED[text[start]].match(text, start + 1)
    assert body is not None
    fault = Fault.STRING if body.end() == len(text) else Fault.ESCAPE
    return Token(Kind.ERROR, start, body.end(), fault)
