"""How is a source file read, and what is said when it cannot be."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from verifier.core.display import shown
from verifier.core.finding import Consequence, Finding

MOST_LINES: Final = 50_000
MOST_BYTES: Final = 16 * 1024 * 1024
DEEPEST: Final = 300  # imports, or sessions, in a row; all of l4v has 123
OUTSIDE: Final = "leads outside the sources"
BRING: Final = "Put what it names inside, or give a folder that holds both as --sources."


@dataclass(frozen=True, slots=True)
class Where:
    """A theory's session, its name and its file, relative to the sources."""

    session: str
    theory: str
    member: str


class SourceFault(Exception):
    """A source that cannot be used: where, what is wrong, what to do."""

    def __init__(self, member: str, line: int | None, message: str, remedy: str) -> None:
        self.finding = Finding(Consequence.REFUSED, message, remedy, shown(member), line)
        super().__init__(f"{shown(member)}:{line or ''} {message}")


def member_of(path: Path, sources: Path) -> str:
    """The file as messages name it: relative to the sources where it lies inside them."""
    return path.relative_to(sources).as_posix() if path.is_relative_to(sources) else path.as_posix()


def leaves(path: Path, sources: Path) -> bool:
    """Whether a path, its links followed, leads outside the sources; one that no system can follow leads nowhere."""
    real = real_path(path)
    return real is not None and not real.is_relative_to(sources.resolve())


def real_path(path: Path, *, strict: bool = False) -> Path | None:
    """The path with its links followed; None where they form a circle or where it is no name that a file can have.

    With `strict`, None also where nothing is there.
    """
    try:
        return path.resolve(strict=strict)
    except (OSError, RuntimeError, ValueError):
        return None


def read_text(path: Path, sources: Path) -> str:
    """The text of a file.

    Raises SourceFault for what is no plain file, lies outside the sources, is too large or is not UTF-8.
    """
    member = member_of(path, sources)
    try:
        if not path.is_file():
            path.stat()
            raise SourceFault(member, 1, "this is not a plain file", "Put the file itself here.")
        if leaves(path, sources):
            raise SourceFault(member, 1, OUTSIDE, BRING)
        if path.stat().st_size > MOST_BYTES:
            raise SourceFault(member, 1, f"the file is larger than {MOST_BYTES:,} bytes", "Split it.")
        data = path.read_bytes()
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceFault(member, 1, f"cannot be read: {reason}", "Make it a readable file.") from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceFault(member, line, "is not UTF-8", "Save the file as UTF-8.") from None
    lines = text.count("\n") + 1
    if lines > MOST_LINES:
        message = f"has {lines:,} lines, more than the {MOST_LINES:,} that are read"
        raise SourceFault(member, MOST_LINES + 1, message, "Split the theory.")
    return text


def chain_of(members: Sequence[str]) -> str:
    """Files in a row, as a message about a cycle shows them."""
    return " → ".join(shown(member) for member in members)
