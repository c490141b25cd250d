"""Where proofs come from: a zip, a JSONL, and on the command line a folder or one proof file, all read the same way."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

from verifier.core.archive import Archive, Member, open_archive
from verifier.core.archive_limits import UploadLimits
from verifier.core.archive_names import clash_findings, is_litter, kind_of_binary, name_findings, refused
from verifier.core.display import shown
from verifier.core.finding import Finding

RECORDS = "proofs.jsonl"
ZIP_MAGIC = frozenset({b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x06"})
REFUSED_FORM = "Upload a zip of proof files, or one file of JSON lines whose name ends in .jsonl."


class Source(Protocol):
    """Files with their names; `findings` grows while `members()` is walked, and any of them refuses the upload."""

    @property
    def findings(self) -> list[Finding]:
        """Everything that refuses the upload, so far."""

    @property
    def litter(self) -> list[str]:
        """What desktops left behind."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all files, known before any is read."""

    @property
    def inflated(self) -> int:
        """Bytes given out so far."""

    def members(self) -> Iterator[Member]:
        """The files, one after the other."""


@dataclass(slots=True)
class ArchiveSource:
    """A zip."""

    archive: Archive

    @property
    def findings(self) -> list[Finding]:
        """Findings of the archive."""
        return self.archive.findings

    @property
    def litter(self) -> list[str]:
        """What desktops left behind."""
        return self.archive.litter

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all files."""
        return tuple(entry.name for entry in self.archive.entries)

    @property
    def inflated(self) -> int:
        """Bytes inflated so far."""
        return self.archive.inflated

    @property
    def size(self) -> int:
        """What all files inflate to, by the directory."""
        return self.archive.stated

    def members(self) -> Iterator[Member]:
        """The files, one after the other."""
        return self.archive.members()


@dataclass(slots=True)
class LooseSource:
    """One file that stands for itself, or nothing but a reason why it cannot be read."""

    content: Member | None
    findings: list[Finding] = field(default_factory=list)
    litter: list[str] = field(default_factory=list)
    inflated: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The one name."""
        return () if self.content is None else (self.content.name,)

    @property
    def size(self) -> int:
        """Bytes of the file that are still to be read."""
        return 0 if self.content is None else len(self.content.data)

    def members(self) -> Iterator[Member]:
        """The one file."""
        content, self.content = self.content, None
        if content is not None:
            self.inflated = len(content.data)
            yield content


@dataclass(slots=True)
class FolderSource:
    """A folder on this machine, held to the rules of an archive; links are refused, not followed."""

    root: Path
    limits: UploadLimits
    findings: list[Finding] = field(default_factory=list)
    litter: list[str] = field(default_factory=list)
    names: tuple[str, ...] = ()
    inflated: int = 0

    def __post_init__(self) -> None:
        """List the files; nothing is read yet."""
        names = []
        for folder, folders, files in os.walk(self.root):
            folders.sort()
            here = Path(folder)
            linked = [name for name in folders if (here / name).is_symlink()]
            names += [(here / name).relative_to(self.root).as_posix() for name in sorted([*files, *linked])]
            if len(names) > self.limits.members:
                message = f"The folder holds more than {self.limits.members:,} files."
                self.findings.append(refused("", message, "Leave proofs alone in it."))
                return
        self.names = tuple(name for name in names if self._wanted(name))
        self.findings += clash_findings(self.names)

    def _wanted(self, name: str) -> bool:
        faults = name_findings(name, self.limits)
        path = self.root / name
        if path.is_symlink() or not path.is_file():
            faults.append(refused(name, "This is a link or no plain file.", "Put the file itself there."))
        self.findings += faults
        if is_litter(name) and not faults:
            self.litter.append(name)
            return False
        return not faults

    def members(self) -> Iterator[Member]:
        """The files, one after the other; OSError when one cannot be read."""
        for name in self.names:
            with (self.root / name).open("rb") as file:
                data = file.read(self.limits.inflated_bytes - self.inflated + 1)
            self.inflated += len(data)
            if self.inflated > self.limits.inflated_bytes:
                message = f"The folder holds more than {self.limits.inflated_bytes / 1e6:,.0f} MB."
                self.findings.append(refused(name, message, "Leave proofs alone in it."))
                return
            kind = kind_of_binary(data[:300])
            if kind is not None:
                self.findings.append(refused(name, f"This is {kind}, not text.", "Leave it out."))
                continue
            yield Member(name, data)


def bytes_of(upload: bytes | BinaryIO, limits: UploadLimits) -> bytes:
    """The upload in memory; one byte more than is allowed is read at most."""
    if isinstance(upload, bytes):
        return upload
    upload.seek(0)
    return upload.read(limits.upload_bytes + 1)


def source_of_bytes(data: bytes, file_name: str, limits: UploadLimits) -> ArchiveSource | LooseSource:
    """What was uploaded: a zip by its bytes, JSON lines by the name; everything else is refused with its kind."""
    if len(data) > limits.upload_bytes:
        message = f"The upload is larger than {limits.upload_bytes / 1e6:,.0f} MB."
        return _nothing(file_name, message, "Upload proofs alone, without logs and models.")
    if not data:
        return _nothing(file_name, "The file is empty.", REFUSED_FORM)
    kind = kind_of_binary(data[:300])
    if data[:4] in ZIP_MAGIC or (kind is None and file_name.lower().endswith(".zip")):
        return ArchiveSource(open_archive(data, limits))
    if kind is None and file_name.lower().endswith((".jsonl", ".ndjson")):
        return LooseSource(Member(RECORDS, data))
    what = f"This is {kind}." if kind else "This is neither a zip nor a file of JSON lines."
    return _nothing(file_name, what, REFUSED_FORM)


def source_of_path(path: Path, extension: str, limits: UploadLimits) -> Source:
    """A folder, one proof file, or whatever could be uploaded; OSError when it cannot be read."""
    if path.is_dir():
        return FolderSource(path, limits)
    with path.open("rb") as file:
        data = file.read(limits.upload_bytes + 1)
    if path.suffix == extension and len(data) <= limits.upload_bytes:
        return LooseSource(Member(path.name, data))
    return source_of_bytes(data, path.name, limits)


def _nothing(file_name: str, message: str, remedy: str) -> LooseSource:
    return LooseSource(None, [refused(shown(file_name), message, remedy)])
