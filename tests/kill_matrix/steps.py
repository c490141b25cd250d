"""The named steps of a submission's way, and how a process is killed just before or after one of them."""

import importlib
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

Step = tuple[str, str, int]  # where the function is looked up, its name, how many calls are let through first

JUDGED: dict[str, Step] = {
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
# Steps around which a prover lives. The others of a judge have none of their own to kill.
PROVED: dict[str, Step] = {
    "claim": JUDGED["claim"],
    "session opens": ("verifier.sandbox.bubblewrap", "Bubblewrap.open", 0),
    "prover asked": ("verifier.sandbox.bubblewrap", "Dialogue.ask", 3),
    "proof started": ("submissions.services.judging", "proof_started", 1),
    "result": ("submissions.services.judging", "result_record", 0),
    "result row": ("submissions.services.results", "_columns", 0),
    "result log": ("submissions.services.results", "log_pack", 0),
}
SECOND_LOOK: dict[str, Step] = {"second look": ("submissions.jobs", "EngineJudge.confirm", 0)}
UPLOADED: dict[str, Step] = {
    "upload read": ("submissions.services.drafts", "draft_examine", 0),
    "archive stored": ("django.core.files.storage.filesystem", "FileSystemStorage.save", 0),
    "proofs kept": ("django.core.files.storage.filesystem", "FileSystemStorage.save", 1),
    "draft made": ("submissions.models.uploads", "Draft.save", 0),
    "upload answered": ("submissions.views.uploads", "draft_create", 0),
}
CONFIRMED: dict[str, Step] = {
    "draft taken": ("submissions.services.submissions", "_create", 0),
    "quota": ("submissions.services.submissions", "quota_take", 0),
    "proofs stored": ("submissions.services.submissions", "_proofs_create", 0),
    "run made": ("submissions.services.submissions", "run_create", 0),
    "bell": ("submissions.queue", "ring", 0),
    "confirm answered": ("submissions.views.uploads", "draft_confirm", 0),
}
KEPT: dict[str, Step] = {
    "lease taken back": ("submissions.services.keeper", "_reap", 0),
    "death counted": ("submissions.services.keeper", "_death", 0),
    "slice waits again": ("submissions.services.keeper", "slices_back", 0),
}
STEPS = {**JUDGED, **PROVED, **SECOND_LOOK, **UPLOADED, **CONFIRMED, **KEPT}
HUNT_SECONDS = 20.0


def arm(step: Step, moment: str, victim: Callable[[], None], marker: Path) -> None:
    """Have `victim` called once, in whichever process comes first, before or after the step."""
    module_name, name, skip = step
    owner: Any = importlib.import_module(module_name)
    *outer, name = name.split(".")
    for part in outer:
        owner = getattr(owner, part)
    original = getattr(owner, name)
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

    setattr(owner, name, armed)


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


def hunt(name: str, hit: Path) -> None:
    """Kill a process below this one whose name begins so: one that runs now, or the next that is started."""
    if not _kill_below(name, hit):
        threading.Thread(target=_wait_for, args=(name, hit), daemon=True).start()


def _wait_for(name: str, hit: Path) -> None:
    until = time.monotonic() + HUNT_SECONDS
    while time.monotonic() < until and not _kill_below(name, hit):
        time.sleep(0.005)


def _kill_below(name: str, hit: Path) -> bool:
    for process in psutil.Process().children(recursive=True):
        try:
            if process.name().startswith(name) and process.status() != psutil.STATUS_ZOMBIE:
                hit.write_text(process.name())
                process.kill()
                return True
        except psutil.NoSuchProcess:
            continue
    return False
