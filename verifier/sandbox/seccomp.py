"""The system call filter as classic BPF bytes, made by hand so that no library is needed.

Calls that reach other processes, mounts, namespaces, key rings, kernel modules or kernel programs fail with EPERM;
`clone3` answers ENOSYS so that the C library falls back to `clone`, whose namespace flags can be read. Calls of a
foreign architecture kill the process. Names and numbers are those of the kernel's own headers
(asm/unistd_64.h, asm-generic/unistd.h).
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
_NEW_NAMESPACES: Final = 0x7E020080  # every CLONE_NEW… flag of clone(2)
_X32: Final = 0x40000000
_FAMILIES: Final = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6: a network namespace leaves them nothing but loopback
_TERMINAL_REQUESTS: Final = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX


@dataclass(frozen=True, slots=True)
class _Table:
    """Numbers of one architecture; `denied` are those of whole calls that are refused, by name."""

    audit: int
    clone: int
    clone3: int
    socket: int
    ioctl: int
    denied: Mapping[str, int]


# fmt: off
_SHARED: Final = {  # since Linux 5.1 a new call has the same number everywhere
    "fsconfig": 431, "fsmount": 432, "fsopen": 430, "fspick": 433, "io_uring_enter": 426, "io_uring_register": 427,
    "io_uring_setup": 425, "mount_setattr": 442, "move_mount": 429, "open_tree": 428, "pidfd_getfd": 438,
    "process_madvise": 440,
}
_TABLES: Final[Mapping[str, _Table]] = {
    "x86_64": _Table(0xC000003E, clone=56, clone3=435, socket=41, ioctl=16, denied=_SHARED | {
        "acct": 163, "add_key": 248, "adjtimex": 159, "bpf": 321, "chroot": 161, "clock_adjtime": 305,
        "clock_settime": 227, "create_module": 174, "delete_module": 176, "fanotify_init": 300, "finit_module": 313,
        "get_kernel_syms": 177, "init_module": 175, "ioperm": 173, "iopl": 172, "kcmp": 312, "kexec_file_load": 320,
        "kexec_load": 246, "keyctl": 250, "lookup_dcookie": 212, "migrate_pages": 256, "modify_ldt": 154,
        "mount": 165, "move_pages": 279, "name_to_handle_at": 303, "nfsservctl": 180, "open_by_handle_at": 304,
        "perf_event_open": 298, "personality": 135, "pivot_root": 155, "process_vm_readv": 310,
        "process_vm_writev": 311, "ptrace": 101, "query_module": 178, "quotactl": 179, "reboot": 169,
        "remap_file_pages": 216, "request_key": 249, "setns": 308, "settimeofday": 164, "swapoff": 168, "swapon": 167,
        "sysfs": 139, "syslog": 103, "umount2": 166, "unshare": 272, "uselib": 134, "userfaultfd": 323, "ustat": 136,
        "vhangup": 153,
    }),
    "aarch64": _Table(0xC00000B7, clone=220, clone3=435, socket=198, ioctl=29, denied=_SHARED | {
        "acct": 89, "add_key": 217, "adjtimex": 171, "bpf": 280, "chroot": 51, "clock_adjtime": 266,
        "clock_settime": 112, "delete_module": 106, "fanotify_init": 262, "finit_module": 273, "init_module": 105,
        "kcmp": 272, "kexec_file_load": 294, "kexec_load": 104, "keyctl": 219, "lookup_dcookie": 18,
        "migrate_pages": 238, "mount": 40, "move_pages": 239, "name_to_handle_at": 264, "nfsservctl": 42,
        "open_by_handle_at": 265, "perf_event_open": 241, "personality": 92, "pivot_root": 41,
        "process_vm_readv": 270, "process_vm_writev": 271, "ptrace": 117, "quotactl": 60, "reboot": 142,
        "remap_file_pages": 234, "request_key": 218, "setns": 268, "settimeofday": 170, "swapoff": 225, "swapon": 224,
        "syslog": 116, "umount2": 39, "unshare": 97, "userfaultfd": 282, "vhangup": 58,
    }),
}
# fmt: on


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
    for number in table.denied.values():
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
