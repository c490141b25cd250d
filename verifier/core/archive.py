"""A zip read in memory: every member that can be trusted, and a finding for everything that cannot.

Nothing is written to disk and nothing is repaired. Budgets are counted while inflating, whatever the headers say, so
no archive makes this module hold more than it may.
"""

import stat
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from verifier.core.archive_directory import (
    DEFLATED,
    ENCRYPTED,
    PATCH,
    REBUILD,
    STORED,
    Entry,
    data_start,
    read_directory,
)
from verifier.core.archive_limits import UploadLimits
from verifier.core.archive_names import clash_findings, is_litter, kind_of_binary, name_findings, refused
from verifier.core.finding import Finding


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an upload with its bytes."""

    name: str
    data: bytes


@dataclass(slots=True)
class Archive:
    """An archive whose directory was read. `findings` grows while `members()` is walked; any of them refuses it.

    `litter` names what desktops left behind and nobody wants; `stated` is what all wanted members inflate to by the
    directory, `inflated` counts bytes given out so far.
    """

    data: bytes
    limits: UploadLimits
    entries: list[Entry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    litter: list[str] = field(default_factory=list)
    readable: bool = True
    stated: int = 0
    inflated: int = 0

    def members(self) -> Iterator[Member]:
        """Inflate member by member; stops at the first budget that is passed. Unreadable archives give nothing.

        Entries are let go as they are read: a second walk finds none left.
        """
        if not self.readable:
            return
        self.entries.reverse()
        while self.entries:
            data = self._inflate(entry := self.entries.pop())
            if data is None and self._over_budget():
                return
            if data is not None:
                yield Member(entry.name, data)

    def _inflate(self, entry: Entry) -> bytes | None:
        left = self.limits.inflated_bytes - self.inflated
        cap = min(entry.size, left) + 1
        start = data_start(self.data, entry)
        packed = memoryview(self.data)[start : start + entry.packed]
        try:
            out, whole = _unpack(entry, packed, cap)
        except zlib.error:
            self.findings.append(refused(entry.name, "The member's compressed data is damaged.", REBUILD))
            return None
        self.inflated += len(out)
        if self._over_budget():
            self._refuse_budget(entry.name)
            return None
        if not whole or len(out) != entry.size or zlib.crc32(out) != entry.crc:
            message = "The member inflates to something else than its header says (size or checksum)."
            self.findings.append(refused(entry.name, message, REBUILD))
            return None
        kind = kind_of_binary(out)
        if kind is not None:
            message = f"This is {kind}, not text."
            self.findings.append(refused(entry.name, message, "Leave it out and upload proofs as text alone."))
            return None
        return out

    def _over_budget(self) -> bool:
        return self.inflated > self.limits.inflated_bytes or _bomb(self.inflated, len(self.data), self.limits)

    def _refuse_budget(self, name: str) -> None:
        limit = self.limits
        if self.inflated > limit.inflated_bytes:
            self.findings.append(_too_much(name, limit))
        else:
            self.findings.append(_suspicious(name, limit))


def open_archive(data: bytes, limits: UploadLimits) -> Archive:
    """Read the directory of a zip and judge names, kinds and stated sizes; inflates nothing, never raises."""
    directory = read_directory(data, limits)
    archive = Archive(data, limits, findings=list(directory.findings), readable=not directory.findings)
    kept: list[Entry] = []
    named: list[str] = []
    for entry in directory.entries:
        faults = [*name_findings(entry.name, limits), *_kind_findings(entry)]
        archive.findings += faults
        if faults:
            continue
        named.append(entry.name)
        if is_litter(entry.name):
            archive.litter.append(entry.name)
        elif not entry.folder:
            kept.append(entry)
    archive.findings += clash_findings(named)
    stated = sum(entry.size for entry in directory.entries)
    if stated > limits.inflated_bytes:
        archive.findings.append(_largest_named(_too_much("", limits), directory.entries))
        archive.readable = False
    elif _bomb(stated, len(data), limits):
        archive.findings.append(_largest_named(_suspicious("", limits), directory.entries))
        archive.readable = False
    archive.entries = kept
    archive.stated = sum(entry.size for entry in kept)
    return archive


def _unpack(entry: Entry, packed: memoryview, cap: int) -> tuple[bytes, bool]:
    """At most `cap` bytes, and whether the compressed data ended exactly where the member does."""
    if entry.method == STORED:
        return bytes(packed[:cap]), len(packed) <= cap
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    out = inflater.decompress(packed, cap)
    return out, inflater.eof and not inflater.unused_data and not inflater.unconsumed_tail


def _kind_findings(entry: Entry) -> Iterator[Finding]:
    kind = stat.S_IFMT(entry.mode)
    special = {
        stat.S_IFLNK: "a symbolic link",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
        stat.S_IFIFO: "a named pipe",
        stat.S_IFSOCK: "a socket",
    }
    if kind in special:
        yield refused(entry.name, f"The member is {special[kind]}.", "Put the file itself into the zip.")
    elif kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        yield refused(entry.name, "The member is neither a file nor a folder.", "Put plain files into the zip.")
    elif entry.mode and (kind == stat.S_IFDIR) != entry.folder and kind:
        yield refused(entry.name, "The member is a folder by its name or by its mode, but not by both.", REBUILD)
    if entry.mode & (stat.S_ISUID | stat.S_ISGID) and not entry.folder:
        yield refused(entry.name, "The member is marked setuid or setgid.", "Take the mark off and zip again.")
    if entry.flags & ENCRYPTED:
        yield refused(entry.name, "The member is encrypted.", "Build the zip again without a password.")
    if entry.flags & PATCH:
        yield refused(entry.name, "The member is a patch of another archive.", REBUILD)
    if entry.method not in {STORED, DEFLATED}:
        remedy = "Build the zip again with the compression `deflate`, the default of most tools."
        yield refused(entry.name, f"The compression method {entry.method} is not taken.", remedy)
    elif entry.method == STORED and entry.packed != entry.size:
        yield refused(entry.name, "The member is stored, but its two sizes differ.", REBUILD)
    if entry.folder and entry.size:
        yield refused(entry.name, "A folder cannot hold bytes of its own.", REBUILD)


def _bomb(inflated: int, uploaded: int, limits: UploadLimits) -> bool:
    return inflated > limits.ratio_from and inflated > limits.ratio * uploaded


def _too_much(name: str, limits: UploadLimits) -> Finding:
    message = f"The archive inflates to more than {limits.inflated_bytes / 1e6:,.0f} MB."
    return refused(name, message, "Upload proofs alone, in several submissions if need be.")


def _largest_named(finding: Finding, entries: Sequence[Entry]) -> Finding:
    """A finding about the sum of all members, with the one that has the largest part in it."""
    largest = max(entries, key=lambda entry: entry.size)
    of = f"The largest of its {len(entries):,} members" if len(entries) > 1 else "Its one member"
    message = f"{finding.message} {of} is stated with {largest.size / 1e6:,.1f} MB."
    return refused(largest.name, message, finding.remedy)


def _suspicious(name: str, limits: UploadLimits) -> Finding:
    message = f"The archive inflates to more than {limits.ratio} times its size, as bombs do."
    return refused(name, message, "Upload proofs alone.")
