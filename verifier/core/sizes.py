"""How sizes are written: powers of ten everywhere, as upload limits, archives and mail programs count.

A kB is 1,000 bytes, an MB a million, a GB a billion. Three figures at most, and none that say nothing: 50 MB, 1.05 MB,
412 bytes. A limit that a benchmark sets in powers of two is written the same way.
"""

from typing import Final

UNITS: Final = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


def size_words(size: int) -> str:
    """A number of bytes as people read it."""
    for unit, name in UNITS:
        if size >= unit * 0.9995:
            return f"{_three(size / unit)} {name}"
    return f"{size:,} byte{'' if size == 1 else 's'}"


def _three(value: float) -> str:
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
