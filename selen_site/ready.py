"""Whether the database can be used: what visitors and long-running commands are told where it cannot."""

import logging
from collections.abc import Callable

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

logger = logging.getLogger(__name__)
RETRY_SECONDS = 60


def database_fault() -> str:
    """What is wrong with the database and what to do, in one line; empty where nothing is."""
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        words = " ".join(str(error).split())
        return f"The database cannot be used: {words}. Look at DATABASE_URL and SELEN_DATA_DIR."
    count = "one migration" if len(missing) == 1 else f"{len(missing)} migrations"
    return f"The database lacks {count}. Run `manage.py migrate` first." if missing else ""


class DatabaseReady:
    """Answers 503 in place of a fault where the database is away or lacks migrations; the log says what to do."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The site's answer, whatever it is."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:  # noqa: ARG002
        """A page that needs no database, if that is what failed; any other fault is told as one."""
        if not isinstance(exception, DatabaseError) or not (fault := database_fault()):
            return None
        logger.error("No page can be shown. %s", fault)
        page = HttpResponse(render_to_string("503.html"), status=503)
        page["Retry-After"] = str(RETRY_SECONDS)
        return page
