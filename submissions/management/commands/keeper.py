"""The keeper: a small process that picks up, every few seconds, whatever a dead one left behind."""

import logging
import signal
import threading
import time
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import close_old_connections

from submissions.management.ready import ready_required
from submissions.services.drafts import orphans_sweep
from submissions.services.keeper import Swept, keeper_sweep

logger = logging.getLogger(__name__)
FILES_SECONDS = 3600.0  # between two looks at the files, which cost a listing of the storage


class Command(BaseCommand):
    """Sweep until told to stop; a round that fails is logged and the next one tries again."""

    help = "Requeue what dead workers left, ring unheard bells, end old drafts. Run one per installation."

    def handle(self, *args: Any, **options: Any) -> None:
        """One round every SELEN_KEEPER_SECONDS."""
        ready_required()
        over = threading.Event()

        def stop(_signal: int, _frame: FrameType | None) -> None:
            over.set()

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        self.files_due = time.monotonic()
        while not over.is_set():
            close_old_connections()
            try:
                self._round()
            except Exception:
                logger.exception("This round of the keeper failed; the next one tries again")
            over.wait(settings.KEEPER_SECONDS)

    def _round(self) -> None:
        swept = keeper_sweep()
        if swept != Swept(0, 0, 0, 0, 0):
            logger.info("%s", swept)
        if time.monotonic() < self.files_due:
            return
        self.files_due = time.monotonic() + FILES_SECONDS
        if orphans := orphans_sweep():
            logger.info("%d files of uploads that never became drafts are removed", orphans)
