"""The named steps of a submission's way, and how a process is killed just before or after one of them."""

import importlib
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

# step -> (where the function is looked up, its name, how many calls are let through first)
STEPS: dict[str, tuple[str, str, int]] = {
    "claim": ("submissions.jobs", "slice_claim", 0),
    "claim inside": ("submissions.services.leases", "_take", 0),
    "proof started": ("submissions.services.judging", "proof_started", 2),
    "result": ("submissions.services.judging", "result_record", 2),
    "result row": ("submissions.services.results", "_columns", 2),
    "result log": ("submissions.services.results", "log_pack", 2),
    "last result of a slice": ("submissions.services.judging", "result_record", 4),
    "slice end": ("submissions.services.judging", "slice_finish", 0),
    "run moves on": ("submissions.services.runs", "run_advance", 1),
    "summary": ("submissions.services.runs", "run_summarise", 0),
    "confirm slices": ("submissions.services.runs", "_slices_create", 0),
    "confirmation": ("submissions.services.judging", "confirmations_record", 0),
    "run end": ("submissions.services.runs", "_run_finish", 0),
}
WEB_STEPS: dict[str, tuple[str, str, int]] = {
    "draft taken": ("submissions.services.submissions", "_create", 0),
    "quota": ("submissions.services.submissions", "quota_take", 0),
    "proofs stored": ("submissions.services.submissions", "_proofs_create", 0),
    "run made": ("submissions.services.submissions", "run_create", 0),
    "bell": ("submissions.queue", "ring", 0),
}
KEEPER_STEPS: dict[str, tuple[str, str, int]] = {
    "lease taken back": ("submissions.services.keeper", "_reap", 0),
    "death counted": ("submissions.services.keeper", "_death", 0),
    "slice waits again": ("submissions.services.keeper", "slices_back", 0),
}


def arm(step: tuple[str, str, int], moment: str, victim: Callable[[], None], marker: Path) -> None:
    """Have `victim` called once, in whichever process comes first, before or after the step."""
    module_name, name, skip = step
    module = importlib.import_module(module_name)
    original = getattr(module, name)
    calls = {"seen": 0}

    def strike() -> None:
        if calls["seen"] > skip and _first(marker):
            victim()

    def armed(*args: Any, **kwargs: Any) -> Any:
        calls["seen"] += 1
        if moment == "before":
            strike()
        value = original(*args, **kwargs)
        if moment == "after":
            strike()
        return value

    setattr(module, name, armed)


def _first(marker: Path) -> bool:
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def parent_of(pid: int) -> int:
    stat = Path(f"/proc/{pid}/stat").read_text()
    return int(stat.rsplit(")", 1)[1].split()[1])


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
