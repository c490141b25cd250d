r"""Isabelle's outer tokens, read as the prover's own lexer reads them, from text in its ASCII encoding.

`\<name>` is one symbol; comments and cartouches nest. No group is repeated possessively: the engine of Python up to
3.11.4 then goes on behind what it could not match. What the prover would only complain about later is left to it:
here a text is cut into tokens, and an error is told where the lexer cannot go on.
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple


class Kind(StrEnum):
    """Kinds of tokens, as coarse as a policy needs them."""

    COMMENT = "comment"  # (* … *), or several with nothing but blanks between them
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
MALFORMED: Final = re.compile(r"\\<\^?+(?:[A-Za-z][A-Za-z0-9_']*+|(?![A-Za-z]))(?!>)|\\<\^?>")

_GREEK: Final = (
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|mu|nu|xi|pi|rho|sigma|tau|upsilon|phi|chi|psi|omega|"
    "Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega"  # \<lambda> binds variables and is no letter
)
_DOUBLED: Final = "|".join(f"{c}{c}?" for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_LETTER_SYMBOL: Final = rf"\\<(?:{_DOUBLED}|{_GREEK})>"
_GOES_ON: Final = rf"(?:[A-Za-z0-9_']++|{_LETTER_SYMBOL}|\\<\^sub>(?=[A-Za-z0-9_']|{_LETTER_SYMBOL}))*"
_IDENT: Final = rf"(?:[A-Za-z]|{_LETTER_SYMBOL}){_GOES_ON}"
IDENTIFIER: Final = re.compile(_IDENT)

_BLANK: Final = r" \t\n\x0b\f\r"
_PART: Final = (
    r"(?:[^\\{q}]++|\\<\^?+(?:[A-Za-z][A-Za-z0-9_']*+|(?![A-Za-z]))>?+|\\\\(?!<)|\\{q}|\\[0-9]{{3}}){{{least},200}}"
)
_WORD: Final = rf"{_IDENT}(?:\.{_IDENT})*"
_SIGN: Final = r"[()\[\],:;.{}](?!\*|\.)"
_STRING: Final = "|".join(quote + _PART.format(q=quote, least=0) + quote for quote in '"`')  # not the longest ones
_NAME: Final = rf"\??'?{_IDENT}(?:\.{_IDENT})*(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?"
_SYMBOLIC: Final = rf"[!#$%&*+\-/<=>?@^_|~]+|{_NAMED}|\.\."
_FLAT: Final = r"\(\*[^*(]*(?:(?:\*(?!\))|\((?!\*))[^*(]*){0,200}\*\)"  # a comment without others inside
_ANY: Final = "|".join(
    (
        rf"(?P<word>{_WORD})",
        rf"(?P<other>{_SIGN})",
        rf"(?P<string>{_STRING})",
        rf"(?P<flat>{_FLAT}(?:[{_BLANK}]*+{_FLAT}){{0,100}})",
        r"(?P<comment>\(\*)",
        r"(?P<cartouche>\\<open>)",
        rf"(?P<formal>\\<comment>[{_BLANK}]*+|\\<\^(?:cancel|latex|marker)>)",
        r"(?P<control>\\<\^[A-Za-z][A-Za-z0-9_']*>)",
        r"(?P<close>\\<close>)",
        rf"(?P<name>{_NAME})",
        rf"(?P<symbolic>{_SYMBOLIC})",
        r'(?P<quote>["`])',
        r"(?P<rest>[\s\S])",
    )
)
_TOKEN: Final = re.compile(rf"[{_BLANK}]*+(?:{_ANY})")
_PARTS: Final = {quote: re.compile(_PART.format(q=quote, least=1)) for quote in '"`'}
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
    "flat": Kind.COMMENT,
}


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, blanks between them left out; after an error there is no further token."""
    yield from _tokens(text, None)


def notable(text: str, words: frozenset[str], at: int = 0) -> Iterator[Token]:
    """The same from a token's end on, without words, names, signs and strings but those that may be one of `words`.

    A text of thousands of short tokens is read many times faster, as runs of what is left out.
    """
    yield from _tokens(text, _plain(words), at)


def _tokens(text: str, plain: re.Pattern[str] | None, at: int = 0) -> Iterator[Token]:
    while True:
        while plain is not None and (run := plain.match(text, at)):
            at = run.end()
        found = _TOKEN.match(text, at)
        if found is None:
            return
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


@lru_cache(maxsize=32)
def _plain(words: frozenset[str]) -> re.Pattern[str]:
    """A run of tokens that are certainly none of the words, no comment, cartouche, control symbol or error.

    Bounded, since the engine behind it keeps a place to go back to for each repetition.
    """
    names = _any_of(sorted(word for word in words if IDENTIFIER.fullmatch(word)))
    signs = "".join(f"|{re.escape(word)}" for word in sorted(words) if not IDENTIFIER.fullmatch(word))
    special = rf"(?=[A-Za-z])(?:{names})(?![A-Za-z0-9_'])|\(\*|\\<(?:open>|close>|comment>|\^){signs}"
    plain = rf"{_WORD}|{_SIGN}|{_STRING}|{_NAME}|{_SYMBOLIC}|[^\"`{_BLANK}]"
    return re.compile(rf"(?:[{_BLANK}]*+(?:\\(?!<)|(?!{special})(?:{plain}))){{1,200}}")


def _any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, in their order, that looks at each letter once; matches nothing without words."""
    parts = []
    for first, group in groupby(words, key=lambda word: word[:1]):
        rest = [word[1:] for word in group]
        parts.append(re.escape(first) + (f"(?:{_any_of(rest)})" if any(rest) else ""))
    return "|".join(reversed(parts)) or r"(?!)"


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
    if group == "quote":
        return _quoted(text, start)
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


def _quoted(text: str, start: int) -> Token:
    """A string of any length, or one that does not end."""
    quote, at = text[start], start + 1
    while part := _PARTS[quote].match(text, at):
        at = part.end()
    if text.startswith(quote, at):
        return Token(Kind.STRING, start, at + 1)
    return Token(Kind.ERROR, start, at, Fault.STRING if at == len(text) else Fault.ESCAPE)
