"""Built environments on this host: one folder each under the data folder, named by the digest of the recipe.

A folder is complete or absent: it is filled under another name and renamed when its record stands in it. Of a build
that was interrupted only what it left below `begun` stays for the next one of the same recipe, for a day; all of it
where only ground truths were left to try.
"""

import fcntl
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from verifier.core.errors import PlatformFault
from verifier.provers.base import BEGUN, MADE, BuiltEnvironment
from verifier.provers.record import record_read, record_written

FOLDER: Final = "environments"  # under the data folder
_RECORD: Final = "environment.json"
_STAGING: Final = ".building-"
_STALE_SECONDS: Final = 24 * 3600  # longer than any build takes


def save(root: Path, digest: str, build: Callable[[Path], BuiltEnvironment], *, anew: bool = False) -> BuiltEnvironment:
    """The environment named `digest`: loaded if it is there, else built by `build` into a folder that it is handed.

    That folder is empty, but for what an interrupted build left there to go on from.

    Two processes that ask at once build it once. With `anew` it is built even if it is there, and the old one serves
    until the new one is ready. PlatformFault when what was built is not what was asked for.
    """
    root.mkdir(parents=True, exist_ok=True)
    with _locked(root, digest):
        _tidy(root, digest)
        if not anew and (present := load(root, digest)) is not None:
            return present
        staging = root / f"{_STAGING}{digest}"
        _swept(staging)
        staging.mkdir(exist_ok=True)
        staging.touch()  # its age counts from the last build that went on with it
        try:
            built = build(staging)
            if built.digest != digest:
                raise PlatformFault("The environment was changed while it was built; build it again.")
            (staging / _RECORD).write_text(record_written(built), encoding="utf-8")
            shutil.rmtree(staging / BEGUN, ignore_errors=True)
            staging.chmod(0o755)
            _swap(root, digest, staging)
        finally:
            _swept(staging)
        return replace(built, folder=root / digest)


def _swept(staging: Path) -> None:
    """Take away all that a build left but what the next one can go on from, and the folder where that is nothing."""
    if not staging.is_dir() or (staging / BEGUN / MADE).is_file():
        return
    for left in staging.iterdir():
        if left.is_dir() and not left.is_symlink():
            if left.name != BEGUN:
                shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink()
    if not any(staging.iterdir()):
        staging.rmdir()


def _swap(root: Path, digest: str, staging: Path) -> None:
    """Put the new folder in place; between two renames there is none, and `_tidy` brings the old one back."""
    place, aside = root / digest, root / f".old-{digest}"
    if place.is_dir():
        place.rename(aside)
    staging.rename(place)
    shutil.rmtree(aside, ignore_errors=True)


def _tidy(root: Path, digest: str) -> None:
    """Mend what a killed command left: an old folder without a new one, and folders that nobody fills any more."""
    place, aside = root / digest, root / f".old-{digest}"
    if aside.is_dir() and not place.is_dir():
        aside.rename(place)
    shutil.rmtree(aside, ignore_errors=True)
    for left in root.glob(f"{_STAGING}*"):
        if time.time() - left.stat().st_mtime > _STALE_SECONDS:
            shutil.rmtree(left, ignore_errors=True)


def load(root: Path, digest: str) -> BuiltEnvironment | None:
    """The environment with this digest, or None when it is not built here."""
    folder = root / digest
    try:
        return record_read((folder / _RECORD).read_text(encoding="utf-8"), folder)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError as error:
        raise PlatformFault(f"The record of environment {digest[:12]} is damaged ({error}); build it anew.") from error


def environments(root: Path) -> list[BuiltEnvironment]:
    """All environments that are built here, by digest."""
    if not root.is_dir():
        return []
    found = (load(root, folder.name) for folder in sorted(root.iterdir()) if not folder.name.startswith("."))
    return [environment for environment in found if environment is not None]


@contextmanager
def _locked(root: Path, digest: str) -> Iterator[None]:
    with (root / f".lock-{digest}").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
