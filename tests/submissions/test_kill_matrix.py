"""A part of the kill matrix, each victim once, by a fixed seed; all of it is `python -m tests.kill_matrix --all`."""

import shutil
import subprocess
import sys

import pytest

VICTIMS = ("horse", "listener", "worker", "redis", "keeper", "web", "web master", "coqtop", "bwrap")


@pytest.mark.integration
@pytest.mark.rocq
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs redis-server")
def test_whatever_is_killed_at_these_steps_nothing_is_lost_or_doubled():
    argv = [sys.executable, "-m", "tests.kill_matrix", "--seed", "3", "--count", str(len(VICTIMS))]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(VICTIMS)} scenarios, 0 with something lost or doubled" in done.stdout
    assert [victim for victim in VICTIMS if f"{victim} 1 times" not in done.stdout] == []
