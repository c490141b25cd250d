"""The site as deployed: every process of deploy/supervisord.conf, in a folder of its own, and none left behind."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil

ROOT = Path(__file__).resolve().parents[2]
PACK = "minikernel-rocq"
START_SECONDS = 60
STOP_SECONDS = 40


def environment(data: Path) -> dict[str, str]:
    """What every process of the site is told: production mode, accounts without mail, sockets with a short path."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "selen_site.settings",
        "SELEN_MODE": "production",
        "SELEN_SECRET_KEY": "of-one-test-run-" * 4,
        "SELEN_DATA_DIR": str(data),
        "SELEN_RUN_DIR": str(data / "run"),
        "SELEN_BIN": str(Path(sys.executable).parent),
        "SELEN_BIND": f"127.0.0.1:{port}",
        "SELEN_BASE_URL": f"http://127.0.0.1:{port}",
        "SELEN_EMAIL_VERIFICATION": "none",
        "SELEN_SANDBOX_UID": "61800",  # apart from the workers of an installation on the same machine
        "REDIS_URL": f"unix://{data}/run/redis.sock?db=0",
    }


def manage(env: Mapping[str, str], *arguments: str) -> None:
    outcome = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, check=False, capture_output=True, text=True
    )
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


@contextmanager
def site() -> Iterator[str]:
    """The address of a site with one benchmark, ready to judge; ends every process and the folder, whatever happens."""
    with tempfile.TemporaryDirectory(prefix="selen-") as folder:
        data = Path(folder)
        data.chmod(0o755)  # the sandbox user reads the environment
        for name in ("run", "log", "cache"):
            (data / name).mkdir()
        env = environment(data)
        manage(env, "migrate", "--verbosity", "0")
        manage(env, "collectstatic", "--noinput", "--verbosity", "0")
        manage(env, "packs", "sync", PACK)
        manage(env, "packs", "build", PACK)
        with running(env):
            yield env["SELEN_BASE_URL"]


@contextmanager
def running(env: Mapping[str, str]) -> Iterator[None]:
    supervisor = subprocess.Popen(
        [sys.executable, "-m", "supervisor.supervisord", "-c", "deploy/supervisord.conf"],
        cwd=ROOT,
        env=env,
        start_new_session=True,
    )
    try:
        wait_for(env["SELEN_BASE_URL"] + "/status/", Path(env["SELEN_DATA_DIR"]) / "log")
        yield
    finally:
        below = psutil.Process(supervisor.pid).children(recursive=True)
        supervisor.send_signal(signal.SIGTERM)
        _, left = psutil.wait_procs([psutil.Process(supervisor.pid), *below], timeout=STOP_SECONDS)
        for process in left:
            process.kill()
        supervisor.wait()
    assert left == [], "processes of the site outlived their supervisor"


def wait_for(url: str, logs: Path) -> None:
    """Until a worker of the site judges."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            if ">idle<" in httpx.get(url, timeout=5).text:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise AssertionError("\n".join(log.read_text()[-2000:] for log in sorted(logs.glob("*.log"))))
