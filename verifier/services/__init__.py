"""Writes of the verifier's rows: packs mirrored from their folders, environments as built, stamps of boards."""

from verifier.services.environments import environment_record
from verifier.services.packs import SyncReport, pack_sync, stamp_bump

__all__ = ["SyncReport", "environment_record", "pack_sync", "stamp_bump"]
