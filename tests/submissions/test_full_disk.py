"""A disk that is really full, at every place where an upload is stored: said, nothing half kept, and nothing lost."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMESPACE = ("unshare", "--mount", *(() if os.geteuid() == 0 else ("--map-root-user",)))


def _mounts() -> bool:
    """Whether a small file system can be mounted here, for one process alone."""
    if shutil.which("unshare") is None:
        return False
    done = subprocess.run([*NAMESPACE, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
    return done.returncode == 0


@pytest.mark.integration
@pytest.mark.skipif(not _mounts(), reason="no file system can be mounted here")
def test_a_full_disk_is_said_at_every_step_and_costs_nothing(tmp_path):
    env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    env |= {
        "DJANGO_SETTINGS_MODULE": "selen_site.settings",
        "SELEN_MODE": "development",
        "SELEN_DATA_DIR": str(tmp_path),
        "SELEN_PACKS_DIR": str(ROOT / "tests" / "corpora" / "packs"),
    }
    mount = f'mount -t tmpfs -o size=8m none "{tmp_path}" && exec "$@"'
    argv = [*NAMESPACE, "sh", "-c", mount, "sh", sys.executable, "-m", "tests.submissions.full_disk", str(tmp_path)]
    done = subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    seen = json.loads(done.stdout.splitlines()[-1])
    nothing = {"files": 0, "drafts": [], "rows": [0, 0, 0, 0]}
    assert seen["upload, full at the archive"] == ["storage_full", nothing]
    assert seen["upload, full at the proofs"] == ["storage_full", nothing]
    assert seen["confirm"] == ["storage_full", {"files": 2, "drafts": ["open"], "rows": [0, 0, 0, 0]}]
    assert seen["confirm again"] == ["taken", {"files": 1, "drafts": ["confirmed"], "rows": [1, 20, 1, 0]}]
    lost, state, verdicts, kept = seen["judged"]
    assert lost >= 1
    assert (state, verdicts, kept["rows"]) == ("done", {"proved": 20}, [1, 20, 1, 20])
