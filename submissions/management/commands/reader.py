"""The reader: makes the preflight reports of large uploads, which would otherwise wait behind proofs being judged."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from submissions import queue
from submissions.management.ready import ready_required


class Command(BaseCommand):
    """Read until told to stop. It needs no sandbox and no prover, since reading runs nothing of an upload."""

    help = "Read large uploads. One per installation is enough; workers read too when they have nothing else to do."

    def handle(self, *args: Any, **options: Any) -> None:
        """Listen; exits 1 when Redis was lost for good, so that it is started again."""
        ready_required()
        connections.close_all()  # the processes that read are forked
        try:
            queue.listen([])
        except queue.BellLostError as error:
            raise CommandError(f"Redis is away: {error}. Start the reader again when it answers.") from error
