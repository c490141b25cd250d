"""Length of a proof in tokens of cl100k_base, the vocabulary of the paper's models (Selene, section 4.1).

The vocabulary comes inside a package and is loaded on the first text that needs it. The package's compiled counter is
called itself: the layer above it refuses texts of a million characters and builds tables that counting never reads.
"""

from functools import lru_cache
from typing import Any, Final

ENCODING: Final = "cl100k_base"


def count_tokens(text: str) -> int:
    """Number of cl100k_base tokens, words that look like special tokens read as plain text; linear in the length."""
    return int(_vocabulary().count(text))


def tokens_if_close(text: str, limit: int) -> int:
    """The count, or 0 where it cannot be above `limit`: a token stands for at least one byte of the text."""
    if len(text) <= limit and len(text.encode("utf-8")) <= limit:
        return 0
    return count_tokens(text)


def load_vocabulary() -> None:
    """Load the vocabulary now, for processes that would rather wait at their start than at their first upload."""
    _vocabulary().count("x")


@lru_cache(maxsize=1)
def _vocabulary() -> Any:
    from bpe_openai import _bindings  # noqa: PLC0415 (35 MB that most processes never need)

    return _bindings.tokenizer_for_encoding(ENCODING)
