"""Which shared libraries a program of the host needs, so that nothing else has to be shown inside the sandbox."""

import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Final

from verifier.core.errors import PlatformFault

_LOADERS: Final = (
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
)


def loader() -> str:
    """Path of the host's program loader."""
    for path in _LOADERS:
        if Path(path).exists():
            return path
    raise PlatformFault("No program loader of a known kind was found; judge on x86_64 or aarch64 Linux with glibc.")


@lru_cache(maxsize=256)
def libraries(program: str) -> tuple[str, ...]:
    """Absolute paths of the libraries that `program` (a trusted file of the host) loads; empty for a script."""
    with Path(program).open("rb") as file:
        if file.read(4) != b"\x7fELF":
            return ()
    answer = subprocess.run(  # the loader prints and does not start the program
        [loader(), "--list", program], env={}, capture_output=True, check=False, timeout=20
    )
    found = []
    for line in answer.stdout.decode(errors="replace").splitlines():
        path = line.partition("=>")[2].strip().partition(" ")[0] or line.strip().partition(" ")[0]
        if path.startswith("/"):
            found.append(path)
    return tuple(found)
