"""The directory of a zip read the strict way: what it says once at the end and once more before each member must agree.

A zip can be read in several ways at once (CVE-2024-0450 and its kin): entries that overlap, bytes that belong to no
member, headers that contradict each other. Every byte of the file is accounted for here, or the archive is refused.
Sizes are only compared; the budgets are counted while inflating (verifier.core.archive).
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from verifier.core.archive_end import FULL16, FULL32, End, Unreadable, read_end
from verifier.core.archive_limits import UploadLimits
from verifier.core.archive_names import refused
from verifier.core.display import shown_bytes
from verifier.core.finding import Finding

CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
LOCAL: Final = struct.Struct("<4s5H3L2H")
ENCRYPTED: Final = 0x0001 | 0x0040 | 0x2000
STREAMED: Final = 0x0008
UTF8: Final = 0x0800
PATCH: Final = 0x0020  # of another archive
COMPARED_FLAGS: Final = ENCRYPTED | STREAMED | UTF8 | PATCH
STORED: Final = 0
DEFLATED: Final = 8

REBUILD: Final = "Build the zip again with an ordinary zip tool."


@dataclass(frozen=True, slots=True)
class Entry:
    """One member as the directory describes it; `offset` is where its own header begins."""

    name: str
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    mode: int  # Unix mode, 0 where the archive was made elsewhere

    @property
    def folder(self) -> bool:
        """Whether this is a folder's entry."""
        return self.name.endswith("/")


