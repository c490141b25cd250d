"""Does a text restate the problem, and where does the restated statement end."""

from itertools import takewhile
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
    words = [_word(encoded, token) for token in read]
    if not words or words[0] not in keywords.STATEMENTS:
        return text, 0
    owned_text = encode(statement)
    owned = [_word(owned_text, token) for token in _proper(owned_text)]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(owned, words, strict=False)))
    if same < len(owned):
        message = "The file restates the problem in other words."
        return _changed(text, encoded, read[min(same, len(read) - 1)], message)
    if same < len(words) and words[same] not in keywords.KIND_OF:
        message = "The file goes on with the statement where the benchmark's own ends."
        return _changed(text, encoded, read[same], message)
    end = _offset(text, encoded, read[same - 1].end)
    return text[end:], text.count("\n", 0, end)


def _proper(encoded: str) -> list[Token]:
    return [token for token in tokens(encoded) if token.kind not in _COMMENTS]


def _word(encoded: str, token: Token) -> str:
    return " ".join(encoded[token.start : token.end].split())


def _offset(text: str, encoded: str, at: int) -> int:
    """The place in the submitted text of a place in its encoding."""
    return at if encoded == text else offsets(text)[len(offsets(encoded[:at])) - 1]


def _changed(text: str, encoded: str, token: Token, message: str) -> Finding:
    line, column = place_of(text, _offset(text, encoded, token.start))
    return Finding(Consequence.REJECTED, message, _REMEDY, line=line, column=column, reason=Reason.STATEMENT_CHANGED)
