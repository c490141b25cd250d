"""A part of the kill matrix, chosen by a fixed seed; the whole of it is `python -m tests.kill_matrix --all`."""

import shutil
import subprocess
import sys

import pytest


@pytest.mark.integration
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs redis-server")
def test_whatever_is_killed_at_these_steps_nothing_is_lost_or_doubled():
    argv = [sys.executable, "-m", "tests.kill_matrix", "--seed", "3", "--count", "12"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "12 scenarios, 0 with something lost or doubled" in done.stdout
