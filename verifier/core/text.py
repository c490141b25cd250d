"""From the bytes of one upload to the one text that everybody means: scanner, prover and reader.

A byte order mark and CRLF are taken off and reported, since no prover reads them; everything that two readers could
understand differently is a fault with its place. Nothing is repaired.
"""

import re
from dataclasses import dataclass
from typing import Final

from verifier.core.reason import Reason

BOM: Final = b"\xef\xbb\xbf"
MAX_LINES: Final = 20_000
MAX_LINE: Final = 20_000  # characters

_BIDI: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_INVISIBLE: Final = "\u00ad\u034f\u180b-\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
_TAGS: Final = "\U000e0000-\U000e0fff"
_KINDS: Final = {
    "NUL character": "\x00",
    "lone carriage return": "\r",
    "control character": "\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f",
    "lone surrogate": "\ud800-\udfff",
    "Unicode line separator": "\u2028\u2029",
    "bidirectional control character": _BIDI,
    "character of no width": f"{_INVISIBLE}{_TAGS}\ufffe\uffff",
}
_PATTERNS: Final = {kind: re.compile(f"[{members}]") for kind, members in _KINDS.items()}
_FORBIDDEN: Final = re.compile(f"[{''.join(_KINDS.values())}]")
_FORBIDDEN_ASCII: Final = bytes(i for i in range(0x80) if (i < 0x20 and i not in b"\t\n") or i == 0x7F)


@dataclass(frozen=True, slots=True)
class TextFault:
    """One kind of thing that a proof must not hold: where it first stands (both from 1), and what to do."""

    reason: Reason
    message: str
    remedy: str
    line: int
    column: int | None = None


@dataclass(frozen=True, slots=True)
class CanonicalText:
    """`text` as every part reads it, None when the bytes are no text; `bom` and `crlf` say what was taken off."""

    text: str | None
    faults: tuple[TextFault, ...] = ()
    bom: bool = False
    crlf: bool = False


def canonical_text(data: bytes) -> CanonicalText:
    """Read the bytes of one proof. Line numbers hold for the bytes too, as no line is added or taken away."""
    bom = data.startswith(BOM)
    body = data[len(BOM) :] if bom else data
    try:
        raw = body.decode("utf-8")
    except UnicodeDecodeError as error:
        return CanonicalText(None, (_not_utf8(body, error.start),), bom)
    read = canonical_string(raw)
    return CanonicalText(read.text, read.faults, bom, read.crlf)


def canonical_string(raw: str) -> CanonicalText:
    """The same for a text that came inside JSON; a lone surrogate there is a fault as well."""
    crlf = "\r\n" in raw
    text = raw.replace("\r\n", "\n") if crlf else raw
    faults = (*_forbidden_characters(text), *_too_long(text))
    if any(fault.reason is Reason.NOT_TEXT for fault in faults):
        return CanonicalText(None, faults, crlf=crlf)
    return CanonicalText(text, faults, crlf=crlf)


def place_of(text: str, offset: int) -> tuple[int, int]:
    """Line and column of a character, both from 1."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1


def _forbidden_characters(text: str) -> list[TextFault]:
    """The first of every kind of forbidden character, with the number of the others in its message."""
    if text.isascii() and len(text.encode().translate(None, _FORBIDDEN_ASCII)) == len(text):
        return []
    if _FORBIDDEN.search(text) is None:
        return []
    firsts = [(match.start(), kind) for kind, one in _PATTERNS.items() if (match := one.search(text))]
    return [_character_fault(text, kind, offset, len(_PATTERNS[kind].findall(text))) for offset, kind in sorted(firsts)]


def _character_fault(text: str, kind: str, offset: int, count: int) -> TextFault:
    line, column = place_of(text, offset)
    more = f", and {count - 1:,} more of this kind" if count > 1 else ""
    reason = Reason.NOT_TEXT if kind == "lone surrogate" else Reason.BAD_CHARACTER
    return TextFault(
        reason,
        f"The proof holds a {kind} (U+{ord(text[offset]):04X}){more}.",
        "Carriage returns are only taken with a line feed after them; save the file with LF line ends."
        if kind == "lone carriage return"
        else "Delete it; only printable characters, tabulators and line feeds are allowed.",
        line,
        column,
    )


def _too_long(text: str) -> list[TextFault]:
    faults = []
    lines = text.count("\n") + 1
    if lines > MAX_LINES:
        faults.append(
            TextFault(Reason.TOO_LARGE, f"The proof has {lines:,} lines; {MAX_LINES:,} are allowed.", "Shorten it.", 1)
        )
    if len(text) <= MAX_LINE:
        return faults
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE:
            message = f"A line has {len(line):,} characters; {MAX_LINE:,} are allowed."
            faults.append(TextFault(Reason.TOO_LARGE, message, "Break the line.", number))
            break
    return faults


def _not_utf8(body: bytes, offset: int) -> TextFault:
    start = body.rfind(b"\n", 0, offset) + 1
    column = len(body[start:offset].decode("utf-8", "replace")) + 1
    return TextFault(
        Reason.NOT_TEXT,
        f"The proof is not UTF-8 text: byte 0x{body[offset]:02X} does not belong there.",
        "Save it as UTF-8; UTF-16 and single-byte encodings are not taken.",
        body.count(b"\n", 0, offset) + 1,
        column,
    )
