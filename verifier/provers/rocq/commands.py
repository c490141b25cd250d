"""The processes of this adapter, as values. Flags belong to the judge; a pack gives only its library name."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from verifier.core.limits import Limits
from verifier.core.process import Command
from verifier.provers.rocq import toolchain

LIBRARY: Final = "/env"  # where compiled files of the pack stand inside the sandbox
SOURCE: Final = "/src"
OUTPUT: Final = "/box"
_FLAGS: Final = ("-q", "-color", "no", "-w", "-deprecated-native-compiler-option", "-native-compiler", "no")
_HEADROOM: Final = 512 * 2**20  # address space over the memory limit: mapped libraries, not memory
_VO_BYTES: Final = 64 * 2**20


def _base(tools: Mapping[str, str], images: Mapping[str, bytes], logical: str, name: str, *arguments: str) -> Command:
    return Command(
        argv=(*toolchain.program(tools, name), *_search(images, logical), *arguments),
        readonly=toolchain.mounts(tools),
        files={f"{LIBRARY}/{file}": data for file, data in images.items()},
        env=toolchain.ENVIRONMENT,
    )


def _search(images: Mapping[str, bytes], logical: str) -> tuple[str, ...]:
    return ("-Q", LIBRARY, logical) if images else ()


def session(tools: Mapping[str, str], images: Mapping[str, bytes], logical: str, limits: Limits) -> Command:
    """The dialogue process. Its CPU limit is a backstop: the supervisor's wall clock decides."""
    command = _base(tools, images, logical, "coqtop", "-emacs", *_FLAGS)
    return replace(
        command,
        memory_bytes=limits.memory_bytes,
        address_space=limits.memory_bytes + _HEADROOM,
        output_bytes=limits.output_bytes,
        cpu_seconds=24 * 3600,
    )


def compile_unit(
    tools: Mapping[str, str],
    images: Mapping[str, bytes],
    logical: str,
    unit: str,
    source: str,
    *,
    wall_seconds: float,
    memory_bytes: int,
) -> Command:
    """Compile one file and hand its `.vo` out through standard output, so that nothing of the host is writable."""
    # The blank line first: what follows is the submission's to write, and must not pass for words of the sandbox.
    script = 'echo 1>&2; "$@" 1>&2 && cat "$0"'
    output = f"{OUTPUT}/{unit}.vo"
    base = _base(
        tools, images, logical, "coqc", "-noglob", *_FLAGS, "-Q", OUTPUT, logical, "-o", output, f"{SOURCE}/{unit}.v"
    )
    return replace(
        base,
        argv=("/bin/sh", "-c", script, output, *base.argv),
        files={**base.files, f"{SOURCE}/{unit}.v": source.encode()},
        readonly={**base.readonly, "/bin/sh": "/bin/sh", "/usr/bin/cat": "/usr/bin/cat"},
        wall_seconds=wall_seconds,
        cpu_seconds=int(wall_seconds) + 60,
        memory_bytes=memory_bytes,
        address_space=memory_bytes + _HEADROOM,
        output_bytes=_VO_BYTES,
        scratch_bytes=2 * _VO_BYTES,
        file_bytes=_VO_BYTES,
    )


def top_level(
    tools: Mapping[str, str],
    images: Mapping[str, bytes],
    logical: str,
    script: str,
    *,
    wall_seconds: float,
    memory_bytes: int,
) -> Command:
    """Feed a judge's own script to a fresh process."""
    command = _base(tools, images, logical, "coqtop", *_FLAGS)
    return replace(
        command,
        stdin=script.encode(),
        wall_seconds=wall_seconds,
        cpu_seconds=int(wall_seconds) + 60,
        memory_bytes=memory_bytes,
        address_space=memory_bytes + _HEADROOM,
    )


def checker(
    tools: Mapping[str, str],
    images: Mapping[str, bytes],
    logical: str,
    unit: str,
    *,
    wall_seconds: float,
    memory_bytes: int,
) -> Command:
    """The separate checker on one compiled file; what that file depends on is taken as it was built."""
    command = _base(tools, images, logical, "coqchk", "-silent", "-norec", f"{logical}.{unit}")
    return replace(
        command,
        wall_seconds=wall_seconds,
        cpu_seconds=int(wall_seconds) + 60,
        memory_bytes=memory_bytes,
        address_space=memory_bytes + _HEADROOM,
    )
