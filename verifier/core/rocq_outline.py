"""The sentences of a Rocq proof that may be more than plain tactics, and whether the text closes what it opens.

Most sentences of a proof are bullets, braces and tactics, which begin with a small letter. One pattern takes runs of
them, reading each as `rocq_lexer` does or not at all; whatever it does not take is cut by the lexer and handed out. Its
repetitions are bounded, since the engine behind it keeps a place to go back to for each.
"""

import re
from dataclasses import dataclass
from typing import Final

from verifier.core.rocq_lexer import Sentence, SentenceKind, Unclosed, code_start, next_part, open_at_end

_BLANK: Final = r"[ \t\n\r]"
_COMMENT: Final = r'\(\*[^*("]*(?:(?:\*(?!\))|\((?!\*))[^*("]*){0,200}\*\)'  # without comments or strings inside
_STRING: Final = r'"[^"]*(?:""[^"]*){0,200}"(?!")'
_INNER_DOTS: Final = rf"\.+(?!\.|{_BLANK}|\Z)|(?<!\.)\.\.(?!\.)(?={_BLANK}|\Z)"
_BODY: Final = rf'[^."(]*(?:(?:\((?!\*)|{_INNER_DOTS}|{_STRING}|{_COMMENT})[^."(]*){{0,500}}'
_FINAL_DOT: Final = rf"(?:\.|\.{{3,}})(?={_BLANK}|\Z)"
_GOALS: Final = rf"[0-9]+(?:{_BLANK}*[-,]{_BLANK}*[0-9]+)*|all|!|\[{_BLANK}*[A-Za-z_][A-Za-z0-9_']*{_BLANK}*\]"
_TACTIC: Final = rf"(?:(?:{_GOALS}){_BLANK}*:{_BLANK}*)?(?!(?:all|par)(?![\w']))[a-z]{_BODY}{_FINAL_DOT}"
_GAP: Final = rf"{_BLANK}*(?:{_COMMENT}{_BLANK}*){{0,200}}"
_PLAIN: Final = re.compile(rf"(?:{_GAP}(?:-+|\++|\*+|[{{}}]|{_TACTIC})){{0,100}}")


@dataclass(frozen=True, slots=True)
class Outline:
    """`first` is the offset of the first sentence, the length of the text where there is none.

    `notable` holds, in order, every sentence but those that are certainly plain: bullets, braces, and what begins with
    a small ASCII letter, by itself or behind a selector. `unclosed` is what is still open where the text ends.
    """

    first: int
    notable: tuple[Sentence, ...]
    unclosed: Unclosed | None


def outline(text: str) -> Outline:
    """Read a proof once, in linear time."""
    notable: list[Sentence] = []
    at, line, counted = 0, 1, 0
    while True:
        at = _behind_plain(text, at)
        start = code_start(text, at)
        if start == len(text):
            break
        kind, end, closed = next_part(text, start)
        at = end
        line, counted = line + text.count("\n", counted, start), start
        if kind is SentenceKind.SENTENCE:
            column = start - text.rfind("\n", 0, start)
            notable.append(Sentence(kind, text[start:end], start, end, line, column, closed))
    opening = notable[-1].start if notable and not notable[-1].closed else None
    return Outline(code_start(text, 0), tuple(notable), open_at_end(text, at, opening))


def _behind_plain(text: str, at: int) -> int:
    while (match := _PLAIN.match(text, at)) and match.end() > at:
        at = match.end()
    return at
