"""Does a text restate the problem, and where does the restated statement end."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from verifier.core.finding import Consequence, Finding
from verifier.core.isar_lexer import Kind, Token, tokens
from verifier.core.reason import Reason
from verifier.core.text import place_of
from verifier.provers.isabelle import keywords
from verifier.provers.isabelle.symbols import encode, offsets

_COMMENTS: Final = frozenset({Kind.COMMENT, Kind.FORMAL_COMMENT})
_REMEDY: Final = "Copy the statement as the benchmark gives it, or leave it out and begin with a proof command."


def split_statement(statement: str, text: str) -> tuple[str, int] | Finding:
    """Cut the owned statement off a text that restates it: (proof, lines cut), or why it is not the owned one.

    The statement must be restated token for token; blanks, comments and the spelling of symbols do not matter.
    """
    encoded = encode(text)
    read = _proper(encoded)
    token = next(read, None)
    if token is None or _word(encoded, token) not in {*keywords.STATEMENTS, *_owned(statement)[:1]}:
        return text, 0
    before = token
    for word in _owned(statement):
        if token is None or _word(encoded, token) != word:
            message = "The file restates the problem in other words."
            return _changed(text, encoded, token or before, message)
        before, token = token, next(read, None)
    if token is not None and _word(encoded, token) not in keywords.KIND_OF:
        message = "The file goes on with the statement where the benchmark's own ends."
        return _changed(text, encoded, token, message)
    end = _offset(text, encoded, before.end)
    return text[end:], text.count("\n", 0, end)


@lru_cache(maxsize=1024)
def _owned(statement: str) -> tuple[str, ...]:
    """The words of a problem's own statement."""
    encoded = encode(statement)
    return tuple(_word(encoded, token) for token in _proper(encoded))


def _proper(encoded: str) -> Iterator[Token]:
    return (token for token in tokens(encoded) if token.kind not in _COMMENTS)


def _word(encoded: str, token: Token) -> str:
    return " ".join(encoded[token.start : token.end].split())


def _offset(text: str, encoded: str, at: int) -> int:
    """The place in the submitted text of a place in its encoding."""
    return at if encoded == text else offsets(text)[len(offsets(encoded[:at])) - 1]


def _changed(text: str, encoded: str, token: Token, message: str) -> Finding:
    line, column = place_of(text, _offset(text, encoded, token.start))
    return Finding(Consequence.REJECTED, message, _REMEDY, line=line, column=column, reason=Reason.STATEMENT_CHANGED)
