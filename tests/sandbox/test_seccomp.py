"""The system call filter is well formed and refuses the same calls everywhere; unknown machines are refused."""

import re
import struct
from pathlib import Path

import pytest

from verifier.core.errors import PlatformFault
from verifier.sandbox.seccomp import _TABLES, filter_bytes

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
OF_OLD_MACHINES = {  # calls that aarch64 never had
    "create_module", "get_kernel_syms", "ioperm", "iopl", "modify_ldt", "query_module", "sysfs", "uselib", "ustat",
}  # fmt: skip


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("sockets", [True, False])
def test_every_jump_lands_inside(machine: str, sockets: bool) -> None:
    data = filter_bytes(machine, allow_sockets=sockets)
    steps = list(struct.iter_unpack("=HBBI", data))
    for at, (code, if_true, if_false, _) in enumerate(steps):
        if code in {0x15, 0x35, 0x45}:
            assert at + 1 + max(if_true, if_false) < len(steps)
    assert steps[-1][:1] == (0x06,)
    assert len(steps) < 4096


def test_an_unknown_machine_is_refused() -> None:
    with pytest.raises(PlatformFault, match="riscv64"):
        filter_bytes("riscv64")


@pytest.mark.parametrize("machine", HEADERS)
def test_the_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    header = HEADERS[machine]
    if not header.is_file():
        pytest.skip(f"{header} is not installed")
    kernel = {
        name: int(number)
        for name, number in re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text(), re.MULTILINE)
    }
    table = _TABLES[machine]
    ours = {**table.denied, "clone": table.clone, "clone3": table.clone3, "socket": table.socket, "ioctl": table.ioctl}
    assert {name: kernel.get(name) for name in ours} == ours


def test_every_machine_refuses_the_same_calls() -> None:
    assert _TABLES["x86_64"].denied.keys() - _TABLES["aarch64"].denied.keys() == OF_OLD_MACHINES
    assert _TABLES["aarch64"].denied.keys() <= _TABLES["x86_64"].denied.keys()
