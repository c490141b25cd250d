"""A real PostgreSQL of its own for one test: a private socket, a user without rights, and nothing left behind."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:]
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "max_connections": "60",
    "deadlock_timeout": "200ms",  # a deadlock is to be seen before the test ends
    "log_lock_waits": "on",
}


def binaries() -> Path | None:
    """The folder with `initdb` and `pg_ctl`, or None where no PostgreSQL is installed."""
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else next(iter(BINARIES), None)


@contextmanager
def server() -> Iterator[str]:
    """The address of a running server for `DATABASE_URL`; it is stopped and its folder removed afterwards."""
    programs = binaries()
    assert programs is not None
    user = "postgres" if os.getuid() == 0 else None  # the server refuses to run as root
    with tempfile.TemporaryDirectory(prefix="selen-pg-", dir="/tmp") as name:
        folder = Path(name)
        if user:
            shutil.chown(folder, user)

        def run(*argv: str) -> None:
            done = subprocess.run(argv, user=user, cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr

        data = folder / "data"
        run(str(programs / "initdb"), "-D", str(data), "-U", "selen", "-A", "trust", "-E", "UTF8", "--no-sync")
        with (folder / "postgresql.conf").open("w") as conf:
            conf.writelines(f"{key} = '{value}'\n" for key, value in SETTINGS.items())
            conf.write(f"unix_socket_directories = '{folder}'\n")
        with (data / "postgresql.conf").open("a") as conf:
            conf.write(f"include '{folder / 'postgresql.conf'}'\n")
        control = (str(programs / "pg_ctl"), "-D", str(data), "-w")
        run(*control, "-l", str(folder / "log"), "start")
        try:
            yield f"postgres://selen@{quote(name, safe='')}/postgres"
        finally:
            run(*control, "-m", "immediate", "stop")
