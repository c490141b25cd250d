"""Where Isabelle is, which release it is, and what of it has to be shown inside the sandbox.

An installation is a folder that holds `bin/isabelle`. It is named by a setting, found through PATH, or lies inside
an image root: the unpacked file system of a container, which then is the sandbox's own root.
"""

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from verifier.core.process import Command
from verifier.provers.base import Run, ToolchainInfo, Unavailable
from verifier.provers.isabelle import faults

TITLE: Final = "Isabelle"
HOME_VARIABLE: Final = "SELEN_ISABELLE_HOME"
ROOT_VARIABLE: Final = "SELEN_ISABELLE_ROOT"
INSIDE: Final = "/isabelle"  # where an installation of the host stands inside the sandbox, the same on every host
TRIED: Final = ("2024+2d6638d8e6df",)  # releases that the live tests ran on
ENVIRONMENT: Final[Mapping[str, str]] = {"PATH": "/usr/bin:/bin", "HOME": "/box", "USER": "selen", "LANG": "C.UTF-8"}
_REMEDY: Final = (
    "Unpack a distribution from isabelle.in.tum.de, then put its bin folder on PATH or name the folder in "
    f"{HOME_VARIABLE}; or unpack a container image and name its root in {ROOT_VARIABLE}."
)
_QUESTION: Final = (
    '"$0" version; echo "id $("$0" version -i)"; "$0" getenv ML_IDENTIFIER ML_HOME ISABELLE_HEAPS_SYSTEM; test -x "$0"'
)
_SECONDS: Final = 180.0  # the tools are shell scripts that start one another, slow on a busy host
_RELEASE: Final = re.compile(r"^Isabelle(\d{4}(?:-\d+)?)\s*$", re.MULTILINE)
_NEWS: Final = re.compile(r"^New in Isabelle(\d{4}(?:-\d+)?)", re.MULTILINE)
_IDENTITY: Final = re.compile(r"^id (\S+)", re.MULTILINE)
_ML: Final = re.compile(r"^ML_IDENTIFIER=(\S+)", re.MULTILINE)


def places() -> list[dict[str, str]]:
    """The installation that is named, else the one on PATH: `home` on this host, `inside`, `root`."""
    named, root = os.environ.get(HOME_VARIABLE, ""), os.environ.get(ROOT_VARIABLE, "")
    if root:
        homes = [named] if named else _homes_below(Path(root))
        return [{"home": f"{root}{home}", "inside": home, "root": root} for home in homes]
    if named:  # a named one that does not answer is to be mended, not passed over
        return [{"home": named, "inside": INSIDE, "root": ""}]
    on_path = shutil.which("isabelle")
    home = Path(on_path).resolve().parent.parent if on_path else None
    return [] if home is None else [{"home": str(home), "inside": INSIDE, "root": ""}]


def _homes_below(root: Path) -> list[str]:
    """Installations inside an image: where the project's own container images put them."""
    found = [*root.glob("home/*/Isabelle*/bin/isabelle"), *root.glob("opt/Isabelle*/bin/isabelle")]
    return [f"/{path.parent.parent.relative_to(root)}" for path in sorted(found)]


def shown(tools: Mapping[str, str], command: Command) -> Command:
    """The command with the whole installation and what its tools need inside the sandbox: for builds and questions."""
    if tools["root"]:
        return replace(command, root=Path(tools["root"]), env={**ENVIRONMENT, **command.env})
    mounts = {"/usr": "/usr", tools["home"]: tools["inside"], **command.readonly}
    return replace(command, readonly=mounts, env={**ENVIRONMENT, **command.env})


def probe(run: Run) -> ToolchainInfo | Unavailable:
    """The first installation that answers; why not, where none does."""
    found = places()
    if not found:
        return Unavailable(TITLE, f"There is no isabelle on PATH, and {HOME_VARIABLE} is not set.", _REMEDY)
    said = ""
    for tools in found:
        if not (Path(tools["home"]) / "bin" / "isabelle").is_file():
            said = f"{tools['home']} holds no bin/isabelle."
            continue
        program = f"{tools['inside']}/bin/isabelle"
        question = Command(
            ("/bin/sh", "-c", _QUESTION, program),
            wall_seconds=_SECONDS,
            address_space=None,
            processes=64,
            needs_proc=True,
        )
        outcome = run(shown(tools, question))
        text = outcome.stdout.decode(errors="replace")
        if outcome.exit_code == 0 and (ml := _ML.search(text)):
            return _info(text, ml.group(1), tools)
        words = (text + outcome.stderr.decode(errors="replace")).strip()[-300:]
        limit = f" (ended by the limit on {outcome.limit})" if outcome.limit else ""
        said = f"{program} does not answer{limit}: {words}"
    return Unavailable(TITLE, said, _REMEDY)


def _info(said: str, ml_system: str, tools: Mapping[str, str]) -> ToolchainInfo:
    match, identity = _RELEASE.search(said), _IDENTITY.search(said)
    if match:
        release, name = match.group(1), f"Isabelle{match.group(1)}"
    else:
        after = _NEWS.search(_news(tools))
        revision = identity.group(1) if identity else "unknown"
        release = f"{after.group(1) if after else '0'}+{revision}"
        name = f"Isabelle, development version {revision} after {after.group(1) if after else 'an unknown release'}"
    version = f"{release} {ml_system}"
    return ToolchainInfo(name, version, dict(tools), release in TRIED, faults.known(version))


def _news(tools: Mapping[str, str]) -> str:
    path = Path(tools["home"]) / "NEWS"
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
