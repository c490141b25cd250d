"""How text from outside is shown to people: nothing invisible, nothing that turns the line around, nothing endless."""

import unicodedata
from typing import Final

LONGEST: Final = 200
# Categories of Unicode: control, format, surrogate, private, unassigned, separators of lines and of paragraphs.
HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def shown(name: str, longest: int = LONGEST) -> str:
    """`name` with every control, format, bidirectional or unassigned character escaped and at most `longest` long.

    For file names and words in messages; HTML escaping is still the template's business.
    """
    cut = name if len(name) <= longest else name[: longest - 1] + "…"
    if cut.isascii() and cut.isprintable():
        return cut
    return "".join(_escaped(char) for char in cut)


def shown_bytes(name: bytes, longest: int = LONGEST) -> str:
    """The same for bytes of which nobody knows what they mean: those beyond ASCII are escaped one by one."""
    return shown(name.decode("ascii", "backslashreplace"), longest)


def _escaped(char: str) -> str:
    if unicodedata.category(char) not in HIDDEN:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"
