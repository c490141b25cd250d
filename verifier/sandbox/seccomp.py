"""The system call filter as classic BPF bytes, made by hand so that no library is needed.

Calls that reach other processes, mounts, namespaces, key rings, kernel modules or kernel programs fail with EPERM;
`clone3` answers ENOSYS so that the C library falls back to `clone`, whose namespace flags can be read. Calls of a
foreign architecture kill the process. Numbers are those of the kernel's own tables.
"""

import platform
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from verifier.core.errors import PlatformFault

_LOAD, _JUMP_EQ, _JUMP_GE, _JUMP_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NR, _ARCH, _ARG0, _ARG1 = 0, 4, 16, 24
_EPERM, _ENOSYS = 1, 38
_NEW_NAMESPACES: Final = 0x7E020080
_X32: Final = 0x40000000
_FAMILIES: Final = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6: a network namespace leaves them nothing but loopback
_TERMINAL_REQUESTS: Final = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX


@dataclass(frozen=True, slots=True)
class _Table:
    audit: int
    clone: int
    clone3: int
    socket: int
    ioctl: int
    denied: tuple[int, ...]


_SHARED: Final = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 440, 442)  # io_uring, mount API, pidfd_getfd, ...

_TABLES: Final[Mapping[str, _Table]] = {
    "x86_64": _Table(
        0xC000003E,
        clone=56,
        clone3=435,
        socket=41,
        ioctl=16,
        denied=(
            *(101, 103, 134, 135, 136, 139, 153, 154, 155, 159, 161, 163, 164, 165, 166, 167, 168, 169, 172, 173, 174),
            *(175, 176, 177, 178, 179, 180, 212, 216, 227, 246, 248, 249, 250, 256, 272, 279, 298, 300),
            *(303, 304, 305, 308, 310, 311, 312, 313, 320, 321, 323, *_SHARED),
        ),
    ),
    "aarch64": _Table(
        0xC00000B7,
        clone=220,
        clone3=435,
        socket=198,
        ioctl=29,
        denied=(
            *(18, 39, 40, 41, 42, 51, 58, 60, 89, 92, 97, 104, 105, 106, 112, 116, 117, 142, 170, 171, 217, 218, 219),
            *(224, 225, 238, 239, 241, 262, 264, 265, 266, 268, 270, 271, 272, 273, 280, 282, 294, *_SHARED),
        ),
    ),
}


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def filter_bytes(machine: str | None = None, *, allow_sockets: bool = False) -> bytes:
    """The filter for a machine type; PlatformFault where its table is not known.

    Without `allow_sockets` no socket of any family can be made; with it, only local and loopback families.
    """
    name = machine or platform.machine()
    table = _TABLES.get(name)
    if table is None:
        raise PlatformFault(f"No system call filter is known for machine type {name}; judge on x86_64 or aarch64.")
    refuse = _step(_RETURN, _ERRNO | _EPERM)
    allow = _step(_RETURN, _ALLOW)
    steps = [_step(_LOAD, _ARCH), _step(_JUMP_EQ, table.audit, 1, 0), _step(_RETURN, _KILL), _step(_LOAD, _NR)]
    if name == "x86_64":
        steps += [_step(_JUMP_GE, _X32, 0, 1), _step(_RETURN, _KILL)]
    steps += [_step(_JUMP_EQ, table.clone3, 0, 1), _step(_RETURN, _ERRNO | _ENOSYS)]
    for number in table.denied:
        steps += [_step(_JUMP_EQ, number, 0, 1), refuse]
    steps += [_step(_JUMP_EQ, table.clone, 0, 4), _step(_LOAD, _ARG0), _step(_JUMP_SET, _NEW_NAMESPACES, 0, 1), refuse]
    steps += [allow]
    requests = [
        _step(_JUMP_EQ, request, len(_TERMINAL_REQUESTS) - at, 0) for at, request in enumerate(_TERMINAL_REQUESTS)
    ]
    steps += [_step(_JUMP_EQ, table.ioctl, 0, len(requests) + 3), _step(_LOAD, _ARG1), *requests, allow, refuse]
    if allow_sockets:
        families = [_step(_JUMP_EQ, family, len(_FAMILIES) - at, 0) for at, family in enumerate(_FAMILIES)]
        steps += [_step(_JUMP_EQ, table.socket, 0, len(families) + 3), _step(_LOAD, _ARG0), *families, refuse, allow]
    else:
        steps += [_step(_JUMP_EQ, table.socket, 0, 1), refuse]
    return b"".join([*steps, allow])
