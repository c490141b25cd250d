"""The system call filter is well formed: no jump leaves it, and unknown machines are refused."""

import struct

import pytest

from verifier.core.errors import PlatformFault
from verifier.sandbox.seccomp import filter_bytes


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
