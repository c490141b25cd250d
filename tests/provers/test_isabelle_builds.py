"""An environment is built session by session, and an interrupted build goes on where it was."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from verifier.core.errors import PlatformFault
from verifier.core.process import Command, Outcome
from verifier.extract.facts import Rules
from verifier.extract.isabelle import extract_pack
from verifier.extract.pack import write
from verifier.packs import load_pack
from verifier.provers.base import BuildStep
from verifier.provers.isabelle import builds, theories
from verifier.provers.isabelle.steps import Planned, left

PLANNED = [Planned("Base", 1000), Planned("Upper", 3000), Planned("Selen_Image", 4000)]
TOOLS = {"home": "/nowhere", "inside": "/isabelle", "root": ""}


def fails_at(name: str, built: list[str]) -> Callable[[Command], Outcome]:
    """Builds every session but one; `built` learns which were asked for."""

    def run(command: Command) -> Outcome:
        built.append(command.argv[-1])
        code = int(command.argv[-1] == name)
        return Outcome(code, None, None, b"*** no" * code, b"", wall_ms=2000, cpu_ms=1500, peak_bytes=300 * 2**20)

    return run


def build(folder: Path, run: Callable[[Command], Outcome]) -> list[str]:
    """What a build says until its prover gives up."""
    said: list[str] = []
    with pytest.raises(PlatformFault, match="no"):
        builds.build(folder, PLANNED, [], TOOLS, folder, run, said.append)
    return said


def test_what_was_built_before_an_interruption_is_not_built_again(tmp_path: Path) -> None:
    first: list[str] = []
    build(tmp_path, fails_at("Upper", first))
    again: list[str] = []
    (tmp_path / "image").rename(tmp_path / "left")
    said = build(tmp_path, fails_at("Selen_Image", again))
    assert (first, again) == (["Base", "Upper"], ["Upper", "Selen_Image"])
    assert said[0] == "Base was built before the interruption, in 2.0 s"
    rows = json.loads((tmp_path / "begun" / "steps.json").read_text())
    assert [row["name"] for row in rows] == ["Base", "Upper"]
    assert {"seconds": 2.0, "cpu_seconds": 1.5, "peak_bytes": 300 * 2**20}.items() <= rows[1].items()


def test_each_step_says_what_it_took_and_what_is_left(tmp_path: Path) -> None:
    said = build(tmp_path, fails_at("Selen_Image", []))
    assert said == [
        "Step 1 of 3, Base: 1 kB of theories",
        "Base built in 2.0 s, 1.5 s of processor time, at most 315 MB",
        "Step 2 of 3, Upper: 3 kB of theories; about 0:00:14 left",
        "Upper built in 2.0 s, 1.5 s of processor time, at most 315 MB",
        "Step 3 of 3, Selen_Image: 4 kB of theories; about 0:00:04 left",
    ]


def test_there_is_no_estimate_before_anything_was_read() -> None:
    assert left(PLANNED, []) is None
    assert left(PLANNED, [BuildStep("Base", 3.0, 3.0, 1)]) == 21.0
    assert left([Planned("Empty", 0), *PLANNED], [BuildStep("Empty", 3.0, 3.0, 1)]) is None


def sources(folder: Path) -> Path:
    """Three sessions: Top stands on Middle, and takes a theory from Beside."""
    (folder / "ROOTS").write_text("beside\nmiddle\ntop\n")
    roots = {"beside": "Beside = HOL", "middle": "Middle = HOL", "top": "Top = Middle"}
    for name, heading in roots.items():
        (folder / name).mkdir()
        taken = "  sessions Beside\n" if name == "top" else ""
        (folder / name / "ROOT").write_text(f"session {heading} +\n{taken}  theories {name.title()}_T\n")
        imports = '"Beside.Beside_T" "Middle.Middle_T"' if name == "top" else "Main"
        text = f'theory {name.title()}_T imports {imports} begin\nlemma {name}: "True"\n  by simp\nend\n'
        (folder / name / f"{name.title()}_T.thy").write_text(text)
    return folder


def test_heaps_are_those_of_the_last_sessions_ancestors(tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    written = extract_pack(sources(tmp_path / "sources"), ["Top"], Rules.FULL, "ARM")[1]
    write(written, tmp_path / "top")
    size = {path.rpartition("/")[2]: len(data) for path, data in written.files.items() if path.endswith(".thy")}
    assert theories.planned(load_pack(tmp_path / "top", tmp_path)) == [
        Planned("Middle", size["Middle_T.thy"]),
        Planned("Top", size["Top_T.thy"] + size["Beside_T.thy"]),
        Planned("Selen_Image", size["Top_T.thy"]),
    ]
