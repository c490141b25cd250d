"""What each case folder under tests/corpora/archives holds, as bytes built on the spot (no binary files are kept)."""

import struct

from tests.intake.zips import Part, build, deflate

GOOD = Part("1/add_zero.v")
FULL = 0xFFFFFFFF
HALF = 0xFFFF
CASES = {}


def case(make):
    CASES[make.__name__.replace("_", "-")] = make
    return make


def _one(name, **values):
    return build([GOOD, Part(name, **values)])


def _zip64(*values):
    return struct.pack("<2H", 1, 8 * len(values)) + struct.pack(f"<{len(values)}Q", *values)


# Names
NAMES = {
    "traversal": "../evil.v",
    "traversal-inside": "a/../../b.v",
    "absolute": "/etc/x.v",
    "drive-letter": "C:/x.v",
    "backslash": "0\\add_comm.v",
    "host-name": "\\\\host\\x.v",
    "nul-in-name": "add_comm.v\0.txt",
    "control-in-name": "add\x1bcomm.v",
    "bidi-in-name": "add\u202ev.mmoc",
    "zero-width-in-name": "add\u200bcomm.v",
    "trailing-dot": "1./add_comm.v",
    "trailing-space": "add_comm.v ",
    "empty-part": "1//add_comm.v",
    "dot-part": "./add_comm.v",
    "leading-dash": "1/-rf.v",
    "too-deep": "a/b/c/d/e/f/add_comm.v",
    "path-too-long": "x" * 199 + ".v",
    "nested-zip-by-name": "1/more.zip",
    "compiled-rocq-by-name": "1/add_comm.vo",
    "compiled-lean-by-name": "1/add_comm.olean",
    "jar-by-name": "tool.jar",
    "picture-by-name": "shot.PNG",
    "isabelle-root": "ROOT",
    "isabelle-roots": "1/ROOTS",
    "isabelle-etc": "etc/settings",
    "lakefile": "lakefile.lean",
    "lakefile-toml": "lakefile.toml",
    "coqproject": "_CoqProject",
    "git-folder": ".git/config",
    "readme": "README.md",
    "dotfile": ".editorconfig",
    "ds-store": "1/.DS_Store",
    "macosx-folder": "__MACOSX/1/._add_zero.v",
    "unknown-id": "1/add_zeroo.v",
    "non-ascii-readme": "lies-mich-é.txt",
}
for _case, _name in NAMES.items():
    CASES[_case] = lambda name=_name: _one(name)

# Contents that are no text
MAGIC = {
    "nested-zip-by-magic": b"PK\x03\x04 and more",
    "gzip-by-magic": b"\x1f\x8b\x08 and more",
    "elf-by-magic": b"\x7fELF and more",
    "compiled-rocq-by-magic": b"Coq!\x00\x00 and more",
    "compiled-lean-by-magic": b"olean\x02 and more",
    "picture-by-magic": b"\x89PNG\r\n\x1a\n and more",
    "tar-by-magic": b"\0" * 257 + b"ustar\x0000" + b"\0" * 100,
}
for _case, _data in MAGIC.items():
    CASES[_case] = lambda data=_data: _one("1/add_comm.v", data=data)

# Modes
MODES = {
    "symlink": 0o120777,
    "character-device": 0o020600,
    "block-device": 0o060600,
    "named-pipe": 0o010600,
    "socket": 0o140600,
    "setuid": 0o104755,
    "setgid": 0o102755,
    "folder-mode-on-file": 0o040755,
}
for _case, _mode in MODES.items():
    CASES[_case] = lambda mode=_mode: _one("1/add_comm.v", mode=mode)


@case
def duplicate_name():
    return build([GOOD, Part("1/add_zero.v", b"other.")])


@case
def duplicate_by_case():
    return build([GOOD, Part("1/Add_Zero.v")])


@case
def duplicate_by_unicode_form():
    return build([GOOD, Part("caf\u00e9.txt"), Part("cafe\u0301.txt")])


@case
def file_and_folder_of_one_name():
    return build([GOOD, Part("1/add_comm.v", b""), Part("1/add_comm.v/x.v")])


@case
def file_and_folder_entry_of_one_name():
    return build([GOOD, Part("notes"), Part("notes/", b"", mode=0o040755)])


@case
def folder_with_bytes():
    return build([GOOD, Part("notes/", b"hidden", mode=0o040755)])


@case
def encrypted():
    return _one("1/add_comm.v", flags=0x0001)


