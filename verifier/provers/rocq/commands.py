"""The processes of this adapter, as values. Flags belong to the judge; a pack gives only how its library is loaded."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from verifier.core.limits import Limits
from verifier.core.process import Command
from verifier.provers.rocq import toolchain

LIBRARY: Final = "/env"  # where compiled files of the pack stand inside the sandbox
SOURCE: Final = "/src"
OUTPUT: Final = "/box"
_FLAGS: Final = ("-q", "-color", "no", "-w", "-deprecated-native-compiler-option", "-native-compiler", "no")
_HEADROOM: Final = 512 * 2**20  # address space over the memory limit: mapped libraries, not memory
_MKDIR: Final = {"/usr/bin/mkdir": "/usr/bin/mkdir"}
_VO_BYTES: Final = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Library:
    """The name under which the files of a pack know each other, `short` where they do so by their last names alone.

    `prelude` is False for sources that are read without the prover's own beginning.
    """

    name: str
    short: bool = False
    prelude: bool = True

    def module(self, unit: str) -> str:
        """The full name of a unit that stands as `Folder/Unit` below the library."""
        return f"{self.name}.{unit.replace('/', '.')}"

    def search(self, place: str) -> tuple[str, ...]:
        """That a folder inside the sandbox holds this library."""
        return ("-R" if self.short else "-Q", place, self.name)

    @property
    def flags(self) -> tuple[str, ...]:
        """What every top level and compiler is told about the beginning."""
        return () if self.prelude else ("-noinit",)


def _base(
    tools: Mapping[str, str], images: Mapping[str, bytes], library: Library, name: str, *arguments: str
) -> Command:
    return Command(
        argv=(*toolchain.program(tools, name), *(library.search(LIBRARY) if images else ()), *arguments),
        readonly=toolchain.mounts(tools),
        files={f"{LIBRARY}/{file}": data for file, data in images.items()},
        env=toolchain.ENVIRONMENT,
    )


def session(
    tools: Mapping[str, str], images: Mapping[str, bytes], library: Library, unit: str, limits: Limits
) -> Command:
    """The dialogue process, which bears the unit's name, so that the unit can name its own facts in full.

    Its CPU limit is a backstop: the supervisor's wall clock decides.
    """
    command = _base(tools, images, library, "coqtop", "-emacs", *_FLAGS, *library.flags, "-top", library.module(unit))
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
    library: Library,
    unit: str,
    source: str,
    *,
    wall_seconds: float,
    memory_bytes: int,
) -> Command:
    """Compile one file and hand its `.vo` out through standard output, so that nothing of the host is writable."""
    # The blank line first: what follows is the submission's to write, and must not pass for words of the sandbox.
    script = 'echo 1>&2; mkdir -p "${0%/*}" && "$@" 1>&2 && cat "$0"'
    output, source_file = f"{OUTPUT}/{unit}.vo", f"{SOURCE}/{unit}.v"
    base = _base(
        tools,
        images,
        library,
        "coqc",
        "-noglob",
        *_FLAGS,
        *library.flags,
        *library.search(OUTPUT),
        "-o",
        output,
        source_file,
    )
    return replace(
        base,
        argv=("/bin/sh", "-c", script, output, *base.argv),
        files={**base.files, source_file: source.encode()},
        readonly={**base.readonly, "/bin/sh": "/bin/sh", "/usr/bin/cat": "/usr/bin/cat", **_MKDIR},
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
    library: Library,
    script: str,
    *,
    wall_seconds: float,
    memory_bytes: int,
) -> Command:
    """Feed a judge's own script to a fresh process."""
    command = _base(tools, images, library, "coqtop", *_FLAGS, *library.flags)
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
    library: Library,
    unit: str,
    *,
    wall_seconds: float,
    memory_bytes: int,
) -> Command:
    """The separate checker on one compiled file; what that file depends on is taken as it was built."""
    command = _base(tools, images, library, "coqchk", "-silent", "-norec", library.module(unit))
    return replace(
        command,
        wall_seconds=wall_seconds,
        cpu_seconds=int(wall_seconds) + 60,
        memory_bytes=memory_bytes,
        address_space=memory_bytes + _HEADROOM,
    )
