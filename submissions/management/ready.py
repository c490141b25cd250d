"""Whether a long-running command can start here; told in one line, since nobody reads a traceback."""

import os
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError

from selen_site.ready import database_fault


def ready_required() -> None:
    """Raise CommandError, which ends with exit code 1, where the database or the data folder cannot be used."""
    if fault := database_fault():
        raise CommandError(fault)
    folder = Path(settings.DATA_DIR)
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise CommandError(f"{folder} is no folder that can be written to. Create it, or set SELEN_DATA_DIR.")