@case
def strongly_encrypted():
    return _one("1/add_comm.v", flags=0x0041)


@case
def masked_directory():
    return _one("1/add_comm.v", flags=0x2000)


@case
def patched_data():
    return _one("1/add_comm.v", flags=0x0020)


@case
def bzip2_method():
    return _one("1/add_comm.v", method=12)


@case
def zstd_method():
    return _one("1/add_comm.v", method=93)


@case
def name_marked_utf8_that_is_not():
    return _one(b"caf\xe9.txt", flags=0x0800)


@case
def name_in_code_page_437():
    return _one(b"caf\x82.txt")


@case
def second_name_in_extra_field():
    body = b"\x01\0\0\0\0evil.v"
    return _one("1/add_comm.v", extra=struct.pack("<2H", 0x7075, len(body)) + body)


@case
def multi_disk():
    return build([GOOD], end={"disk": 1, "first": 1})


@case
def member_on_another_disk():
    return _one("1/add_comm.v", central={"disk": 3})


@case
def count_disagrees():
    return build([GOOD], end={"here": 1, "count": 2})


@case
def count_too_high():
    return build([GOOD], end={"here": 2, "count": 2})


@case
def count_too_low():
    return build([GOOD, Part("1/add_comm.v")], end={"here": 1, "count": 1})


@case
def data_before_first():
    return build([GOOD], prefix=b"#!/bin/sh\nexit\n")


@case
def data_before_first_offsets_not_moved():
    return b"#!/bin/sh\nexit\n" + build([GOOD])


@case
def data_after_end():
    return build([GOOD], suffix=b"more")


@case
def two_end_records():
    inner = build([Part("1/add_comm.v", b"other.")])
    return build([GOOD], comment=inner)


@case
def honest_comment():
    return build([GOOD], comment=b"made by hand")


@case
def data_before_directory():
    return build([GOOD], gap=b"hidden")


@case
def data_between_members():
    return build([GOOD, Part("1/add_comm.v", before=b"hidden")])


@case
def data_behind_directory():
    return build([GOOD], end_extra=b"hidden")


@case
def unlisted_member():
    return build([GOOD, Part("1/add_comm.v", lists=False)])


@case
def overlap_whole():
    return build([GOOD, Part("1/add_comm.v", lists=True, central={"offset": 0, "name": b"1/add_zero.v"})])


@case
def overlap_quoted():
    inner = Part("1/add_comm.v", b"x" * 50, method=0)
    inner_bytes = build([inner])
    kernel = inner_bytes[: inner_bytes.index(b"PK\x01\x02")]
    outer = Part("1/add_zero.v", kernel + b"tail", method=0)
    start = 30 + len("1/add_zero.v")
    hidden = Part("1/add_comm.v", b"x" * 50, method=0, central={"offset": start})
    return build([outer, hidden])


@case
def local_name_differs():
    return _one("1/add_comm.v", local={"name": b"1/other_id.v"})


@case
def local_size_differs():
    return _one("1/add_comm.v", local={"size": 7})


@case
def local_checksum_differs():
    return _one("1/add_comm.v", local={"crc": 7})


@case
def local_method_differs():
    return _one("1/add_comm.v", local={"method": 0})


@case
def local_flags_differ():
    return _one("1/add_comm.v", local={"flags": 1})


@case
def wrong_checksum():
    return _one("1/add_comm.v", local={"crc": 7}, central={"crc": 7})


@case
def understated_size():
    lie = {"size": 2}
    return _one("1/add_comm.v", local=lie, central=lie)


@case
def overstated_size():
    lie = {"size": 2000}
    return _one("1/add_comm.v", local=lie, central=lie)


@case
def stored_sizes_differ():
    lie = {"size": 2}
    return _one("1/add_comm.v", method=0, local=lie, central=lie)


@case
def damaged_data():
    return _one("1/add_comm.v", packed=b"\xff\xff\xff")


@case
def bytes_behind_compressed_data():
    return _one("1/add_comm.v", packed=deflate(b"auto.\n") + b"hidden")


@case
def cut_off():
    return build([GOOD, Part("1/add_comm.v")])[:-10]


