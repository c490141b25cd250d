r"""Isabelle's two spellings of one symbol: `\<name>`, which the prover reads, and the character that editors show."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from isar_tools.source.symbols import SYMBOL_RE, TO_ASCII, TO_UNICODE

from verifier.core.isar_lexer import SYMBOL

_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_BEYOND_ASCII_ONE: Final = re.compile(r"[^\x00-\x7f]")
_ENCODED: Final = str.maketrans(TO_ASCII)


@lru_cache(maxsize=8)  # one text is asked for by several readers in turn
def encode(text: str) -> str:
    r"""Every character that Isabelle's table knows as its `\<name>`; all others stay."""
    return text if text.isascii() else _BEYOND_ASCII.sub(lambda run: run.group().translate(_ENCODED), text)


def decode(text: str) -> str:
    r"""Every `\<name>` that Isabelle's table knows as its character; all others stay."""
    return SYMBOL_RE.sub(lambda found: TO_UNICODE.get(found.group(), found.group()), text) if "\\<" in text else text


def offsets(text: str) -> list[int]:
    r"""Where each symbol of a submitted text begins, as character offsets, and last the length of the text.

    One character or one `\<name>` is one symbol, and encoding changes neither their number nor their order, so the
    prover's symbol number `n` (from 1) of the encoded text stands at `offsets(text)[n - 1]` of the submitted one.
    """
    return list(accumulate(map(len, SYMBOL.findall(text)), initial=0))


def submitted(text: str, places: Sequence[int]) -> list[int]:
    """Offsets in the encoded text, in their order, as offsets in the submitted one."""
    found: list[int] = []
    grown = behind = 0
    for char in _BEYOND_ASCII_ONE.finditer(text):
        while len(found) < len(places) and places[len(found)] <= char.start() + grown:
            found.append(max(behind, places[len(found)] - grown))
        if len(found) == len(places):
            break
        grown, behind = grown + len(char.group().translate(_ENCODED)) - 1, char.end()
    return found + [max(behind, at - grown) for at in places[len(found) :]]
