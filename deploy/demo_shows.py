"""What the demo shows: one benchmark a prover, with the people and the systems that send proofs to it."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from demo_site import ROOT


@dataclass(frozen=True)
class Show:
    """`systems` are (who sends, system, folder under the pack's samples); `reference` sends the ground truths."""

    prover: str
    pack: str
    people: str
    wait: str
    systems: tuple[tuple[str, str, str], ...]
    reference: tuple[str, str] = ("host@example.org", "Ground truth")

    @property
    def lemmas(self) -> int:
        """Problems of the pack, all of which are tried when its environment is built."""
        files = (ROOT / "packs" / self.pack / "problems").glob("*.toml")
        return sum(len(tomllib.loads(file.read_text(encoding="utf-8"))["problem"]) for file in files)


# The better prover first: the first one that is found here is shown.
SHOWS = (
    Show(
        "isabelle",
        "minikernel-isabelle",
        "deploy/demo_people_isabelle.json",
        "two minutes the first time",
        (
            ("ada@example.org", "by simp", "simp"),
            ("ada@example.org", "by auto", "auto"),
            ("ben@example.org", "by blast", "blast"),
            ("ben@example.org", "by fastforce", "fastforce"),
            ("cleo@example.org", "Induction, then auto", "induct-auto"),
            ("cleo@example.org", "Portfolio", "portfolio"),
        ),
    ),
    Show(
        "rocq",
        "minikernel-rocq",
        "deploy/demo_people.json",
        "half a minute the first time",
        (
            ("ada@example.org", "Script writer", "script-writer"),
            ("ben@example.org", "Induct and simplify", "induct-and-simplify"),
            ("cleo@example.org", "Portfolio", "portfolio"),
        ),
    ),
)


def best_show(env: Mapping[str, str]) -> Show:
    """The benchmark of the best prover that is found here; the last one where none answers, to be told why."""
    outcome = subprocess.run(
        [sys.executable, "manage.py", "provers", "--json"],
        cwd=ROOT,
        env=env,
        check=True,
        capture_output=True,
        text=True,
    )
    found: list[dict[str, Any]] = json.loads(outcome.stdout)
    available = {row["name"] for row in found if row["available"]}
    return next((show for show in SHOWS if show.prover in available), SHOWS[-1])