@dataclass(frozen=True, slots=True)
class Directory:
    """Entries in the order of the directory; `findings` is empty exactly when the structure can be trusted."""

    entries: tuple[Entry, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(slots=True)
class _Notes:
    findings: list[Finding] = field(default_factory=list)

    def add(self, member: str, message: str, remedy: str = REBUILD) -> None:
        self.findings.append(refused(member, message, remedy))


def read_directory(data: bytes, limits: UploadLimits) -> Directory:
    """All entries of a zip in memory and everything that is wrong with its structure; never raises on bad bytes."""
    notes = _Notes()
    try:
        end = read_end(data)
        if end.count > limits.members:
            message = f"The archive holds {end.count:,} members; {limits.members:,} are allowed."
            return Directory((), (refused("", message, "Upload proofs alone, or one proofs.jsonl."),))
        entries = _read_central(data, end, notes)
    except Unreadable as fault:
        return Directory((), (refused("", str(fault), REBUILD),))
    _read_locals(data, entries, end.offset, notes)
    return Directory(tuple(entries), tuple(notes.findings))


def _read_central(data: bytes, end: End, notes: _Notes) -> list[Entry]:
    entries: list[Entry] = []
    at = end.offset
    while at < end.stop:
        if len(entries) >= end.count:
            raise Unreadable("The directory lists more members than the end record counts.")
        if at + CENTRAL.size > end.stop or data[at : at + 4] != b"PK\x01\x02":
            raise Unreadable("The directory of the archive is damaged.")
        fields = CENTRAL.unpack_from(data, at)
        name_at = at + CENTRAL.size
        extra_at = name_at + fields[10]
        comment_at = extra_at + fields[11]
        at = comment_at + fields[12]
        if at > end.stop:
            raise Unreadable("The directory of the archive is damaged.")
        entry = _entry(fields, data[name_at:extra_at], data[extra_at:comment_at], notes)
        if entry is not None:
            entries.append(entry)
        elif len(notes.findings) > end.count:
            raise Unreadable("The directory lists more members than the end record counts.")
    if len(entries) != end.count and not notes.findings:
        raise Unreadable("The directory lists fewer members than the end record counts.")
    return entries


def _entry(fields: tuple[int, ...], raw: bytes, extra: bytes, notes: _Notes) -> Entry | None:
    _, made_by, _, flags, method, _, _, crc, packed, size, _, _, _, disk, _, attributes, offset = fields
    name = _decoded(raw, flags)
    label = shown_bytes(raw)
    if name is None:
        notes.add(
            label,
            "The name is not marked as UTF-8, or is marked and is not, so tools read different names.",
            "Rename the file in plain letters, or use a zip tool that writes UTF-8 names.",
        )
        return None
    values = _zip64_values(extra, (size, packed, offset), disk)
    if values is None:
        notes.add(name, "The ZIP64 fields of this member are missing or contradict its header.")
        return None
    if not _unicode_path_agrees(extra, raw):
        notes.add(name, "This member has a second name in an extra field, and the two differ.")
    if disk not in {0, FULL16}:
        notes.add(name, "This member lies on another disk.")
    mode = attributes >> 16 if made_by >> 8 in {3, 19} else 0
    return Entry(name, flags, method, crc, values[1], values[0], values[2], mode)


def _decoded(raw: bytes, flags: int) -> str | None:
    if raw.isascii():
        return raw.decode("ascii")
    if not flags & UTF8:
        return None
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _extra_field(extra: bytes, wanted: int) -> bytes | None:
    """Body of one extra field; None when it is not there, also when the fields are cut short."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == wanted and at + 4 + length <= len(extra):
            return extra[at + 4 : at + 4 + length]
        at += 4 + length
    return None


def _zip64_values(extra: bytes, values: Sequence[int], disk: int = 0) -> tuple[int, ...] | None:
    """The true values: from the ZIP64 field where the header says so, in its fixed order; None when dishonest.

    Writers that do not know sizes beforehand put the field there anyway; then it has to repeat the header.
    """
    body = _extra_field(extra, 0x0001)
    open_places = [value == FULL32 for value in values]
    if body is None:
        return None if any(open_places) or disk == FULL16 else tuple(values)
    true: list[int] = []
    stated = [body[at : at + 8] for at in range(0, len(body) - 7, 8)]
    repeats_all = len(stated) > sum(open_places)
    for value, is_open in zip(values, open_places, strict=True):
        if not is_open and not (repeats_all and stated):
            true.append(value)
            continue
        if not stated:
            return None
        told = int.from_bytes(stated.pop(0), "little")
        if not is_open and told != value:
            return None
        true.append(told)
    return tuple(true)


def _unicode_path_agrees(extra: bytes, raw: bytes) -> bool:
    body = _extra_field(extra, 0x7075)
    return body is None or body[5:] == raw


def data_start(data: bytes, entry: Entry) -> int:
    """Where the data of a member begins whose header was found to agree."""
    name_length, extra_length = LOCAL.unpack_from(data, entry.offset)[9:]
    return entry.offset + LOCAL.size + int(name_length) + int(extra_length)


def _read_locals(data: bytes, entries: Sequence[Entry], stop: int, notes: _Notes) -> None:
    """Hold each member's own header against the directory; gaps and overlaps between them are findings too."""
    expected = {0}  # where the next member may begin: several places after a member that was streamed
    inner = not notes.findings  # with an entry left out its bytes would look like a gap
    for entry in sorted(entries, key=lambda one: one.offset):
        if inner and entry.offset not in expected:
            _misplaced(entry, expected, notes)
        found = _local(data, entry, stop, notes)
        inner = inner and found is not None
        expected = found or expected
    if inner and stop not in expected:
        what = "There are bytes before the directory that belong to no member, or a member reaches into it."
        notes.add("", what)


def _misplaced(entry: Entry, expected: set[int], notes: _Notes) -> None:
    if entry.offset < min(expected):
        notes.add(entry.name, "This member overlaps another one.")
    elif expected == {0}:
        notes.add(entry.name, "There are bytes before the first member.")
    else:
        notes.add(entry.name, "There are bytes before this member that belong to none.")


def _local(data: bytes, entry: Entry, stop: int, notes: _Notes) -> set[int] | None:
    at = entry.offset
    if at + LOCAL.size > stop or data[at : at + 4] != b"PK\x03\x04":
        notes.add(entry.name, "The directory points to a place where no member begins.")
        return None
    fields = LOCAL.unpack_from(data, at)
    name_at = at + LOCAL.size
    extra_at = name_at + fields[9]
    start = extra_at + fields[10]
    end = start + entry.packed
    fault = _header_fault(entry, fields, data[name_at:extra_at], data[extra_at:start])
    ends = _ends(data, entry, end) if entry.flags & STREAMED else {end}
    if fault is None and end > stop:
        fault = "The member reaches into the directory."
    if fault is None and not ends:
        fault = "The sizes after the member's data contradict the directory."
    if fault is not None:
        notes.add(entry.name, fault)
        return None
    return ends


def _header_fault(entry: Entry, fields: tuple[int, ...], name: bytes, extra: bytes) -> str | None:
    _, _, flags, method, _, _, crc, packed, size, _, _ = fields
    if name != entry.name.encode():
        return f"The member's own header gives another name: `{shown_bytes(name)}`."
    if method != entry.method or (flags ^ entry.flags) & COMPARED_FLAGS or not _unicode_path_agrees(extra, name):
        return "The member's own header and the directory contradict each other."
    told = _zip64_values(extra, (size, packed))
    true = (entry.crc, entry.size, entry.packed)
    # A writer to a stream leaves open what it does not know yet, and each tool knows something else.
    open_value = 0 if flags & STREAMED else None
    if told is None or any(a not in {b, open_value} for a, b in zip((crc, *told), true, strict=True)):
        return "The member's own header and the directory give different sizes or checksums."
    return None


def _ends(data: bytes, entry: Entry, at: int) -> set[int]:
    """Where a streamed member may end: its sizes follow, with or without a mark, in 32 or 64 bits."""
    ends: set[int] = set()
    for mark in (b"PK\x07\x08", b""):
        for shape in ("<L2L", "<L2Q"):
            try:
                record = mark + struct.pack(shape, entry.crc, entry.packed, entry.size)
            except struct.error:
                continue
            if data.startswith(record, at):
                ends.add(at + len(record))
    return ends
