"""How the distribution starts its ML process on an image: recorded once at build time, replayed by every worker.

A worker needs no JVM, no settings and no user home: the ML system's program, the heaps, the system options and the
session tables are all there is.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from verifier.core.digest import digest_bytes
from verifier.core.errors import PlatformFault
from verifier.core.limits import Limits
from verifier.core.process import Command
from verifier.provers.isabelle.image import THEORY

BUILD_HOME: Final = "/build/home"  # the only folder that a build may write, and where its heaps stand afterwards
_RECORD: Final = "capsule.json"
_HEAP: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_KEPT: Final = ("ISABELLE_", "ML_", "POLY", "LD_LIBRARY_PATH")
_LEFT_OUT: Final = ("JAVA", "SCALA", "CLASSPATH", "JDK", "SETUP_JAR")
_OPTIONS: Final = "/capsule/options"
_TABLES: Final = "/capsule/init_session"
_SERVE: Final = (
    f'ML_Context.eval_in (SOME (Proof_Context.init_global (Thy_Info.get_theory "{THEORY}"))) ML_Compiler.flags '
    'Position.none (ML_Lex.read "Selen_Serve.serve ()")'
)
_MIB: Final = 2**20
_MARGIN: Final = 512 * _MIB  # what the process needs beside its ML heap: the loaded code, stacks, buffers


@dataclass(frozen=True, slots=True)
class Capsule:
    """`program` and `heaps` (oldest first) are paths inside the sandbox; `home` is where the installation stands."""

    program: str
    heaps: tuple[str, ...]
    environment: Mapping[str, str]
    options: str
    init_session: str
    home: str


def recorded(out: Path, home: str) -> Capsule:
    """What the build left in `out`."""
    argv = (out / "argv").read_text(encoding="utf-8").split("\0")
    loads = next((part for part in argv if "loadHierarchy" in part), None)
    if loads is None:
        raise PlatformFault("This Isabelle starts its ML process in an unknown way: no list of heaps was given.")
    pairs = (entry.partition("=") for entry in (out / "environment").read_text(encoding="utf-8").split("\0"))
    environment = {
        name: value
        for name, _, value in pairs
        if name.startswith(_KEPT) and not any(word in name for word in _LEFT_OUT)
    }
    options, tables = (out / "options").read_text(encoding="utf-8"), (out / "init_session").read_text(encoding="utf-8")
    return Capsule(argv[0], tuple(_HEAP.findall(loads)), environment, options, tables, home)


def save(capsule: Capsule, folder: Path) -> None:
    """Keep the capsule beside the heaps."""
    (folder / _RECORD).write_text(json.dumps(asdict(capsule), indent=1), encoding="utf-8")


def load(folder: Path) -> Capsule:
    """The capsule of a built environment."""
    values = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
    return Capsule(**{**values, "heaps": tuple(values["heaps"])})


def host_path(capsule: Capsule, inside: str, folder: Path, installation: str) -> Path:
    """Where a heap or program stands on this host: with the environment, or with the installation."""
    if inside.startswith(f"{BUILD_HOME}/"):
        return folder / "home" / inside.removeprefix(f"{BUILD_HOME}/")
    if inside.startswith(f"{capsule.home}/"):
        return Path(installation) / inside.removeprefix(f"{capsule.home}/")
    raise PlatformFault(f"The heap {inside} belongs neither to the environment nor to the installation.")


def images(capsule: Capsule, folder: Path, installation: str) -> dict[str, str]:
    """Digest of each heap, by its name: the session that it holds."""
    return {Path(inside).name: _digest(host_path(capsule, inside, folder, installation)) for inside in capsule.heaps}


def session_command(capsule: Capsule, folder: Path, tools: Mapping[str, str], limits: Limits) -> Command:
    """The bare ML process on the image. Its CPU limit is a backstop: the supervisor's wall clock decides."""
    installation = tools["home"]
    program = host_path(capsule, capsule.program, folder, installation)
    mounts = {str(program.parent): str(Path(capsule.program).parent), str(program): capsule.program}
    mounts |= {str(host_path(capsule, inside, folder, installation)): inside for inside in capsule.heaps}
    heap_mib = max(limits.memory_bytes // _MIB, 256)
    loads = ", ".join(f'"{inside}"' for inside in capsule.heaps)
    evaluated = (
        f"(PolyML.SaveState.loadHierarchy [{loads}]; PolyML.print_depth 0)",
        "Options.load_default ()",
        "Resources.init_session_env ()",
        "Isabelle_Process.init_options ()",
        _SERVE,
    )
    argv = [capsule.program, "-q", "--gcthreads", "1", "--maxheap", str(heap_mib)]
    for text in evaluated:
        argv += ["--eval", text]
    own = {
        "ISABELLE_PROCESS_OPTIONS": _OPTIONS,
        "ISABELLE_INIT_SESSION": _TABLES,
        "ISABELLE_TMP": "/box",
        "POLYSTATSDIR": "/box",
        "HOME": "/box",
    }
    return Command(
        tuple(argv),
        readonly=mounts,
        files={_OPTIONS: capsule.options.encode(), _TABLES: capsule.init_session.encode()},
        env={**capsule.environment, **own},
        cpu_seconds=24 * 3600,
        memory_bytes=limits.memory_bytes + _MARGIN,
        address_space=None,
        output_bytes=limits.output_bytes,
        processes=32,
        root=Path(tools["root"]) if tools["root"] else None,
    )


def _digest(path: Path) -> str:
    stat = path.stat()
    return _digest_of(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _digest_of(path: Path, modified: int, size: int) -> str:  # noqa: ARG001 - the key says when to look again
    return digest_bytes(path.read_bytes())
