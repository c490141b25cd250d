"""What a sandbox takes and gives: Command -> Outcome, or Command -> Session for a dialogue.

Adapters describe processes as values and never start them; only this package does, and it fails closed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Command:
    """A process to run inside the sandbox.

    `argv[0]` is an absolute path inside it. `readonly` binds host paths to inside paths, read-only; `files` places
    small read-only files (inside path -> bytes); `writable` binds host folders that are to be filled, for builds
    alone, and what stands in them belongs to the host again when the command has ended. `/tmp` and the working
    directory `/box` are capped tmpfs of `scratch_bytes`. The environment is exactly `env`. `address_space` is None for
    provers that reserve it in bulk (Poly/ML); then `memory_bytes` is enforced by control group or by watching the
    tree.
    """

    argv: tuple[str, ...]
    readonly: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    writable: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = "/box"
    stdin: bytes = b""
    wall_seconds: float = 60.0
    cpu_seconds: int = 60
    memory_bytes: int = 2 * 2**30
    address_space: int | None = 2 * 2**30
    output_bytes: int = 1 * 2**20
    scratch_bytes: int = 64 * 2**20
    file_bytes: int = 32 * 2**20
    processes: int = 4
    open_files: int = 256
    needs_proc: bool = False
    root: Path | None = None  # an unpacked image used as the sandbox's root instead of the host's /usr


class LimitHit(StrEnum):
    """Which limit ended a process, as the supervisor saw it, never as the process said."""

    WALL = "wall"
    CPU = "cpu"
    MEMORY = "memory"
    OUTPUT = "output"
    PROCESSES = "processes"
    DISK = "disk"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a process ended. `stdout` and `stderr` are capped, head and tail; times in milliseconds."""

    exit_code: int | None
    signal: int | None
    limit: LimitHit | None
    stdout: bytes
    stderr: bytes
    wall_ms: int
    cpu_ms: int
    peak_bytes: int


class SessionDied(Exception):
    """The process of a session ended or was killed while a reply was awaited."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(f"exit {outcome.exit_code}, signal {outcome.signal}, limit {outcome.limit}")


class Session(Protocol):
    """A live process that answers requests, one at a time."""

    def ask(self, request: bytes, until: bytes, wall_seconds: float) -> "Reply":
        """Write `request`, read until `until` stands in either stream; SessionDied on death or limit."""

    def cpu_ms(self) -> int:
        """CPU time of the whole tree so far, in milliseconds."""

    def close(self) -> Outcome:
        """Kill whatever is left and reap it; safe to call twice."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a session said to one request: both streams up to the terminator, capped, with the time it took."""

    stdout: bytes
    stderr: bytes
    wall_ms: int


class Sandbox(Protocol):
    """Starts commands behind walls. There is no switch to run without them outside tests."""

    def run(self, command: Command) -> Outcome:
        """Run to its end or a limit; raises PlatformFault when the walls cannot be put up."""

    def open(self, command: Command) -> Session:
        """Start a dialogue; raises PlatformFault when the walls cannot be put up."""
