"""Where Rocq (Coq) is, which release it is, and what of it has to be shown inside the sandbox."""

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from verifier.core.process import Command
from verifier.provers.base import Run, ToolchainInfo, Unavailable
from verifier.provers.rocq import faults

HOME_VARIABLE: Final = "SELEN_ROCQ_HOME"
TRIED: Final = ("8.16",)  # releases that the live tests ran on
ENVIRONMENT: Final[Mapping[str, str]] = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}  # noqa: S108
_INSTALL: Final = "Install it with: sudo apt-get install --no-install-recommends coq. Or name a folder in "
_VERSION: Final = re.compile(r"version (\d+\.\d+(?:\.\d+)?\S*)")
_NAMES: Final = ("coqc", "coqtop", "coqchk")
_DRIVER: Final = "rocq"  # one program for all three, from release 9.0 on
_SUBCOMMANDS: Final = {"coqc": "c", "coqtop": "repl", "coqchk": "check"}
_CHECKER: Final = "rocqchk"  # what `rocq check` starts, beside it
_CONFIG: Final = "/etc/ocamlfind.conf"


def _folders() -> list[Path]:
    """Folders with programs, the one that the host named first."""
    home = os.environ.get(HOME_VARIABLE, "")
    named = [Path(home) / "bin", Path(home)] if home else []
    return [*named, *(Path(part) for part in os.environ.get("PATH", os.defpath).split(os.pathsep) if part)]


def candidates() -> list[dict[str, str]]:
    """Every place that holds the three programs, or `rocq` in their stead, as name -> path."""
    found: list[dict[str, str]] = []
    for folder in _folders():
        tools = {name: shutil.which(name, path=str(folder)) for name in (*_NAMES, _DRIVER)}
        present = {name: str(Path(path).resolve()) for name, path in tools.items() if path}
        wanted: tuple[str, ...] = _NAMES if present.keys() >= set(_NAMES) else (_DRIVER,)
        complete = {name: present[name] for name in wanted if name in present}
        if complete and complete not in found:
            found.append(complete)
    return found


def program(tools: Mapping[str, str], name: str) -> tuple[str, ...]:
    """How one of `coqc`, `coqtop`, `coqchk` is called: by its own name, or as a subcommand of `rocq`."""
    return (tools[name],) if name in tools else (tools[_DRIVER], _SUBCOMMANDS[name])


def mounts(tools: Mapping[str, str]) -> dict[str, str]:
    """Host path -> inside path of what the programs need: themselves and the library folders around them."""
    shown = {path: path for path in tools.values()}
    home = Path(next(iter(tools.values()))).parent
    if _DRIVER in tools and (checker := home / _CHECKER).is_file():
        shown[str(checker)] = str(checker)
    for name in ("coq", "coq-core", "rocq-runtime", "zarith", "findlib", "stublibs"):
        for base in ("lib/ocaml", "lib"):
            if (folder := home.parent / base / name).is_dir():
                shown[str(folder)] = str(folder)
                break
    if Path(_CONFIG).is_file():
        shown[_CONFIG] = _CONFIG
    return shown


def probe(run: Run) -> ToolchainInfo | Unavailable:
    """The newest release that answers; why not, where none does. A named folder wins over a newer one on PATH."""
    title = "Rocq (Coq)"
    places = candidates()
    if not places:
        names = ", ".join(_NAMES)
        reason = f"None of the folders of PATH holds {names}, or {_DRIVER} in their stead."
        return Unavailable(title, reason, f"{_INSTALL}{HOME_VARIABLE}.")
    answers: list[ToolchainInfo] = []
    said = ""
    for tools in places:
        argv = (program(tools, "coqc")[0], "--version")
        outcome = run(Command(argv, readonly=mounts(tools), env=ENVIRONMENT, wall_seconds=30))
        said = (outcome.stdout + outcome.stderr).decode(errors="replace")
        if (match := _VERSION.search(said)) and outcome.exit_code == 0:
            answers.append(_info(match.group(1), tools))
    if not answers:
        return Unavailable(
            title, f"It does not start: {said.strip()[:300]}", "Install it anew, or name another folder."
        )
    named = os.environ.get(HOME_VARIABLE, "")
    if named and all(path.startswith(str(Path(named).resolve())) for path in answers[0].tools.values()):
        return answers[0]
    return max(answers, key=lambda info: faults.numbers(info.version))


def _info(version: str, tools: Mapping[str, str]) -> ToolchainInfo:
    name = f"Rocq (Coq) {version}" if faults.numbers(version) < (9,) else f"Rocq {version}"
    tried = any(version.startswith(f"{release}.") or version == release for release in TRIED)
    return ToolchainInfo(name, version, dict(tools), tried, faults.known(version))
