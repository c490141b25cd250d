"""Where the directory of a zip begins and ends, from the records at its very end."""

import struct
from dataclasses import dataclass
from typing import Final

END: Final = struct.Struct("<4s4H2LH")
END64: Final = struct.Struct("<4sQ2H2L4Q")
LOCATOR: Final = struct.Struct("<4sLQL")
FULL16: Final = 0xFFFF  # "too large for this field, see the ZIP64 record"
FULL32: Final = 0xFFFFFFFF


class Unreadable(Exception):
    """The structure is broken in a way that leaves nothing to look at."""


@dataclass(frozen=True, slots=True)
class End:
    """How many members the directory lists, its size and place in bytes, and where it has to stop."""

    count: int
    size: int
    offset: int
    stop: int


def read_end(data: bytes) -> End:
    """The end of an archive that ends exactly with the file; raises Unreadable."""
    tail = max(0, len(data) - END.size - FULL16)
    fits: list[int] = []
    seen = False
    at = data.find(b"PK\x05\x06", tail)
    while at >= 0:
        seen = True
        if at + END.size <= len(data) and at + END.size + END.unpack_from(data, at)[7] == len(data):
            fits.append(at)
        at = data.find(b"PK\x05\x06", at + 1)
    if not fits:
        raise Unreadable(
            "There are bytes after the end of the archive, or its end is cut off."
            if seen
            else "The archive has no end record: it is cut off or no zip at all."
        )
    if len(fits) > 1:
        raise Unreadable("The archive has two end records, so tools would read two different archives.")
    _, disk, first_disk, here, count, size, offset, _ = END.unpack_from(data, fits[0])
    if disk not in {0, FULL16} or first_disk not in {0, FULL16}:
        raise Unreadable("The archive is one part of several.")
    if here != count:
        raise Unreadable("The end record counts the members in two ways that disagree.")
    end = _read_end64(data, fits[0], End(count, size, offset, fits[0]), disks=(disk, first_disk))
    if end.offset + end.size != end.stop:
        raise Unreadable(
            "There are bytes before the first member or behind the directory."
            if end.offset + end.size < end.stop
            else "The directory reaches beyond the end of the archive."
        )
    return end


def _read_end64(data: bytes, at: int, short: End, disks: tuple[int, int]) -> End:
    """The ZIP64 end record where there is one: it may only say what the short record leaves open, or the same."""
    saturated = FULL16 in {short.count, *disks} or FULL32 in {short.size, short.offset}
    where = at - LOCATOR.size
    if where < 0 or data[where : where + 4] != b"PK\x06\x07":
        if saturated:
            raise Unreadable("The end record points to a ZIP64 record that is not there.")
        return short
    _, disk, record, total = LOCATOR.unpack_from(data, where)
    if disk != 0 or total > 1 or record + END64.size > where or data[record : record + 4] != b"PK\x06\x06":
        raise Unreadable("The ZIP64 record is not where the archive says.")
    _, length, _, _, disk, first, here, count, size, offset = END64.unpack_from(data, record)
    if record + 12 + length != where:
        raise Unreadable("The ZIP64 record has a wrong length.")
    agrees = (
        short.count in {count, FULL16} and short.size in {size, FULL32} and short.offset in {offset, FULL32}
    ) and here == count
    if disk or first or not agrees:
        raise Unreadable("The ZIP64 record and the end record contradict each other.")
    return End(count, size, offset, record)
