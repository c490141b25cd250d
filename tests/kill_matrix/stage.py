"""The stage: a real Redis on a private socket, a real SQLite file, real processes that are started again."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]


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

    @property
    def web_socket(self) -> Path:
        return self.folder / "run" / "web.sock"

    def environment(self) -> dict[str, str]:
        return {
            "SELEN_DATA_DIR": str(self.folder),
            "SELEN_PACKS_DIR": str(ROOT / "tests" / "corpora" / "packs"),
            "SELEN_MODE": "development",
            "SELEN_DEBUG": "1",
            "SELEN_LEASE_SECONDS": "3",
            "SELEN_KEEPER_SECONDS": "1",
            "SELEN_SLICE_PROOFS": "3",
            "SELEN_SANDBOX_UID": "61900",  # apart from the workers of an installation on the same machine
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
        _until(self.socket.exists)

    def web(self, scenario: dict[str, str]) -> None:
        """Start gunicorn on a socket of its own and wait until it listens."""
        self.web_socket.unlink(missing_ok=True)
        argv = ["-m", "gunicorn", "tests.kill_matrix.web:application", "--bind", f"unix:{self.web_socket}"]
        self.processes["web"] = self._start(
            [*argv, "--workers", "1", "--threads", "2", "--no-control-socket"], scenario
        )
        _until(self.web_socket.exists)

    def play(self, *part: str, **scenario: str) -> subprocess.Popen:
        """Start one part as a process of its own."""
        return self._start(["-m", "tests.kill_matrix.play", *part], scenario)

    def _start(self, argv: list[str], scenario: dict[str, str]) -> subprocess.Popen:
        env = {**_outside(), **self.environment(), **scenario}
        with (self.folder / "log.txt").open("ab") as log:
            return subprocess.Popen([sys.executable, *argv], cwd=ROOT, env=env, stdout=log, stderr=log)

    def running(self, name: str) -> bool:
        process = self.processes.get(name)
        return process is not None and process.poll() is None

    def tend(self, scenario: dict[str, str], *, redis: bool = True) -> None:
        """Start whatever is not running, as a process manager does; with `redis` false, all but that."""
        for name in ("redis", "keeper", "worker 1", "worker 2")[not redis :]:
            if self.running(name):
                continue
            self.restarts += name in self.processes
            if name == "redis":
                self.redis()
            else:
                self.processes[name] = self.play(*name.split(), **scenario)

    def clear(self) -> None:
        """End all parts but Redis, each with the processes below it."""
        for name in [name for name in self.processes if name != "redis"]:
            process = self.processes.pop(name)
            below = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
            process.kill()
            process.wait()
            for child in below:
                with suppress(psutil.NoSuchProcess):
                    child.kill()

    def close(self) -> None:
        self.clear()
        if "redis" in self.processes:
            self.processes["redis"].send_signal(signal.SIGKILL)
            self.processes["redis"].wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _until(ready, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not ready() and time.monotonic() < end:
        time.sleep(0.02)
