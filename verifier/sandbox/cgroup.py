"""Caps of memory and process count by control group (version 1 or 2), where this process may make one.

Where it may not, the supervisor watches the tree instead; the limits stay, they only act some milliseconds later.
"""

import itertools
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path("/sys/fs/cgroup")
_count = itertools.count()


@dataclass(frozen=True, slots=True)
class Group:
    """The folders of one session's control groups, one for each hierarchy."""

    folders: tuple[Path, ...]

    @property
    def procs(self) -> tuple[str, ...]:
        """Files that a process writes itself into."""
        return tuple(f"{folder}/cgroup.procs" for folder in self.folders)

    def memory_hit(self) -> bool:
        """Whether the kernel killed a process of the group for memory."""
        for folder in self.folders:
            for name in ("memory.events", "memory.oom_control"):
                with suppress(OSError):
                    for line in (folder / name).read_text().splitlines():
                        key, _, value = line.partition(" ")
                        if key == "oom_kill" and value.strip() not in {"", "0"}:
                            return True
        return False

    def pids_hit(self) -> bool:
        """Whether a process or thread was refused for the cap."""
        for folder in self.folders:
            with suppress(OSError):
                for line in (folder / "pids.events").read_text().splitlines():
                    if line.startswith("max ") and line.split()[1] != "0":
                        return True
        return False

    def members(self) -> list[int]:
        """Processes that are still in the group."""
        found: set[int] = set()
        for folder in self.folders:
            with suppress(OSError):
                found.update(map(int, (folder / "cgroup.procs").read_text().split()))
        return sorted(found)

    def remove(self) -> None:
        """Take the folders away; waits up to a second for the kernel to let the last process go."""
        for folder in self.folders:
            for _ in range(100):
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.01)
                else:
                    break


def _homes() -> list[Path]:
    homes = []
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers and (ROOT / "cgroup.controllers").exists():
            homes.append(ROOT / path.lstrip("/"))
        capped = {"memory", "pids"}.intersection(controllers.split(","))
        homes += [ROOT / name / path.lstrip("/") for name in sorted(capped)]
    return homes


def _cap(folder: Path, memory_bytes: int, tasks: int) -> bool:
    wanted = {
        "memory.limit_in_bytes": memory_bytes,
        "memory.memsw.limit_in_bytes": memory_bytes,
        "memory.max": memory_bytes,
        "memory.swap.max": 0,
        "pids.max": tasks,
    }
    capped = False
    for name, value in wanted.items():
        if (folder / name).exists():
            with suppress(OSError):
                (folder / name).write_text(str(value))
                capped = True
    return capped


def make(memory_bytes: int, tasks: int) -> Group | None:
    """A fresh group with both caps as far as this host lets us; None where nothing can be capped."""
    made = []
    try:
        homes = _homes()
    except OSError:
        return None
    for home in homes:
        folder = home / f"selen-{os.getpid()}-{next(_count)}"
        with suppress(OSError):
            folder.mkdir()
            if _cap(folder, memory_bytes, tasks) and os.access(folder / "cgroup.procs", os.W_OK):
                made.append(folder)
            else:
                folder.rmdir()
    return Group(tuple(made)) if made else None
