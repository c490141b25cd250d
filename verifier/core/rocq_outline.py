"""The sentences of a Rocq proof that may be more than plain tactics, and whether the text closes what it opens.

Most sentences of a proof are bullets, braces and tactics, which begin with a small letter. One pattern takes runs of
them, reading each as `rocq_lexer` does or not at all; whatever it does not take is cut by the lexer and handed out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from verifier.core.rocq_lexer import (
    BLANK,
    FLAT,
    INNER_DOTS,
    NAME,
    STRING,
    SentenceKind,
    Unclosed,
    code_start,
    next_part,
    open_at_end,
)

_COMMENT: Final = rf'\(\*[^*("]*+(?:(?:\*(?!\))|\((?!\*)|{FLAT})[^*("]*+){{0,200}}\*\)'  # with flat ones inside at most
_BODY: Final = rf'[^."(]*+(?:(?:\((?!\*)|{INNER_DOTS}|{STRING}|{_COMMENT})[^."(]*+){{0,500}}'
_FINAL_DOT: Final = rf"(?:\.|\.{{3,}})(?={BLANK}|\Z)"
_GOALS: Final = rf"[0-9]++(?:{BLANK}*[-,]{BLANK}*[0-9]++)*|all|!|\[{BLANK}*[A-Za-z_][A-Za-z0-9_']*{BLANK}*\]"
_SELECTOR: Final = rf"(?:(?:{_GOALS}){BLANK}*:{BLANK}*)?(?!(?:all|par)(?![\w']))"
_GAP: Final = rf"{BLANK}*+(?:{_COMMENT}{BLANK}*+){{0,200}}"
_PIECES: Final = r"-+|\++|\*+|[{}]"
_FOCUS: Final = rf"(?:[0-9]++|\[{BLANK}*{NAME}{BLANK}*\]|!){BLANK}*:{BLANK}*\{{(?!\|)"
_ANY: Final = re.compile(rf"(?:{_GAP}(?:{_PIECES}|{_FOCUS}|(?!{BLANK}|\(\*|[-+*{{}}]){_BODY}{_FINAL_DOT})){{0,100}}")
# Beginnings, behind no selector, of what is neither a command nor the selector of one.
_SIGNS: Final = (
    r"[$%&')/,:;<=>?@\\\]^_`|~\".]|\((?!\*)|"
    rf"[0-9]++(?={BLANK}*[!-')*+./;-~])|\[(?={BLANK}*[!-')-@\[-^`{{-~])|!(?={BLANK}*[!-')-9;-~])"
)


class Notable(NamedTuple):
    """A sentence that is not certainly plain; as in `Sentence`, places count from 1, columns in characters."""

    text: str
    start: int
    end: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Outline:
    """`first` is the offset of the first sentence, the length of the text where there is none.

    `notable` holds, in order, every sentence but those that are certainly plain: bullets, braces, what begins with
    a small ASCII letter or is named as a tactic, by itself or behind a selector, what begins with no letter or with one
    that is not a capital, and `Unshelve.`. `unclosed` is what is still open where the text ends.
    """

    first: int
    notable: tuple[Notable, ...]
    unclosed: Unclosed | None


class Reading:
    """An outline made step by step: who has seen enough of the notable sentences goes on to the end many at a time."""

    def __init__(self, text: str, tactics: frozenset[str] = frozenset()) -> None:
        self._text, self._tactics = text, tactics
        self.first = code_start(text, 0)
        self._at = 0
        self._opening: int | None = None

    def notable(self) -> Iterator[Notable]:
        """The notable sentences from where the reading stands."""
        text, line, counted = self._text, 1, 0
        while part := self._next(_plain(self._tactics)):
            kind, start, end = part
            if kind is SentenceKind.SENTENCE:
                line, counted = line + text.count("\n", counted, start), start
                yield Notable(text[start:end], start, end, line, start - text.rfind("\n", 0, start))

    def unclosed(self) -> Unclosed | None:
        """What is open where the text ends; reads on to there."""
        while self._next(_ANY):
            pass
        return open_at_end(self._text, self._at, self._opening)

    def _next(self, passed: re.Pattern[str]) -> tuple[SentenceKind, int, int] | None:
        """The next sentence behind those that the pattern takes."""
        text, at = self._text, self._at
        while (match := passed.match(text, at)) and match.end() > at:
            at = match.end()
        start = self._at = code_start(text, at)
        if start == len(text):
            self._at = at
            return None
        kind, end, closed = next_part(text, start)
        self._at, self._opening = end, None if closed else start
        return kind, start, end


def outline(text: str, tactics: frozenset[str] = frozenset()) -> Outline:
    """Read a proof once, in linear time; `tactics` are words with a capital that begin no command."""
    reading = Reading(text, tactics)
    return Outline(reading.first, tuple(reading.notable()), reading.unclosed())


@lru_cache(maxsize=32)
def _plain(tactics: frozenset[str]) -> re.Pattern[str]:
    """A run of sentences that are certainly plain."""
    named = "".join(rf"|{re.escape(name)}(?![\w'])" for name in sorted(tactics))
    tactic = rf"{_SELECTOR}(?:[a-z]{named}){_BODY}{_FINAL_DOT}"
    other = rf"(?={_SIGNS}|[{_letters()}]){_BODY}{_FINAL_DOT}"
    shelved = rf"Unshelve{BLANK}*\.(?={BLANK}|\Z)"
    return re.compile(rf"(?:{_GAP}(?:{_PIECES}|{tactic}|(?!{_FOCUS})(?:{other})|{shelved})){{0,100}}")


@lru_cache(maxsize=1)
def _letters() -> str:
    """Ranges of the letters beyond ASCII, of the basic plane, that are no capitals: with one, no command begins."""
    codes = [code for code in range(0x80, 0x10000) if chr(code).isalpha() and not chr(code).isupper()]
    runs = [[code for _, code in run] for _, run in groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0])]
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)
