"""Reading a compiled Rocq file without a prover: its segments, and values as OCaml's runtime writes them.

Source: the OCaml manual's description of `Marshal` and the runtime's own header of codes; the directory of segments at
the end of a `.vo`, whose place is in its bytes 8 to 16.
"""

from dataclasses import dataclass, field
from typing import Final, Union

from verifier.core.errors import PlatformFault

_MAGIC: Final = b"Coq!"
_DIGEST_BYTES: Final = 16
_HEADERS: Final = {b"\x84\x95\xa6\xbe": 20, b"\x84\x95\xa6\xbf": 32}
_NUMBERS: Final = {0x00: 1, 0x01: 2, 0x02: 4, 0x03: 8}
_SHARED: Final = {0x04: 1, 0x05: 2, 0x06: 4, 0x14: 8}
_BLOCKS: Final = {0x08: 4, 0x13: 8}
_STRINGS: Final = {0x09: 1, 0x0A: 4, 0x15: 8}
_DOUBLES: Final = (0x0B, 0x0C)
_CUSTOM_FIXED: Final = 0x19
_CUSTOM_SIZES: Final = {b"_j": 8, b"_i": 4}
_SMALL_BLOCK, _SMALL_NUMBER, _SMALL_STRING = 0x80, 0x40, 0x20


@dataclass(slots=True, eq=False)
class Block:
    """A constructor with fields, a tuple or an array; one object where the value shares it."""

    tag: int
    fields: list["Value"] = field(default_factory=list)


Value = Union[int, bytes, Block]  # noqa: UP007 - `|` cannot name a class that stands in a string


def segment(compiled: bytes, name: str) -> bytes:
    """A named part of a compiled file; PlatformFault when the file is none or has no such part."""
    at = int.from_bytes(compiled[8:16], "big")
    count = int.from_bytes(compiled[at : at + 4], "big")
    at += 4
    if compiled[:4] == _MAGIC:
        for _ in range(count):
            size = int.from_bytes(compiled[at : at + 4], "big")
            found = compiled[at + 4 : at + 4 + size]
            at += 4 + size
            start = int.from_bytes(compiled[at : at + 8], "big")
            length = int.from_bytes(compiled[at + 8 : at + 16], "big")
            at += 16 + _DIGEST_BYTES
            if found == name.encode() and length and start + length <= len(compiled):
                return compiled[start : start + length]
            if not found:
                break
    raise PlatformFault(f"A compiled file has no part {name}, or has an unknown form.")


def read(data: bytes, *, first_field: bool = False) -> Value:
    """One value; of a block only its first field when `first_field`. PlatformFault for what has an unknown form."""
    try:
        return _Reader(data).value(first_field)
    except (IndexError, KeyError, ValueError) as error:
        raise PlatformFault(f"A value in a compiled file has an unknown form: {error!r}.") from error


class _Reader:
    """Walks once through the bytes; `shared` keeps every object in the order in which it was written."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = _HEADERS[data[:4]]
        self._shared: list[Value] = []

    def value(self, first_field: bool) -> Value:
        """Blocks are filled from a stack, since terms nest deeper than Python calls."""
        root, size = self._next()
        waiting = [(root, min(size, 1) if first_field else size)] if isinstance(root, Block) else []
        while waiting:
            block, left = waiting.pop()
            if left == 0:
                continue
            waiting.append((block, left - 1))
            value, size = self._next()
            block.fields.append(value)
            if isinstance(value, Block) and size:
                waiting.append((value, size))
        return root

    def _next(self) -> tuple[Value, int]:
        """The next value, and how many fields of it are still to be read."""
        code = self._data[self._at]
        self._at += 1
        if code >= _SMALL_BLOCK:
            return self._block(code & 0xF, (code >> 4) & 0x7)
        if width := _BLOCKS.get(code):
            header = self._number(width)
            return self._block(header & 0xFF, header >> 10)
        return self._leaf(code), 0

    def _leaf(self, code: int) -> Value:
        if code >= _SMALL_NUMBER:
            return code & 0x3F
        if width := _NUMBERS.get(code):
            return int.from_bytes(self._take(width), "big", signed=True)
        if width := _SHARED.get(code):
            return self._shared[len(self._shared) - self._number(width)]
        return self._bytes(self._length(code))

    def _length(self, code: int) -> int:
        """How many bytes a string, a float or a number of fixed width takes."""
        if code >= _SMALL_STRING:
            return code & 0x1F
        if code in _DOUBLES:
            return 8
        if code == _CUSTOM_FIXED:
            end = self._data.index(0, self._at)
            name, self._at = self._data[self._at : end], end + 1
            return _CUSTOM_SIZES[name]
        return self._number(_STRINGS[code])

    def _block(self, tag: int, size: int) -> tuple[Value, int]:
        block = Block(tag)
        if size:
            self._shared.append(block)
        return block, size

    def _bytes(self, size: int) -> bytes:
        data = self._take(size)
        self._shared.append(data)
        return data

    def _number(self, width: int) -> int:
        return int.from_bytes(self._take(width), "big")

    def _take(self, size: int) -> bytes:
        data = self._data[self._at : self._at + size]
        if len(data) != size:
            raise ValueError("it ends early")
        self._at += size
        return data
