"""The keeper: a small process that picks up, every few seconds, whatever a dead one left behind."""

import logging
import signal
import threading
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import close_old_connections

from submissions.services.keeper import Swept, keeper_sweep

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """Sweep until told to stop; a round that fails is logged and the next one tries again."""

    help = "Requeue what dead workers left, ring unheard bells, end old drafts. Run one per installation."

    def handle(self, *args: Any, **options: Any) -> None:
        """One round every SELEN_KEEPER_SECONDS."""
        over = threading.Event()

        def stop(_signal: int, _frame: FrameType | None) -> None:
            over.set()

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        while not over.is_set():
            close_old_connections()
            try:
                swept = keeper_sweep()
            except Exception:
                logger.exception("This round of the keeper failed; the next one tries again")
            else:
                if swept != Swept(0, 0, 0, 0, 0):
                    logger.info("%s", swept)
            over.wait(settings.KEEPER_SECONDS)
