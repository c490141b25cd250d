"""Where Rocq's sentences, comments and strings begin and end: a lossless scan in linear time, without any prover.

The rules are those of Rocq's own lexer: comments nest and their strings hide `*)`; a quote inside a string is written
twice; a sentence ends at a dot (or `...`) that a blank or the end of the text follows; bullets and braces at the
start of a sentence are sentences of their own. What the scan does not know: notations that declare new tokens.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final

# What patterns of this room are made of. Their repetitions are bounded, since the engine keeps a place to go back to
# for each; where they stop, the functions below go on step by step.
BLANK: Final = r"[ \t\n\r]"
FLAT: Final = (
    r'\(\*[^*("]*+(?:(?:\*(?!\))|\((?!\*))[^*("]*+){0,200}\*\)'  # a comment without comments or strings inside
)
STRING: Final = r'"[^"]*+(?:""[^"]*+){0,200}"(?!")'
INNER_DOTS: Final = rf"\.+(?!\.|{BLANK}|\Z)|(?<!\.)\.\.(?!\.)(?={BLANK}|\Z)"  # that end no sentence
_BLANKS: Final = " \t\n\r"
_BLANK_RUN: Final = re.compile(r"[ \t\n\r]*")
_IN_CODE: Final = re.compile(r'\(\*|"|\.')
_IN_COMMENT: Final = re.compile(r'\(\*|\*\)|"')
_DOTS: Final = re.compile(r"\.+")
_DOUBLED: Final = re.compile(r'(?:""[^"]*+){1,200}')
_FLAT_RUN: Final = re.compile(rf"{FLAT}(?:{BLANK}*+{FLAT}){{0,100}}")
_HIDING: Final = re.compile(rf'(?:[^*("]*+(?:\*(?!\))|\((?!\*)|{FLAT}|{STRING})){{1,200}}')  # inside a comment
_OPENINGS: Final = re.compile(r'(?:[^*("]*+\(\*){1,200}')
_CLOSINGS: Final = re.compile(r'(?:[^*("]*+\*\)){1,200}')
_PASSED: Final = re.compile(rf'(?:[^".(]*+(?:\((?!\*)|{STRING}|{FLAT}|{INNER_DOTS})){{1,200}}')  # inside a sentence
_OPENS: Final = re.compile(r'\(\*|"')
_CLOSED: Final = re.compile(rf'(?:[^"(]*+(?:\((?!\*)|{STRING}|{FLAT})){{1,200}}')
_BULLET: Final = re.compile(r"-+|\++|\*+")
# The prover's letters beyond ASCII are not Python's; a bracket can hold nothing but one name, so all of them may stand.
NAME: Final = r"[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_'\x80-\U0010ffff]*"
_SELECTOR: Final = re.compile(rf"(?:[0-9]++|\[[ \t\n\r]*{NAME}[ \t\n\r]*\]|!)[ \t\n\r]*:[ \t\n\r]*\{{(?!\|)")
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
    quote = text.find('"', start + 1)
    while quote >= 0 and (doubled := _DOUBLED.match(text, quote)):
        quote = text.find('"', doubled.end())
    return quote + 1 if quote >= 0 else -1


def comment_end(text: str, start: int) -> int:
    """Offset just after the comment that opens at `start`; -1 when it never closes."""
    depth, at = 1, start + 2
    while True:
        if hiding := _HIDING.match(text, at):
            at = hiding.end()
        elif opened := _OPENINGS.match(text, at):
            depth, at = depth + text.count("(*", at, opened.end()), opened.end()
        elif (closed := _CLOSINGS.match(text, at)) and (count := text.count("*)", at, closed.end())) < depth:
            depth, at = depth - count, closed.end()
        else:
            break
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
    parts, at = [], 0
    while (start := _next_comment(text, at)) >= 0:
        end = _comments_end(text, start)
        end = len(text) if end < 0 else end
        parts += [text[at:start], _blanks(text[start:end])]
        at = end
    return "".join([*parts, text[at:]]) if parts else text


def _comments_end(text: str, start: int) -> int:
    """Offset just after one or more comments with nothing but blanks between them; -1 when the first never closes."""
    run = _FLAT_RUN.match(text, start)
    return run.end() if run else comment_end(text, start)


def _next_comment(text: str, at: int) -> int:
    """Offset of the first comment from `at` on, which stands outside strings; -1 where there is none."""
    start = text.find("(*", at)
    while start >= 0 and (quote := text.find('"', at, start)) >= 0:
        at = string_end(text, quote)
        if at < 0:
            return -1
        if at > start:
            start = text.find("(*", at)
    return start


def _blanks(text: str) -> str:
    return "\n".join([" " * len(line) for line in text.split("\n")])


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
        end = _comments_end(text, at)
        if end < 0:
            return len(text), at
        at = end


def _sentence_end(text: str, at: int) -> tuple[int, bool]:
    """(offset just after the sentence that starts at `at`, whether it closes)."""
    while match := _IN_CODE.search(text, _behind(_PASSED, text, at)):
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


def _behind(run: re.Pattern[str], text: str, at: int) -> int:
    """Offset behind everything that a pattern takes from `at` on."""
    while match := run.match(text, at):
        at = match.end()
    return at


def code_start(text: str, at: int) -> int:
    """Offset of the next character that is neither blank nor comment; the length of the text where there is none."""
    return _skip_blanks(text, at)[0]


def next_part(text: str, start: int) -> tuple[SentenceKind, int, bool]:
    """Kind and end of the sentence that starts at the code `start`, and whether it closes."""
    first = text[start]
    if first in "-+*" and (bullet := _BULLET.match(text, start)):
        return SentenceKind.BULLET, bullet.end(), True
    if first in "{}":
        return SentenceKind.BRACE, start + 1, True
    if (first in "[!" or first.isdigit()) and (selector := _SELECTOR.match(text, start)):
        return SentenceKind.BRACE, selector.end(), True
    return SentenceKind.SENTENCE, *_sentence_end(text, start)


def _scan(text: str) -> Iterator[tuple[SentenceKind, int, int, bool]]:
    at = code_start(text, 0)
    while at < len(text):
        kind, end, closed = next_part(text, at)
        yield kind, at, end, closed
        at = code_start(text, end)


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


def open_at_end(text: str, end: int, opening: int | None) -> Unclosed | None:
    """The comment, string or sentence that is open where the text ends, or None.

    `end` is where its last sentence ends, `opening` where that sentence starts if it does not close.
    """
    if opening is not None:
        what, place = _open_inside(text, opening)
        return Unclosed(what, *Lines(text).place(place))
    _, comment = _skip_blanks(text, end)
    return Unclosed("comment", *Lines(text).place(comment)) if comment >= 0 else None


def _open_inside(text: str, start: int) -> tuple[str, int]:
    at = start
    while match := _OPENS.search(text, _behind(_CLOSED, text, at)):
        what = "string" if match.group() == '"' else "comment"
        at = (string_end if what == "string" else comment_end)(text, match.start())
        if at < 0:
            return what, match.start()
    return "sentence", start
