"""Folders of the host that a build fills: whose they are while it runs and afterwards."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from verifier.core.errors import PlatformFault


@contextmanager
def handed_over(folders: Iterable[str], uid: int | None) -> Iterator[None]:
    """Give the folders to the sandbox's uid and take everything in them back at the end, readable for all.

    PlatformFault when that uid cannot get there, with the folder that is closed.
    """
    given = [Path(folder) for folder in folders]
    for folder in given:
        _check_reachable(folder)
    try:
        if uid is not None:
            for folder in given:
                for place, _, files in os.walk(folder):
                    for name in (".", *files):
                        os.chown(Path(place) / name, uid, uid, follow_symlinks=False)
        yield
    finally:
        if uid is not None:
            for folder in given:
                _take_back(folder)


def _check_reachable(folder: Path) -> None:
    closed = [place for place in folder.resolve().parents if not place.stat().st_mode & 0o001]
    if os.geteuid() == 0 and closed:
        raise PlatformFault(
            f"The sandbox works as a user of its own and cannot enter {closed[-1]}, above the folder of the build. "
            f"Run chmod o+x {closed[-1]}, or set SELEN_DATA_DIR to a folder that every user may pass through."
        )


def _take_back(folder: Path) -> None:
    owner, group = os.geteuid(), os.getegid()
    for place, folders, files in os.walk(folder):
        os.chown(place, owner, group)
        Path(place).chmod(0o755)
        for name in (*folders, *files):
            path = Path(place) / name
            os.chown(path, owner, group, follow_symlinks=False)
            if path.is_file() and not path.is_symlink():
                path.chmod(0o644)