@case
def cut_in_the_middle():
    whole = build([GOOD, Part("1/add_comm.v")])
    return whole[: len(whole) // 2]


@case
def directory_damaged():
    whole = bytearray(build([GOOD]))
    whole[whole.index(b"PK\x01\x02")] = 0
    return bytes(whole)


@case
def offset_points_nowhere():
    return build([GOOD, Part("1/add_comm.v", central={"offset": 3})])


@case
def empty_zip():
    return build([])


@case
def folders_alone():
    return build([Part("1/", b"", method=0, mode=0o040755)])


@case
def empty_file():
    return b""


@case
def not_a_zip():
    return b"just some words"


@case
def gzip_renamed():
    return b"\x1f\x8b\x08\0 and so on"


# ZIP64 and streams
@case
def zip64_honest():
    extra = _zip64(6, len(deflate(b"auto.\n")))
    wide = {"size": FULL, "packed": FULL}
    part = Part("1/add_comm.v", extra=extra, local=wide, central=wide)
    return build([GOOD, part], zip64={}, end={"here": HALF, "count": HALF, "size": FULL, "offset": FULL})


@case
def zip64_repeating_the_short_record():
    return build([GOOD], zip64={})


@case
def zip64_sizes_contradict():
    extra = _zip64(600, len(deflate(b"auto.\n")))
    return _one("1/add_comm.v", extra=extra)


@case
def zip64_field_missing():
    return _one("1/add_comm.v", local={"size": FULL}, central={"size": FULL})


@case
def zip64_record_contradicts():
    return build([GOOD], zip64={"count": 2, "here": 2})


@case
def zip64_record_missing():
    return build([GOOD], end={"offset": FULL})


@case
def zip64_locator_points_elsewhere():
    return build([GOOD], zip64={"record": 0})


@case
def streamed():
    return build([Part("1/add_zero.v", streamed=True), Part("1/add_comm.v", streamed=True)])


@case
def streamed_without_mark():
    return build([Part("1/add_zero.v", streamed=True, mark=False), Part("1/add_comm.v", streamed=True, mark=False)])


@case
def streamed_with_zip64():
    wide = {"size": FULL, "packed": FULL}
    part = Part("1/add_zero.v", streamed=True, wide=True, extra=_zip64(0, 0), central_extra=b"", local=wide)
    return build([part, Part("1/add_comm.v", streamed=True, wide=True)])


@case
def streamed_sizes_contradict():
    whole = bytearray(build([Part("1/add_zero.v", streamed=True)]))
    whole[whole.index(b"PK\x07\x08") + 4] ^= 1
    return bytes(whole)


# Budgets
@case
def too_many_members():
    return build([Part(f"1/x{number}.v", b"x", method=0) for number in range(201)])


@case
def hundred_thousand_members_claimed():
    zip64 = {"here": 100_000, "count": 100_000}
    return build([GOOD], zip64=zip64, end={"here": HALF, "count": HALF})


@case
def bomb_by_stated_size():
    return _one("1/add_comm.v", data=b"\0" * 1_100_000)


@case
def bomb_by_many_members():
    return build([Part(f"1/x{number}.v", b" " * 60_000) for number in range(20)])


@case
def bomb_by_ratio():
    return _one("1/add_comm.v", data=b" " * 900_000)


@case
def bomb_that_understates():
    lie = {"size": 100}
    return _one("1/add_comm.v", data=b"\0" * 1_100_000, local=lie, central=lie)


@case
def over_the_upload_limit():
    noise = bytes((number * number * 31 + number // 7) % 251 for number in range(600_000))
    return _one("1/add_comm.v", data=noise, method=0)


# Proofs at fault inside a sound archive
PROOFS = {
    "proof-with-nul": b"auto.\n\0",
    "proof-not-utf8": b"auto.\n\xff\xfe",
    "proof-in-utf16": "auto.".encode("utf-16-be"),
    "proof-empty": b" \n\n",
    "proof-too-large": b"x" * 70_000,
    "proof-too-many-tokens": b"apply x. " * 1000,
    "proof-with-lone-carriage-return": b"auto.\rauto.",
    "proof-with-delete": b"so\x7frry",
    "proof-with-bidi": "auto. (* \u202e *)".encode(),
    "proof-forbidden": b"intros.\nadmit.",
    "proof-with-bom-and-crlf": b"\xef\xbb\xbfauto.\r\n",
}
for _case, _data in PROOFS.items():
    CASES[_case] = lambda data=_data: _one("1/add_comm.v", data=data)


@case
def two_texts_for_one_attempt():
    return build([GOOD, Part("add_zero.v", b"other.")])


@case
def two_texts_file_and_record():
    record = b'{"problem": "add_zero", "attempt": 1, "proof": "auto."}\n'
    return build([GOOD, Part("proofs.jsonl", record)])
