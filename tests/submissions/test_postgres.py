"""The services on a real PostgreSQL: many writers at once, no deadlock, nothing lost; the same rules as on SQLite.

The cases run in a pytest of their own, since a test database is chosen before the first test.
"""

import os
import subprocess
import sys

import pytest

from tests.submissions.postgres import binaries, server

CASES = (
    "races.py", "test_judging.py", "test_second_looks.py", "test_reuse.py", "test_turns.py", "test_confirm.py",
    "test_drafts.py", "test_publishing.py", "test_people.py",
)  # fmt: skip


@pytest.mark.integration
@pytest.mark.skipif(binaries() is None, reason="no PostgreSQL is installed here (Debian: postgresql)")
def test_services_hold_on_postgresql_with_many_writers_at_once():
    with server() as address:
        files = [f"tests/submissions/{name}" for name in CASES]
        argv = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", "-q", *files]
        env = {**os.environ, "DATABASE_URL": address}
        done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False, timeout=540)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
