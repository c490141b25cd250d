"""Names that strangers read: which characters they may hold, and which two names a reader takes for one.

The rule in full: one line; no character that prints nothing or reorders what is printed; within a word letters of one
script, except that East Asian scripts stand beside each other and beside Latin. Two names look alike when they are
equal after compatibility forms, case, and the letters of LOOKALIKES are taken away.
"""

import unicodedata
from itertools import groupby
from typing import Final

from verifier.core.display import HIDDEN

EAST_ASIAN: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"})

# Ranges of the Unicode property Default_Ignorable_Code_Point that no category above covers, and a blank that is a mark.
IGNORABLE: Final = (
    (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0x1D159, 0x1D159), (0xE0100, 0xE01EF),
)  # fmt: skip

# Letters of Cyrillic, Greek and Armenian, and digits, that print like a Latin letter; the first row prints the second.
LOOKALIKES: Final = str.maketrans(
    "АВЕЗКМНОРСТУХЅІЈԚԜаеорсухѕіјһԛԝԁӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανρօոսհցՏՕՍ01I|",
    "ABE3KMHOPCTYXSIJQWaeopcyxsijhqwdlABEZHIKMNOPTYXoavponuhgSOUOlll",
)


def line_fault(text: str) -> str:
    """What is wrong with one line that strangers read, for people; empty where nothing is."""
    for place, char in enumerate(text, 1):
        if _hidden(char) or (char.isspace() and char != " "):
            return f"Character {place} (U+{ord(char):04X}) cannot be seen. Take it out."
    for word in _words(text):
        scripts = {_script(char) for char in word} - {""}
        if len(scripts) > 1 and not scripts <= EAST_ASIAN | {"LATIN"}:
            named = " and ".join(sorted(script.title() for script in scripts))
            return f"The word “{word}” mixes letters of {named}. Write each word in one script."
    return ""


def text_fault(text: str) -> str:
    """The same for a text of several lines, in which lines and tabs may stay and scripts may mix."""
    for place, char in enumerate(text, 1):
        if _hidden(char) and char not in "\n\r\t":
            return f"Character {place} (U+{ord(char):04X}) cannot be seen. Take it out."
    return ""


def skeleton(name: str) -> str:
    """What a name looks like: equal for two names that a reader takes for one."""
    plain = unicodedata.normalize("NFKC", name)
    return " ".join(plain.translate(LOOKALIKES).casefold().split())


def one_line(text: str) -> str:
    """A text as a header of a mail takes it."""
    return " ".join("".join(" " if _hidden(char) else char for char in text).split())


def _hidden(char: str) -> bool:
    return unicodedata.category(char) in HIDDEN or any(low <= ord(char) <= high for low, high in IGNORABLE)


def _words(text: str) -> list[str]:
    runs = groupby(text, key=lambda char: unicodedata.category(char)[0] in {"L", "M"})
    return ["".join(run) for letters, run in runs if letters]


def _script(char: str) -> str:
    """The script of a letter, by the first word of its name; empty for marks and letters that all scripts share."""
    if unicodedata.category(char)[0] == "M":
        return ""
    first = unicodedata.name(char, "").partition(" ")[0]
    return "" if first in {"MODIFIER", "MICRO", "FEMININE", "MASCULINE", "DOUBLE-STRUCK", "SCRIPT"} else first
