"""The stage: a real Redis on a private socket, a real SQLite file, real processes that are started again."""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path


def _outside() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}


@dataclass
class Stage:
    """Everything lives in one short-lived folder; `close` leaves no process behind."""

    folder: Path
    processes: dict[str, subprocess.Popen] = field(default_factory=dict)
    restarts: int = 0

    @property
    def socket(self) -> Path:
        return self.folder / "run" / "redis.sock"

    def environment(self) -> dict[str, str]:
        return {
            "SELEN_DATA_DIR": str(self.folder),
            "SELEN_DEBUG": "1",
            "SELEN_LEASE_SECONDS": "3",
            "SELEN_KEEPER_SECONDS": "1",
            "SELEN_SLICE_PROOFS": "3",
            "SELEN_EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend",
            "REDIS_URL": f"unix://{self.socket}?db=0",
            "REDIS_PIDFILE": str(self.folder / "run" / "redis.pid"),
            "DJANGO_SETTINGS_MODULE": "selen_site.settings",
        }

    def redis(self) -> None:
        """Start Redis and wait until it listens."""
        self.socket.unlink(missing_ok=True)
        argv = ["redis-server", "--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700"]
        argv += ["--save", "", "--appendonly", "no", "--dir", str(self.folder / "run")]
        self.processes["redis"] = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
        (self.folder / "run" / "redis.pid").write_text(str(self.processes["redis"].pid))
        until = time.monotonic() + 10
        while not self.socket.exists() and time.monotonic() < until:
            time.sleep(0.02)

    def play(self, *part: str, **scenario: str) -> subprocess.Popen:
        """Start one part as a process of its own."""
        log = (self.folder / "log.txt").open("ab")
        argv = [sys.executable, "-m", "tests.kill_matrix.play", *part]
        with log:
            return subprocess.Popen(argv, env={**_outside(), **self.environment(), **scenario}, stdout=log, stderr=log)

    def tend(self, scenario: dict[str, str]) -> None:
        """Start whatever is not running, as a process manager does."""
        for name in ("redis", "keeper", "worker 1", "worker 2"):
            process = self.processes.get(name)
            if process is not None and process.poll() is None:
                continue
            self.restarts += process is not None
            if name == "redis":
                self.redis()
            else:
                self.processes[name] = self.play(*name.split(), **scenario)

    def clear(self) -> None:
        """End all parts but Redis."""
        for name in [name for name in self.processes if name != "redis"]:
            process = self.processes.pop(name)
            process.kill()
            process.wait()

    def close(self) -> None:
        self.clear()
        if "redis" in self.processes:
            self.processes["redis"].send_signal(signal.SIGKILL)
            self.processes["redis"].wait()
        shutil.rmtree(self.folder, ignore_errors=True)
