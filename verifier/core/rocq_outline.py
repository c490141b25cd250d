"""The sentences of a Rocq proof that may be more than plain tactics, and whether the text closes what it opens.

Most sentences of a proof are bullets, braces and tactics, which begin with a small letter. One pattern takes runs of
them, reading each as `rocq_lexer` does or not at all; whatever it does not take is cut by the lexer and handed out. Its
repetitions are bounded, since the engine behind it keeps a place to go back to for each.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from verifier.core.rocq_lexer import SentenceKind, Unclosed, code_start, next_part, open_at_end

_BLANK: Final = r"[ \t\n\r]"
_FLAT: Final = r'\(\*[^*("]*(?:(?:\*(?!\))|\((?!\*))[^*("]*){0,200}\*\)'  # without comments or strings inside
_COMMENT: Final = rf'\(\*[^*("]*(?:(?:\*(?!\))|\((?!\*)|{_FLAT})[^*("]*){{0,200}}\*\)'  # or with flat ones
_STRING: Final = r'"[^"]*(?:""[^"]*){0,200}"(?!")'
_INNER_DOTS: Final = rf"\.+(?!\.|{_BLANK}|\Z)|(?<!\.)\.\.(?!\.)(?={_BLANK}|\Z)"
_BODY: Final = rf'[^."(]*(?:(?:\((?!\*)|{_INNER_DOTS}|{_STRING}|{_COMMENT})[^."(]*){{0,500}}'
_FINAL_DOT: Final = rf"(?:\.|\.{{3,}})(?={_BLANK}|\Z)"
_GOALS: Final = rf"[0-9]+(?:{_BLANK}*[-,]{_BLANK}*[0-9]+)*|all|!|\[{_BLANK}*[A-Za-z_][A-Za-z0-9_']*{_BLANK}*\]"
_SELECTOR: Final = rf"(?:(?:{_GOALS}){_BLANK}*:{_BLANK}*)?(?!(?:all|par)(?![\w']))"
_GAP: Final = rf"{_BLANK}*(?:{_COMMENT}{_BLANK}*){{0,200}}"


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

    `notable` holds, in order, every sentence but those that are certainly plain: bullets, braces, and what begins with
    a small ASCII letter or is named as a tactic, by itself or behind a selector. `unclosed` is what is still open where
    the text ends.
    """

    first: int
    notable: tuple[Notable, ...]
    unclosed: Unclosed | None


def outline(text: str, tactics: frozenset[str] = frozenset()) -> Outline:
    """Read a proof once, in linear time; `tactics` are words with a capital that begin no command."""
    plain = _plain(tactics)
    notable: list[Notable] = []
    at, line, counted, opening = 0, 1, 0, None
    while True:
        while (match := plain.match(text, at)) and match.end() > at:
            at = match.end()
        start = code_start(text, at)
        if start == len(text):
            break
        kind, end, closed = next_part(text, start)
        at = end
        if kind is SentenceKind.SENTENCE:
            line, counted = line + text.count("\n", counted, start), start
            notable.append(Notable(text[start:end], start, end, line, start - text.rfind("\n", 0, start)))
            opening = None if closed else start
    return Outline(code_start(text, 0), tuple(notable), open_at_end(text, at, opening))


@lru_cache(maxsize=32)
def _plain(tactics: frozenset[str]) -> re.Pattern[str]:
    """A run of sentences that are certainly plain."""
    named = "".join(rf"|{re.escape(name)}(?![\w'])" for name in sorted(tactics))
    tactic = rf"{_SELECTOR}(?:[a-z]{named}){_BODY}{_FINAL_DOT}"
    return re.compile(rf"(?:{_GAP}(?:-+|\++|\*+|[{{}}]|{tactic})){{0,100}}")
