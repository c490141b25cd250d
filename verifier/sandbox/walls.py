"""The command line that puts the walls up: bubblewrap's arguments and the limits around and inside it.

The order of the arguments matters; each reason stands beside its line.
"""

import stat
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Final

from verifier.core.process import Command
from verifier.sandbox import libraries

PRLIMIT: Final = "/usr/bin/prlimit"
SHELL: Final = "/bin/sh"
SETPRIV: Final = "/usr/bin/setpriv"
JOIN_FAILED: Final = 97  # exit code of a session that could not enter its control groups
_TMP: Final = "/tmp"  # noqa: S108 - inside the sandbox
_SHM: Final = "/dev/shm"  # noqa: S108 - inside the sandbox


class Wall(StrEnum):
    """One wall each. Tests take them down one at a time, to see the self-test notice; nothing else does."""

    NETWORK = "network"
    FILES = "files"
    ENVIRONMENT = "environment"
    WRITES = "writes"
    MEMORY = "memory"
    PROCESSES = "processes"
    TREE = "tree"


def outer(
    command: Command, bwrap: str, args_fd: int, *, uid: int | None, procs: Iterable[str], without: frozenset[Wall]
) -> list[str]:
    """What the supervisor starts: join the control groups, drop the uid, set limits, then bubblewrap."""
    limits = [
        f"--fsize={command.file_bytes}",
        f"--cpu={command.cpu_seconds}",
        "--core=0",
        f"--nofile={command.open_files}",
    ]
    if command.address_space is not None and Wall.MEMORY not in without:
        limits.append(f"--as={command.address_space}")
    drop = (
        [] if uid is None else [SETPRIV, f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--no-new-privs", "--"]
    )
    # Bubblewrap's own arguments come through a descriptor, so that none shows in a process list inside.
    line = [*drop, PRLIMIT, *limits, "--", bwrap, "--args", str(args_fd), "--"]
    # Inside, the count starts with the new user namespace; outside it would count every process of the uid.
    if Wall.PROCESSES not in without:
        line += [PRLIMIT, f"--nproc={command.processes}", "--"]
    line += command.argv
    files = tuple(procs)
    if not files:
        return line
    # The shell writes itself into the groups before anything else of the session exists, so nothing escapes them.
    enter = f'echo 0 > "$1" || exit {JOIN_FAILED}; shift; n=$((n-1))'
    join = f'n=$1; shift; while [ "$n" -gt 0 ]; do {enter}; done; exec "$@"'
    return [SHELL, "-c", join, "join", str(len(files)), *files, *line]


def inner(command: Command, *, data: Iterable[tuple[int, str]], seccomp_fd: int, without: frozenset[Wall]) -> list[str]:
    """Bubblewrap's own arguments. `data` gives small files as (descriptor, inside path)."""
    args = [*_namespaces(without), *_environment(command, without)]
    args += _root(command, without)
    if command.needs_proc:
        args += ["--proc", "/proc"]
    args += ["--dev", "/dev"]
    args += _scratch(command, without)
    for descriptor, path in data:
        args += ["--perms", "0444", "--ro-bind-data", str(descriptor), path]
    args += ["--chdir", command.cwd]
    if Wall.WRITES not in without:
        args += ["--remount-ro", "/dev", "--remount-ro", "/"]  # both are writable, uncapped memory otherwise
    return [*args, "--seccomp", str(seccomp_fd)]


def _namespaces(without: frozenset[Wall]) -> list[str]:
    args = ["--unshare-user", "--disable-userns", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    args += ["--hostname", "judge", "--new-session", "--cap-drop", "ALL"]
    if Wall.TREE not in without:
        args += ["--unshare-pid", "--die-with-parent"]  # only both together end children that left their session
    if Wall.NETWORK not in without:
        args.append("--unshare-net")
    return args


def _environment(command: Command, without: frozenset[Wall]) -> list[str]:
    args = [] if Wall.ENVIRONMENT in without else ["--clearenv"]
    for name, value in command.env.items():
        args += ["--setenv", name, value]
    return args


def _root(command: Command, without: frozenset[Wall]) -> list[str]:
    if Wall.FILES in without:
        return ["--ro-bind", "/", "/"]
    args: list[str] = []
    if command.root is not None:
        for entry in sorted(command.root.iterdir()):
            if entry.name in {"proc", "dev", "tmp", "sys", "box", "run"}:
                continue
            kind = ["--symlink", str(entry.readlink())] if entry.is_symlink() else ["--ro-bind", str(entry)]
            args += [*kind, f"/{entry.name}"]
    seen = set() if command.root is None else {"/usr"}  # an image brings its own libraries
    for host, inside in sorted({**_own_programs(command), **dict(command.readonly)}.items(), key=_usr_first):
        args += _bind(host, inside, seen)
    for host, inside in command.writable.items():
        args += ["--bind", host, inside]
    return args


def _usr_first(mount: tuple[str, str]) -> bool:
    return mount[1] != "/usr"  # a file below /lib would stand where the link to /usr/lib has to be


def _own_programs(command: Command) -> dict[str, str]:
    """What the sandbox itself needs inside; a whole image or /usr brings its own."""
    whole = command.root is not None or "/usr" in command.readonly.values()
    return {} if whole else {PRLIMIT: PRLIMIT}


def _bind(host: str, inside: str, seen: set[str]) -> list[str]:
    if inside in seen or inside == "/":
        return []
    seen.add(inside)
    args = ["--ro-bind", host, inside]
    if inside == "/usr":
        for name in ("bin", "lib", "lib64"):
            if Path(f"/{name}").is_symlink() and f"/{name}" not in seen:
                seen.add(f"/{name}")
                args += ["--symlink", f"usr/{name}", f"/{name}"]
    mode = Path(host).stat().st_mode
    if stat.S_ISREG(mode) and mode & 0o111 and "/usr" not in seen:
        for library in libraries.libraries(host):
            args += [] if library in seen else ["--ro-bind", library, library]
            seen.add(library)
    return args


def _scratch(command: Command, without: frozenset[Wall]) -> list[str]:
    if Wall.FILES in without:
        return ["--tmpfs", _TMP, "--chdir", _TMP] if command.cwd == "/box" else ["--tmpfs", _TMP]
    args = []
    for folder in (_TMP, "/box", *((_SHM,) if command.needs_proc else ())):
        size = [] if Wall.WRITES in without else ["--size", str(command.scratch_bytes)]
        args += [*size, "--tmpfs", folder]
    return args
