"""Start and stop the whole site for the demo: settings, database, environments, processes."""

import os
import secrets
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

ROOT = Path(__file__).resolve().parent.parent
LONGEST_SOCKET_FOLDER = 80  # a socket path may have 107 bytes
START_SECONDS = 60
STOP_SECONDS = 40


def data_dir() -> Path:
    """Where everything of this installation is kept; SELEN_DATA_DIR or `var` in the checkout."""
    return Path(os.environ.get("SELEN_DATA_DIR") or ROOT / "var").resolve()


def free_port(wanted: int) -> int:
    """`wanted`, or the next port nobody listens on."""
    for port in range(wanted, wanted + 100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise SystemExit(f"No free port between {wanted} and {wanted + 99}; set SELEN_PORT to another one.")


def settings() -> dict[str, str]:
    """Environment of every process of the site: production mode with a secret of its own, log-in without mail."""
    data = data_dir()
    data.mkdir(parents=True, exist_ok=True)
    data.chmod(0o711)  # the sandbox's own user passes through it to what a build may write; it can list nothing
    for name in ("run", "log", "cache", "media"):
        (data / name).mkdir(mode=0o700, exist_ok=True)
    (data / "selen.sqlite3").touch(mode=0o600)
    run = data / "run"
    if len(str(run)) > LONGEST_SOCKET_FOLDER:
        run = Path(tempfile.mkdtemp(prefix="selen-"))
    secret = data / "secret"
    if not secret.exists():
        secret.touch(mode=0o600)
        secret.write_text(secrets.token_urlsafe(50))
    bind = f"127.0.0.1:{free_port(int(os.environ.get('SELEN_PORT') or 8000))}"
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "selen_site.settings",
        "SELEN_MODE": "production",
        "SELEN_DATA_DIR": str(data),
        "SELEN_RUN_DIR": str(run),
        "SELEN_BIN": str(Path(sys.executable).parent),
        "SELEN_BIND": bind,
        "SELEN_BASE_URL": f"http://{bind}",
        "SELEN_SECRET_KEY": secret.read_text(),
        "SELEN_EMAIL_VERIFICATION": "none",
        "REDIS_URL": f"unix://{run}/redis.sock?db=0",
    }


def refusal() -> str:
    """Why no worker judges, from the last line of each worker's log; empty while one of them does."""
    logs = sorted((data_dir() / "log").glob("worker-*.log"))
    last = [(log.read_text(errors="replace").splitlines() or [""])[-1] for log in logs]
    said = [line.partition("does not judge: ")[2] or line.partition("CommandError: ")[2] for line in last]
    return said[0] if said and all(said) else ""


def manage(env: Mapping[str, str], *arguments: str, quiet: bool = False) -> None:
    """Run one management command; its output is shown unless `quiet`, and its failure ends the demo."""
    outcome = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, check=False, capture_output=quiet, text=True
    )
    if outcome.returncode != 0:
        if quiet:
            sys.stderr.write(outcome.stdout + outcome.stderr)
        raise SystemExit(f"`manage.py {' '.join(arguments)}` ended with {outcome.returncode}; the lines above say why.")


@contextmanager
def running(env: Mapping[str, str]) -> Iterator[str]:
    """All processes of deploy/supervisord.conf, from the first answer of the site to the end of the last process."""
    supervisor = subprocess.Popen(
        [sys.executable, "-m", "supervisor.supervisord", "-c", "deploy/supervisord.conf"],
        cwd=ROOT,
        env=env,
        start_new_session=True,  # Ctrl-C reaches the demo alone, which then stops the others in order
    )
    try:
        wait_for(env["SELEN_BASE_URL"] + "/status/", supervisor, env)
        yield env["SELEN_BASE_URL"]
    finally:
        supervisor.send_signal(signal.SIGTERM)
        try:
            supervisor.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(supervisor.pid, signal.SIGKILL)
            supervisor.wait()


def wait_for(url: str, supervisor: subprocess.Popen[bytes], env: Mapping[str, str]) -> None:
    """Until the site answers; else say where its log is."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and supervisor.poll() is None:
        try:
            if httpx.get(url, timeout=5).status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise SystemExit(f"The site did not start within {START_SECONDS} s. Its logs are in {env['SELEN_DATA_DIR']}/log.")
