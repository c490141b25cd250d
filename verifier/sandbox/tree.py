"""A process and everything it started, read from /proc: who is alive, CPU time, memory."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

_TICK_MS: Final = 1000 / os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def pids(root: int) -> list[int]:
    """The process and its living descendants, parents first."""
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        with suppress(OSError):
            for task in Path(f"/proc/{pid}/task").iterdir():
                with suppress(OSError):
                    waiting += map(int, (task / "children").read_text().split())
    return found


def alive(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:
        return False


def holders(pipe: Path) -> list[int]:
    """Other processes that hold a pipe, named as in /proc (`pipe:[number]`)."""
    found = []
    for place in Path("/proc").iterdir():
        if not place.name.isdigit() or int(place.name) == os.getpid():
            continue
        with suppress(OSError):
            if any(link.readlink() == pipe for link in (place / "fd").iterdir()):
                found.append(int(place.name))
    return found


def cpu_ms(root: int) -> int:
    """CPU time of the tree in milliseconds, that of its reaped children included."""
    ticks = 0
    for pid in pids(root):
        with suppress(OSError, IndexError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(int(fields[at]) for at in range(11, 15))
    return round(ticks * _TICK_MS)


def memory_bytes(root: int) -> int:
    """Resident memory of the tree; pages shared between its processes count in each."""
    total = 0
    for pid in pids(root):
        with suppress(OSError, IndexError):
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    return total
