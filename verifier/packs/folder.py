"""Which files a pack holds. Walks the folder once, refuses links and strangers, reads text."""

import os
import stat
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from verifier.core.sizes import size_words
from verifier.packs.report import Report, nearest
from verifier.packs.schema import Table

AnyTable = TypeVar("AnyTable", bound=Table)

FOLDERS: Final = ("theories", "problems", "sets", "selftest", "samples")
# The last two stand in the edition for teams.
FILES: Final = (
    "pack.toml",
    "baselines.toml",
    "README.md",
    "LICENSE",
    "problems.jsonl",
    "proofs.jsonl",
)
VERDICTS: Final = ("proved", "failed", "rejected", "timeout", "resource")
_LARGEST: Final = 16 * 2**20
_SYNTAX_PLACE: Final = " (at line "


@dataclass(frozen=True, slots=True)
class Folder:
    """Regular files of a pack: path relative to the pack, with `/`, in sorted order."""

    root: Path
    files: tuple[str, ...]

    def under(self, name: str) -> list[str]:
        """Files below one of the pack's folders."""
        return [file for file in self.files if file.startswith(f"{name}/")]


def folder_read(root: Path, report: Report) -> Folder:
    """All files of the pack; links, special files and names that no pack has become findings."""
    files: list[str] = []
    for place, folders, names in os.walk(root, followlinks=False):
        inside = Path(place).relative_to(root)
        folders[:] = sorted(name for name in folders if _wanted_folder(root, inside / name, report))
        wanted = (name for name in sorted(names) if _wanted_file(root, inside / name, report))
        files.extend((inside / name).as_posix() for name in wanted)
    return Folder(root, tuple(sorted(files)))


def _is_hidden(path: Path) -> bool:
    return path.name.startswith(".")


def _wanted_folder(root: Path, path: Path, report: Report) -> bool:
    if (root / path).is_symlink():
        _refuse_link(path, report)
        return False
    if _is_hidden(path):
        return False
    top, depth = path.parts[0], len(path.parts)
    if depth == 1 and top not in FOLDERS:
        _refuse_stranger(path, FOLDERS, report, what="folder")
        return False
    if top == "selftest" and depth == 2 and path.name not in VERDICTS:
        _refuse_stranger(path, VERDICTS, report, what="folder")
        return False
    if top in {"problems", "sets"} or (top == "selftest" and depth > 2):
        if depth > 1:
            report.add(path.as_posix(), "a folder within this one", f"Put its files directly under {path.parent}/.")
        return depth == 1
    return True


def _wanted_file(root: Path, path: Path, report: Report) -> bool:
    mode = (root / path).lstat().st_mode
    if stat.S_ISLNK(mode):
        _refuse_link(path, report)
        return False
    if _is_hidden(path):
        return False
    if not stat.S_ISREG(mode):
        report.add(path.as_posix(), "neither a file nor a folder", "Take it away.")
        return False
    if len(path.parts) == 1 and path.name not in FILES:
        _refuse_stranger(path, FILES, report, what="file")
        return False
    return True


def _refuse_link(path: Path, report: Report) -> None:
    report.add(path.as_posix(), "a symbolic link", "Put the file itself here; a pack holds no links.")


def _refuse_stranger(path: Path, known: tuple[str, ...], report: Report, *, what: str) -> None:
    guess = nearest(path.name, known)
    remedy = f"Rename it to {guess}." if guess else f"Take it away; known here are {', '.join(known)}."
    report.add(path.as_posix(), f"unknown {what}", remedy)


def text_read(folder: Folder, member: str, report: Report) -> str | None:
    """Text of one file, or None with a finding when it is no UTF-8 text or too large to be one."""
    try:
        if (folder.root / member).stat().st_size > _LARGEST:
            report.add(member, f"larger than {size_words(_LARGEST)}", "Split it.")
            return None
        data = (folder.root / member).read_bytes()
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        report.add(member, f"not UTF-8: byte {data[fault.start]:#04x}", "Save the file as UTF-8.", at=line)
    except OSError as fault:
        report.add(member, f"cannot be read: {fault.strerror}", "Make it readable.")
    return None


def toml_values(folder: Folder, member: str, report: Report) -> dict[str, Any] | None:
    """Values of one TOML file, or None with a finding when it is none."""
    text = text_read(folder, member, report)
    if text is None:
        return None
    try:
        values: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        says, place, rest = str(fault).partition(_SYNTAX_PLACE)
        line = int(rest.split(",")[0]) if place else text.count("\n") + 1
        remedy = "Mend this line; values are text in quotes, numbers, true, false, dates or lists in brackets."
        report.add(member, f"not TOML: {says.removesuffix(' (at end of document)')}", remedy, at=line)
        return None
    report.knows(member, text)
    return values


def table_read(member: str, values: dict[str, Any], table: type[AnyTable], report: Report) -> AnyTable | None:
    """The values as a table, or None with findings for everything that the schema refuses."""
    try:
        return table.model_validate(values)
    except ValidationError as fault:
        report.schema_faults(member, fault, table)
        return None


def toml_read(folder: Folder, member: str, table: type[AnyTable], report: Report) -> AnyTable | None:
    """One TOML file as its table, or None with findings for everything that is wrong in it."""
    values = toml_values(folder, member, report)
    return None if values is None else table_read(member, values, table, report)
