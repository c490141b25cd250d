"""Where Rocq's sentences, comments and strings begin and end: a lossless scan in linear time, without any prover.

The rules are those of Rocq's own lexer: comments nest and their strings hide `*)`; a quote inside a string is written
twice; a sentence ends at a dot (or `...`) that a blank or the end of the text follows; bullets and braces at the
start of a sentence are sentences of their own. What the scan does not know: notations that declare new tokens.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final

_BLANKS: Final = " \t\n\r"
_BLANK_RUN: Final = re.compile(r"[ \t\n\r]*")
_IN_CODE: Final = re.compile(r'\(\*|"|\.')
_IN_COMMENT: Final = re.compile(r'\(\*|\*\)|"')
_DOTS: Final = re.compile(r"\.+")
_BULLET: Final = re.compile(r"-+|\++|\*+")
_SELECTOR: Final = re.compile(r"(?:\d+|\[[ \t\n\r]*[^\W\d][\w']*[ \t\n\r]*\]|!)[ \t\n\r]*:[ \t\n\r]*\{(?!\|)")
_WORD: Final = re.compile(r"[^\W\d][\w']*|\d+|:=|\.\.\.|\S")
_FIRST_WORDS: Final = 8


class SentenceKind(StrEnum):
    """What a sentence is at first sight."""

    SENTENCE = "sentence"
    BULLET = "bullet"
    BRACE = "brace"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: `text` is `source[start:end]`, without the blanks and comments before it.

    `line` and `column` count from 1, columns in characters. `closed` is False when the text ends before the sentence
    does.
    """

    kind: SentenceKind
    text: str
    start: int
    end: int
    line: int
    column: int
    closed: bool = True

    @property
    def words(self) -> tuple[str, ...]:
        """Its first words and signs, comments left out, strings as one word; found anew each time it is asked for."""
        return words(without_comments(self.text), _FIRST_WORDS)


@dataclass(frozen=True, slots=True)
class Unclosed:
    """The outermost thing that is still open at the end of a text: `comment`, `string` or `sentence`."""

    what: str
    line: int
    column: int


class Lines:
    """Line and column, counted from 1, of an offset in a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """(line, column) of the character at `offset`."""
        row = bisect_right(self._starts, offset) - 1
        return row + 1, offset - self._starts[row] + 1


def string_end(text: str, start: int) -> int:
    """Offset just after the string that opens at `start`; -1 when it never closes."""
    at = start + 1
    while (quote := text.find('"', at)) >= 0:
        if text[quote + 1 : quote + 2] != '"':
            return quote + 1
        at = quote + 2
    return -1


def comment_end(text: str, start: int) -> int:
    """Offset just after the comment that opens at `start`; -1 when it never closes."""
    depth, at = 1, start + 2
    while match := _IN_COMMENT.search(text, at):
        if match.group() == '"':
            at = string_end(text, match.start())
            if at < 0:
                return -1
            continue
        depth += 1 if match.group() == "(*" else -1
        at = match.end()
        if depth == 0:
            return at
    return -1


def without_comments(text: str) -> str:
    """The text with every comment replaced by blanks of the same shape; offsets and lines stay. Strings stay."""
    if "(*" not in text:
        return text
    parts, at, seek = [], 0, 0
    while match := _IN_CODE.search(text, seek):
        if match.group() == "(*":
            end = comment_end(text, match.start())
            end = len(text) if end < 0 else end
            parts += [text[at : match.start()], re.sub(r"[^\n]", " ", text[match.start() : end])]
            at = seek = end
        elif match.group() == '"':
            end = string_end(text, match.start())
            seek = len(text) if end < 0 else end
        else:
            seek = match.end()
    parts.append(text[at:])
    return "".join(parts)


def words(text: str, limit: int | None = None) -> tuple[str, ...]:
    """Words and signs of a text without comments; a string counts as one word."""
    if '"' not in text:
        return tuple([match.group() for match in islice(_WORD.finditer(text), limit)])
    found: list[str] = []
    at = 0
    while (limit is None or len(found) < limit) and (match := _WORD.search(text, at)):
        at = match.end()
        if match.group() == '"':
            end = string_end(text, match.start())
            at = len(text) if end < 0 else end
        found.append(text[match.start() : at])
    return tuple(found)


def _skip_blanks(text: str, at: int) -> tuple[int, int]:
    """(offset of the next code, -1), or (end of text, offset of the comment that never closes)."""
    while True:
        match = _BLANK_RUN.match(text, at)
        at = match.end() if match else at
        if not text.startswith("(*", at):
            return at, -1
        end = comment_end(text, at)
        if end < 0:
            return len(text), at
        at = end


def _sentence_end(text: str, at: int) -> tuple[int, bool]:
    """(offset just after the sentence that starts at `at`, whether it closes)."""
    while match := _IN_CODE.search(text, at):
        if match.group() == '"':
            at = string_end(text, match.start())
        elif match.group() == "(*":
            at = comment_end(text, match.start())
        else:
            dots = _DOTS.match(text, match.start())
            at = dots.end() if dots else match.end()
            blank_follows = at == len(text) or text[at] in _BLANKS
            if blank_follows and at - match.start() != 2:
                return at, True
        if at < 0:
            break
    return len(text), False


def _scan(text: str) -> Iterator[tuple[SentenceKind, int, int, bool]]:
    at = 0
    while True:
        at, _ = _skip_blanks(text, at)
        if at >= len(text):
            return
        first = text[at]
        if first in "-+*" and (bullet := _BULLET.match(text, at)):
            yield SentenceKind.BULLET, at, bullet.end(), True
            at = bullet.end()
        elif first in "{}":
            yield SentenceKind.BRACE, at, at + 1, True
            at += 1
        elif (first in "[!" or first.isdigit()) and (selector := _SELECTOR.match(text, at)):
            yield SentenceKind.BRACE, at, selector.end(), True
            at = selector.end()
        else:
            end, closed = _sentence_end(text, at)
            yield SentenceKind.SENTENCE, at, end, closed
            at = end


def sentences(text: str) -> list[Sentence]:
    """All sentences of a text in order; what lies between two of them is blanks and comments."""
    lines = Lines(text)
    return [_sentence(text, lines, *part) for part in _scan(text)]


def first_sentence(text: str) -> Sentence | None:
    """The first of the sentences, without a scan of the others; None for a text of blanks and comments."""
    part = next(_scan(text), None)
    return _sentence(text, Lines(text[: part[1]]), *part) if part else None


def _sentence(text: str, lines: Lines, kind: SentenceKind, start: int, end: int, closed: bool) -> Sentence:  # noqa: PLR0917 - what the scan yields
    line, column = lines.place(start)
    return Sentence(kind, text[start:end], start, end, line, column, closed)


def unclosed(text: str, parts: Sequence[Sentence]) -> Unclosed | None:
    """The comment, string or sentence that is open where the text ends, or None; `parts` are its sentences."""
    if parts and not parts[-1].closed:
        what, place = _open_inside(text, parts[-1].start)
        return Unclosed(what, *Lines(text).place(place))
    _, comment = _skip_blanks(text, parts[-1].end if parts else 0)
    return Unclosed("comment", *Lines(text).place(comment)) if comment >= 0 else None


def _open_inside(text: str, start: int) -> tuple[str, int]:
    at = start
    while match := _IN_CODE.search(text, at):
        if match.group() == ".":
            at = match.end()
            continue
        what = "string" if match.group() == '"' else "comment"
        at = (string_end if what == "string" else comment_end)(text, match.start())
        if at < 0:
            return what, match.start()
    return "sentence", start
