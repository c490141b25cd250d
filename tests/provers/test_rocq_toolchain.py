"""Finding Rocq under both names that its releases use, and the command lines that follow."""

from pathlib import Path

import pytest

from verifier.core.limits import Limits
from verifier.core.process import Command, Outcome
from verifier.provers.base import ToolchainInfo, Unavailable
from verifier.provers.rocq import commands, toolchain

IMAGES = {"Low.vo": b"image"}
FLAGS = " ".join(commands._FLAGS)


def program(folder: Path, *names: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("SELEN_ROCQ_HOME", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path / 'a' / 'bin'}:{tmp_path / 'b' / 'bin'}")
    return tmp_path


def answering(**versions: str):
    """A sandbox in which the programs of a folder (by its letter) tell these versions."""
    asked: list[tuple[str, ...]] = []

    def run(command: Command) -> Outcome:
        asked.append(command.argv)
        version = versions[Path(command.argv[0]).parent.parent.name]
        return Outcome(0, None, None, f"The Rocq Prover, version {version}\n".encode(), b"", 1, 1, 0)

    return run, asked


def test_a_release_that_ships_rocq_alone_is_found(path: Path) -> None:
    program(path / "a" / "bin", "rocq", "rocqchk")
    (path / "a" / "lib" / "rocq-runtime").mkdir(parents=True)
    run, asked = answering(a="9.1.0")
    found = toolchain.probe(run)
    assert isinstance(found, ToolchainInfo)
    rocq = str(path / "a" / "bin" / "rocq")
    assert (found.name, found.tools, found.tried) == ("Rocq 9.1.0", {"rocq": rocq}, False)
    assert asked == [(rocq, "--version")]
    assert {rocq, str(path / "a/bin/rocqchk"), str(path / "a/lib/rocq-runtime")} <= set(toolchain.mounts(found.tools))


def test_the_three_programs_are_preferred_to_the_driver_beside_them(path: Path) -> None:
    program(path / "a" / "bin", "coqc", "coqtop", "coqchk", "rocq")
    assert [set(tools) for tools in toolchain.candidates()] == [{"coqc", "coqtop", "coqchk"}]


def test_the_newest_release_wins_under_whatever_name(path: Path) -> None:
    program(path / "a" / "bin", "coqc", "coqtop", "coqchk")
    program(path / "b" / "bin", "rocq")
    run, _ = answering(a="8.16.1", b="9.0.0")
    found = toolchain.probe(run)
    assert isinstance(found, ToolchainInfo)
    assert found.version == "9.0.0"


def test_a_named_folder_wins_over_a_newer_release(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(path / "a" / "bin", "coqc", "coqtop", "coqchk")
    program(path / "b" / "bin", "rocq")
    monkeypatch.setenv("SELEN_ROCQ_HOME", str(path / "a"))
    run, _ = answering(a="8.16.1", b="9.0.0")
    found = toolchain.probe(run)
    assert isinstance(found, ToolchainInfo)
    assert found.version == "8.16.1"


def test_a_half_of_an_installation_is_none(path: Path) -> None:
    program(path / "a" / "bin", "coqc", "coqtop")
    found = toolchain.probe(answering()[0])
    assert isinstance(found, Unavailable)
    assert "rocq" in found.reason
    assert "SELEN_ROCQ_HOME" in found.remedy


@pytest.mark.parametrize(
    ("tools", "compiler", "top", "checker"),
    [
        ({"coqc": "/p/coqc", "coqtop": "/p/coqtop", "coqchk": "/p/coqchk"}, "/p/coqc", "/p/coqtop", "/p/coqchk"),
        ({"rocq": "/p/rocq"}, "/p/rocq c", "/p/rocq repl", "/p/rocq check"),
    ],
)
def test_command_lines(tools: dict[str, str], compiler: str, top: str, checker: str) -> None:
    lib = commands.Library("Lib")
    session = commands.session(tools, IMAGES, lib, "Deep/High", Limits())
    assert " ".join(session.argv) == f"{top} -Q /env Lib -emacs {FLAGS} -top Lib.Deep.High"
    assert session.files == {"/env/Low.vo": b"image"}
    script = commands.top_level(tools, {}, lib, "Check nat.", wall_seconds=1, memory_bytes=1)
    assert " ".join(script.argv) == f"{top} {FLAGS}"
    check = commands.checker(tools, IMAGES, lib, "High", wall_seconds=1, memory_bytes=1)
    assert " ".join(check.argv) == f"{checker} -Q /env Lib -silent -norec Lib.High"
    compiled = commands.compile_unit(tools, IMAGES, lib, "High", "text", wall_seconds=1, memory_bytes=1)
    assert compiled.argv[:2] == ("/bin/sh", "-c")
    assert compiled.argv[3] == "/box/High.vo"
    line = f"{compiler} -Q /env Lib -noglob {FLAGS} -Q /box Lib -o /box/High.vo /src/High.v"
    assert " ".join(compiled.argv[4:]) == line
    assert compiled.files["/src/High.v"] == b"text"


def test_a_library_is_loaded_as_its_project_file_says() -> None:
    own = commands.Library("Lib", short=True, prelude=False)
    tools = {"coqc": "/p/coqc", "coqtop": "/p/coqtop", "coqchk": "/p/coqchk"}
    session = commands.session(tools, IMAGES, own, "High", Limits())
    assert " ".join(session.argv) == f"/p/coqtop -R /env Lib -emacs {FLAGS} -noinit -top Lib.High"
    compiled = commands.compile_unit(tools, {}, own, "Deep/High", "text", wall_seconds=1, memory_bytes=1)
    line = f"/p/coqc -noglob {FLAGS} -noinit -R /box Lib -o /box/Deep/High.vo /src/Deep/High.v"
    assert " ".join(compiled.argv[4:]) == line
