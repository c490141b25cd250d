"""What strangers send, on a real PostgreSQL, which holds less in a text than SQLite does."""

import os
import subprocess
import sys

import pytest

from tests.submissions.postgres import binaries, server

CASES = ("site/test_guard.py", "site/test_hostile_addresses.py", "submissions/test_bad_input.py")


@pytest.mark.integration
@pytest.mark.skipif(binaries() is None, reason="no PostgreSQL is installed here (Debian: postgresql)")
def test_what_strangers_send_breaks_nothing_on_postgresql():
    with server() as address:
        argv = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", "-q"]
        env = {**os.environ, "DATABASE_URL": address}
        files = [f"tests/{name}" for name in CASES]
        done = subprocess.run([*argv, *files], env=env, capture_output=True, text=True, check=False, timeout=540)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
