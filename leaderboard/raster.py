"""Pictures as PNG, for readers of links that take no SVG; the only module that knows the renderer and its font."""

from functools import cache
from importlib.resources import files

import resvg_py

FAMILY = "Noto Sans"


def png(document: str) -> bytes:
    """An SVG document as PNG of its own size; letters come from one font, whatever the host has installed."""
    made = resvg_py.svg_to_bytes(
        svg_string=document,
        skip_system_fonts=True,
        font_files=_fonts(),
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    return bytes(made)


@cache
def _fonts() -> list[str]:
    """The upright cut; its weight is an axis of the file."""
    folder = files("fontpkg_noto_sans") / "files"
    return [str(file) for file in folder.iterdir() if file.name.startswith("NotoSans[")]
