"""Whether a long-running command can start here; told in one line, since nobody reads a traceback."""

import os
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


def ready_required() -> None:
    """Raise CommandError, which ends with exit code 1, where the database or the data folder cannot be used."""
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        words = " ".join(str(error).split())
        raise CommandError(f"The database cannot be used: {words}. Look at DATABASE_URL and SELEN_DATA_DIR.") from None
    if missing:
        raise CommandError(f"The database lacks {len(missing)} migrations. Run `manage.py migrate` first.")
    folder = Path(settings.DATA_DIR)
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise CommandError(f"{folder} is no folder that can be written to. Create it, or set SELEN_DATA_DIR.")
