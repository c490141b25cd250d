"""Zips built byte by byte, the same on every run; each knob tells one lie."""

import struct
import zlib
from dataclasses import dataclass, field

UTF8 = 0x0800


@dataclass
class Part:
    """One member. `local` overrides fields of its own header, `central` those of the directory."""

    name: str | bytes
    data: bytes = b"auto.\n"
    method: int = 8
    flags: int = 0
    mode: int = 0o100644
    extra: bytes = b""
    central_extra: bytes | None = None
    streamed: bool = False
    wide: bool = False  # 64-bit sizes after the data of a streamed member
    mark: bool = True
    local: dict = field(default_factory=dict)
    central: dict = field(default_factory=dict)
    before: bytes = b""
    packed: bytes | None = None
    lists: bool = True  # whether the directory lists it


def build(parts, *, prefix=b"", suffix=b"", end=None, gap=b"", zip64=None, comment=b"", end_extra=b""):
    out = bytearray(prefix)
    directory = bytearray()
    listed = 0
    for part in parts:
        out += part.before
        values = _values(part)
        values["offset"] = len(out)
        out += _local(part, values) + values["body"]
        if part.streamed:
            shape = "<L2Q" if part.wide else "<L2L"
            out += (b"PK\x07\x08" if part.mark else b"") + struct.pack(
                shape, values["crc"], values["packed"], values["size"]
            )
        if part.lists:
            directory += _central(part, values)
            listed += 1
    out += gap
    where = len(out)
    out += directory
    facts = {"disk": 0, "first": 0, "here": listed, "count": listed, "size": len(directory), "offset": where}
    if zip64 is not None:
        wide = {**facts, **zip64}
        record = len(out)
        out += struct.pack(
            "<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, wide["here"], wide["count"], wide["size"], wide["offset"]
        )
        out += struct.pack("<4sLQL", b"PK\x06\x07", 0, wide.get("record", record), 1)
    facts.update(end or {})
    out += end_extra
    out += struct.pack(
        "<4s4H2LH",
        b"PK\x05\x06",
        facts["disk"],
        facts["first"],
        facts["here"],
        facts["count"],
        facts["size"],
        facts["offset"],
        len(comment),
    )
    return bytes(out + comment + suffix)


def deflate(data):
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return squeezer.compress(data) + squeezer.flush()


def _values(part):
    body = part.packed
    if body is None:
        body = deflate(part.data) if part.method == 8 else part.data
    name = part.name.encode() if isinstance(part.name, str) else part.name
    flags = part.flags | (0x0008 if part.streamed else 0)
    if isinstance(part.name, str) and not part.name.isascii():
        flags |= UTF8
    return {
        "name": name,
        "flags": flags,
        "method": part.method,
        "crc": zlib.crc32(part.data),
        "packed": len(body),
        "size": len(part.data),
        "body": body,
    }


def _local(part, values):
    facts = dict(values)
    if part.streamed:
        facts.update(crc=0, packed=0, size=0)
    facts.update(part.local)
    return (
        struct.pack(
            "<4s5H3L2H",
            b"PK\x03\x04",
            20,
            facts["flags"],
            facts["method"],
            0,
            0x21,
            facts["crc"],
            facts["packed"],
            facts["size"],
            len(facts["name"]),
            len(part.extra),
        )
        + facts["name"]
        + part.extra
    )


def _central(part, values):
    facts = {**values, "disk": 0, **part.central}
    extra = part.extra if part.central_extra is None else part.central_extra
    return (
        struct.pack(
            "<4s6H3L5H2L",
            b"PK\x01\x02",
            0x0314,
            20,
            facts["flags"],
            facts["method"],
            0,
            0x21,
            facts["crc"],
            facts["packed"],
            facts["size"],
            len(facts["name"]),
            len(extra),
            0,
            facts["disk"],
            0,
            part.mode << 16,
            facts["offset"],
        )
        + facts["name"]
        + extra
    )


def zip_of(files):
    """An ordinary archive of name -> text or bytes."""
    return build([Part(name, data.encode() if isinstance(data, str) else data) for name, data in files.items()])
