"""Redis is a bell: while it is away uploads are taken and results written, and once it is back everything ends."""

import json
import shutil
import subprocess
import sys

import pytest


@pytest.mark.integration
@pytest.mark.skipif(shutil.which("redis-server") is None, reason="needs redis-server")
def test_redis_stopped_and_started_during_a_run_loses_and_doubles_nothing():
    argv = [sys.executable, "-m", "tests.kill_matrix.away"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["answers while away"] is False
    assert seen["confirm while away"] == 0
    assert seen["results while away"] >= 1  # whoever holds a slice goes on with it
    assert seen["states"] == ["done", "done"]
    assert seen["results"] == [1] * 60
    assert seen["verdicts"] == {"proved": 60}
    assert seen["open slices"] == 0
