"""What a member of an upload may be called: names that mean the same on every system, and nothing a prover obeys.

Unsafe names are refused, never repaired, since tools repair them differently. Harmless litter of desktops is taken
off and reported.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from verifier.core.archive_limits import UploadLimits
from verifier.core.display import shown
from verifier.core.finding import Consequence, Finding

LITTER_FOLDERS: Final = frozenset({"__MACOSX"})
LITTER_FILES: Final = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", ".localized"})
OBEYED_FILES: Final = frozenset(
    {"ROOT", "ROOTS", "_CoqProject", "_RocqProject", "lean-toolchain", "lake-manifest.json"}
)
OBEYED_FOLDERS: Final = frozenset({"etc", ".git", ".hg", ".svn", ".lake"})
ARCHIVE_SUFFIXES: Final = frozenset({
    ".zip", ".jar", ".war", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".lz4", ".br", ".cab",
    ".iso", ".dmg", ".deb", ".rpm", ".whl", ".egg",
})  # fmt: skip
BINARY_SUFFIXES: Final = frozenset({
    ".vo", ".vos", ".vok", ".glob", ".aux", ".cmxs", ".cma", ".cmo", ".olean", ".ilean", ".exe", ".dll", ".so",
    ".dylib", ".o", ".a", ".class", ".pyc",
})  # fmt: skip
MEDIA_SUFFIXES: Final = frozenset(
    {".db", ".sqlite", ".sqlite3", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".pdf"}
)
REFUSED_SUFFIXES: Final = ARCHIVE_SUFFIXES | BINARY_SUFFIXES | MEDIA_SUFFIXES
_MAGIC: Final = (
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "a zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh91AY&SY", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a rar archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"\x7fELF", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"MZ\x90\x00", "a program"),
    (b"Coq!", "a compiled Rocq file"),
    (b"olean\x01", "a compiled Lean file"),
    (b"olean\x02", "a compiled Lean file"),
    (b"\x89PNG\r\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF87a", "a picture"),
    (b"GIF89a", "a picture"),
    (b"%PDF-", "a PDF document"),
    (b"SQLite format 3\x00", "a database"),
)
_TAR: Final = (b"ustar\x00", b"ustar  ")
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_LAKEFILE: Final = re.compile(r"lakefile(\.[^.]*)?\Z")


def refused(member: str, message: str, remedy: str) -> Finding:
    """A finding that refuses the whole upload; `member` is escaped here."""
    return Finding(Consequence.REFUSED, message, remedy, shown(member))


def kind_of_binary(data: bytes) -> str | None:
    """What the first bytes say this is, when it is an archive, a program, a picture or a compiled file."""
    if data.startswith(_TAR, 257):
        return "a tar archive"
    return next((kind for magic, kind in _MAGIC if data.startswith(magic)), None)


def is_litter(name: str) -> bool:
    """Whether desktops leave such files behind: `__MACOSX`, `.DS_Store`, AppleDouble files and their like."""
    parts = name.rstrip("/").split("/")
    return (
        not LITTER_FOLDERS.isdisjoint(parts) or parts[-1] in LITTER_FILES or parts[-1].startswith("._")
    ) and ".." not in parts


def name_findings(name: str, limits: UploadLimits) -> list[Finding]:
    """Everything that is wrong with one name; a folder's name ends in a slash."""
    found = [refused(name, message, remedy) for message, remedy in _name_faults(name, limits)]
    return found or [refused(name, message, remedy) for message, remedy in _obeyed(name)]


def _name_faults(name: str, limits: UploadLimits) -> Iterable[tuple[str, str]]:
    relative = "Build the zip again from inside the folder, with relative names."
    parts = name.removesuffix("/").split("/")
    if "\\" in name:
        yield "The name holds a backslash, which some systems take for a folder.", "Use `/` between folders."
    if name.startswith("/") or _DRIVE.match(name):
        yield "The name is absolute.", relative
    elif any(part in {"", ".", ".."} for part in parts):
        yield (
            "The name points outside the archive." if ".." in parts else "The name has an empty or `.` part.",
            relative,
        )
    if any(unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in name):
        yield "The name holds a control or invisible character.", "Rename the file."
    if any(part.endswith((".", " ")) and part not in {".", ".."} for part in parts):
        yield "A part of the name ends in a dot or a space, which some systems drop.", "Rename the file."
    if any(part.startswith("-") for part in parts):
        yield "A part of the name begins with a dash, which tools take for an option.", "Rename the file."
    if len(parts) > limits.depth:
        yield f"The file lies {len(parts)} levels deep; {limits.depth} are allowed.", "Use fewer folders."
    if len(name.encode("utf-8", "surrogatepass")) > limits.path_bytes:
        yield f"The path is longer than {limits.path_bytes} bytes.", "Use shorter names."


def _obeyed(name: str) -> Iterable[tuple[str, str]]:
    *folders, base = name.removesuffix("/").split("/")
    if name.endswith("/"):
        folders.append(base)
        base = ""
    forbidden = next((folder for folder in folders if folder in OBEYED_FOLDERS), None)
    if forbidden:
        yield f"The folder `{forbidden}` does not belong in an upload.", "Leave it out and upload proofs alone."
    if base in OBEYED_FILES or _LAKEFILE.match(base):
        yield "Provers and build tools obey a file of this name.", "Leave it out and upload proofs alone."
    suffix = "." + base.rpartition(".")[2].lower() if "." in base else ""
    if suffix in REFUSED_SUFFIXES:
        yield f"Files that end in `{suffix}` are not taken: they are not text.", "Upload proofs as text alone."


def clash_findings(names: Sequence[str]) -> list[Finding]:
    """Names that are one and the same somewhere: twice, by case, by Unicode form, or a file and a folder.

    Takes names without findings of their own, whose depth is bounded.
    """
    findings: list[Finding] = []
    seen: dict[str, str] = {}
    for name in names:
        key = folded(name)
        if key in seen:
            findings.append(_clash(name, seen[key]))
        seen.setdefault(key, name)
    files = {key: name for key, name in seen.items() if not key.endswith("/")}
    folders = {key.removesuffix("/") for key in seen if key.endswith("/")}
    for key in seen:
        parts = key.removesuffix("/").split("/")
        folders.update("/".join(parts[:depth]) for depth in range(1, len(parts)))
    for key in sorted(folders & files.keys()):
        message = "The same name is used for a file and for a folder."
        findings.append(refused(files[key], message, "Rename one of them."))
    return findings


def folded(name: str) -> str:
    """The form under which two names are one file on some system: NFC, without regard to case."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _clash(name: str, earlier: str) -> Finding:
    if name == earlier:
        return refused(name, "The name stands twice in the archive.", "Keep one file of this name.")
    message = f"The name is the same as `{shown(earlier)}` on systems that ignore case or compose letters."
    return refused(name, message, "Rename one of the two.")
