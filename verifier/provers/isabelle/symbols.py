r"""Isabelle's two spellings of one symbol: `\<name>`, which the prover reads, and the character that editors show."""

from typing import Final

from isar_tools.source.symbols import SYMBOL_RE, TO_ASCII, TO_UNICODE

from verifier.core.isar_lexer import SYMBOL

_ENCODED: Final = str.maketrans(TO_ASCII)


def encode(text: str) -> str:
    r"""Every character that Isabelle's table knows as its `\<name>`; all others stay."""
    return text if text.isascii() else text.translate(_ENCODED)


def decode(text: str) -> str:
    r"""Every `\<name>` that Isabelle's table knows as its character; all others stay."""
    return SYMBOL_RE.sub(lambda found: TO_UNICODE.get(found.group(), found.group()), text) if "\\<" in text else text


def offsets(text: str) -> list[int]:
    r"""Where each symbol of a submitted text begins, as character offsets, and last the length of the text.

    One character or one `\<name>` is one symbol, and encoding changes neither their number nor their order, so the
    prover's symbol number `n` (from 1) of the encoded text stands at `offsets(text)[n - 1]` of the submitted one.
    """
    return [*(found.start() for found in SYMBOL.finditer(text)), len(text)]
