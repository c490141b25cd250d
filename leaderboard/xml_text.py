"""Names and messages of others as text inside XML."""

from xml.sax.saxutils import escape


def xml_text(text: str) -> str:
    """Text without the characters that XML 1.0 cannot hold."""
    return "".join(
        char
        for char in text
        if char in "\t\n\r" or 0x20 <= ord(char) < 0xD800 or 0xE000 <= ord(char) <= 0xFFFD or ord(char) > 0xFFFF
    )


def xml_escaped(text: str) -> str:
    """The same, as it is written between tags and in attributes."""
    return escape(xml_text(text), {'"': "&quot;"})
