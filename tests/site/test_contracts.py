"""The import contracts see what they are there for."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FAULTS = {
    "verifier/store.py": ("import django\n", "below the Django line"),
    "submissions/fairness.py": ("import rq\n", "the queue library stays in submissions.queue"),
    "submissions/post.py": ("from redis import Redis\n", "the queue library stays in submissions.queue"),
    "submissions/templatetags/marks.py": ("import django_rq\n", "the queue library stays in submissions.queue"),
    "leaderboard/tables.py": ("import plotly\n", "plotly stays in leaderboard.plots"),
    "leaderboard/cache.py": ("from submissions.services import quota\n", "the leaderboard changes nothing"),
    "submissions/standing.py": ("from submissions.services import teams\n", "inside submissions"),
}


@pytest.mark.integration
def test_each_forbidden_import_breaks_its_contract_and_is_named(tmp_path):
    for name in ("selen_site", "leaderboard", "submissions", "verifier"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name, (line, _) in FAULTS.items():
        path = tmp_path / name
        path.write_text(f"{path.read_text()}\n{line}")
    program = Path(sys.executable).parent / "lint-imports"
    argv = [program, "--no-cache", "--config", "pyproject.toml"]
    done = subprocess.run(
        argv, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    broken = set(re.findall(r"^(.+) BROKEN", done.stdout, re.MULTILINE))
    assert broken >= {contract for _, contract in FAULTS.values()}
    told = done.stdout + done.stderr
    assert [name for name in FAULTS if name.removesuffix(".py").replace("/", ".") not in told] == []
