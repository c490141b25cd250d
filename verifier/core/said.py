"""What a prover's message says first: the one line that tables and clusters show of it."""

import re
from typing import Final

LONGEST: Final = 300  # characters
_WRAPPED: Final = 6  # lines that one sentence of a prover takes at most
_BLANKS: Final = re.compile(r"\s+")
_CONTEXT: Final = re.compile(r"[\w', ]+ :=? |\s")  # a line of the hypotheses that Rocq prints first
_ENDS: Final = (".", ":", ";", "!", "?")


def first_sentence(message: str, most: int = LONGEST) -> str:
    """What a message says first, on one line however the prover broke it; hypotheses printed before it are left out.

    A sentence ends with its mark, with an empty line, or after a handful of lines: what follows quotes goals. Empty
    where nothing was said; NUL, which no database stores, is shown as what it is.
    """
    lines = message.strip().removeprefix("Error:").strip().split("\n")
    if lines[0].strip() == "In environment":
        told = [place for place, line in enumerate(lines) if place and not _CONTEXT.match(line)]
        lines = lines[told[0] :] if told else lines
    said: list[str] = []
    for line in lines[:_WRAPPED]:
        if not line.strip() or (said and said[-1].endswith(_ENDS)):
            break
        said.append(line.strip())
    return _BLANKS.sub(" ", " ".join(said)).replace("\x00", "\ufffd")[:most]
