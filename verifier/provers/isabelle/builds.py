"""Building an environment: the pack's sessions by the official `isabelle build -b`, then the image, then the capsule.

All of it runs inside the sandbox. The sources are read-only there; one folder is writable, and what the heaps do not
need of it is thrown away afterwards.
"""

import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from verifier.core.errors import PlatformFault
from verifier.core.process import Command, Outcome
from verifier.provers.base import BEGUN, BuildStep, Run
from verifier.provers.isabelle import capsule, image, toolchain
from verifier.provers.isabelle.capsule import BUILD_HOME, Capsule
from verifier.provers.isabelle.image import Unit
from verifier.provers.isabelle.steps import Planned, Progress

SOURCES: Final = "/build/pack"
_IMAGE: Final = "/build/image"
_OUT: Final = f"{BUILD_HOME}/out"
_SECONDS: Final = 6 * 3600.0  # a distribution without ready heaps builds HOL first
_BYTES: Final = 16 * 2**30
_FILE_BYTES: Final = 16 * 2**30
_SAID: Final = 4000
# The `timeout` of a session is in seconds of the clock and of its author's machine; the sandbox has limits of its own.
BUILD: Final = ("build", "-v", "-j", "1", "-o", "timeout_build=false")
# Equations of quickcheck's generators, which the distribution itself states without proof (HOL Main holds 30).
_GENERATORS: Final = re.compile(r"(?:^|\.)(?:full_exhaustive|exhaustive|narrowing|random)_?[\w']*\.simps$|_deriving\b")
_NAMES: Final = ("ML_process", "process")  # the raw process was renamed in Isabelle2025-1


@dataclass(frozen=True, slots=True)
class Report:
    """What the image found: facts that rest on oracles, with the instances; digest and statement of each problem.

    `uses` are the constants and facts of each problem: kind, name, full name of the theory, symbol there, and what the
    prover prints of it.
    """

    tainted: Mapping[str, tuple[str, ...]]
    problems: Mapping[str, str]
    statements: Mapping[str, str]
    uses: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    @property
    def skipped(self) -> list[str]:
        """Facts beyond the distribution's own that rest on a skipped proof."""
        return sorted(
            fact
            for fact, oracles in self.tainted.items()
            if any(oracle.startswith("Pure.skip_proof@") for oracle in oracles) and not _GENERATORS.search(fact)
        )


def build(  # noqa: PLR0917 - values are passed, not globals
    sources: Path,
    planned: Sequence[Planned],
    units: Sequence[Unit],
    tools: Mapping[str, str],
    folder: Path,
    run: Run,
    say: Callable[[str], None],
    variables: Mapping[str, str] = MappingProxyType({}),
    *,
    given: bool = False,
) -> tuple[Capsule, Report, tuple[BuildStep, ...]]:
    """Fill `folder` with heaps and capsule; PlatformFault with the prover's words when a proof fails.

    `planned` are the sessions to build, each on the one before it, and the image at last. What an interrupted build
    left below `begun` is gone on from: a session that was finished is not built again. `variables` are what ROOT files
    of the sources refer to, such as L4V_ARCH. With `given`, lemmas whose proofs the sources leave out are taken as
    given.
    """
    written, home = folder / "image", _begun_home(folder)
    written.mkdir()
    for name, data in image.sources(planned[-2].name, units, f"{_OUT}/report.json", given=given).items():
        (written / name).write_bytes(data)
    written.chmod(0o755)
    folders = ("-d", SOURCES, "-d", _IMAGE)
    bench = Bench(tools, {str(sources): SOURCES, str(written): _IMAGE}, home, run, variables)
    steps = home.parent / "steps.json"
    progress = Progress(steps, planned, say)
    skipping = ("-o", "quick_and_dirty=true") if given else ()  # the image's own ROOT holds it at false
    for step in planned:
        if not progress.waits(step):
            continue
        outcome = bench.isabelle(*BUILD, "-b", *skipping, *folders, step.name)
        if outcome.exit_code != 0:
            raise PlatformFault(f"isabelle build failed: {errors(outcome)}")
        progress.finished(step, outcome)
    say("Recording how the ML process is started")
    _record_capsule(bench, folders)
    report = _report(home / "out" / "report.json")
    found = capsule.recorded(home / "out", tools["inside"])
    steps.unlink()  # from here on nothing is left that a later build could go on with
    kept = home.rename(folder / "home")
    shutil.rmtree(home.parent)
    _tidy(kept, found)
    capsule.save(found, folder)
    return found, report, tuple(progress.done)


def _begun_home(folder: Path) -> Path:
    """The home of a build that can be gone on with."""
    home = folder / BEGUN / "home"
    (home / "out").mkdir(parents=True, exist_ok=True)
    for place in (folder, home.parent, home, home / "out"):
        place.chmod(0o755)
    return home


def fresh_home(folder: Path) -> Path:
    """An empty home for one build, which every uid may pass through."""
    home = folder / "home"
    (home / "out").mkdir(parents=True)
    for place in (folder, home, home / "out"):
        place.chmod(0o755)
    return home


@dataclass(frozen=True, slots=True)
class Bench:
    """The distribution's tools inside the sandbox: what they see, the one folder that they may write.

    `variables` are what ROOT files of the sources refer to, such as L4V_ARCH.
    """

    tools: Mapping[str, str]
    readonly: Mapping[str, str]
    home: Path
    run: Run
    variables: Mapping[str, str]

    def isabelle(self, *words: str) -> Outcome:
        """Run one of the distribution's tools."""
        command = Command(
            (f"{self.tools['inside']}/bin/isabelle", *words),
            readonly=self.readonly,
            writable={str(self.home): BUILD_HOME},
            env={**self.variables, "HOME": BUILD_HOME, "CAPSULE_FOLDER": _OUT},
            cwd=BUILD_HOME,
            wall_seconds=_SECONDS,
            cpu_seconds=int(_SECONDS) * 4,
            memory_bytes=_BYTES,
            address_space=None,
            output_bytes=4 * 2**20,
            scratch_bytes=2**30,
            file_bytes=_FILE_BYTES,
            processes=512,
            open_files=4096,
            needs_proc=True,
        )
        return self.run(toolchain.shown(self.tools, command))


def _record_capsule(bench: Bench, folders: Sequence[str]) -> None:
    settings = [word for name, value in image.OPTIONS.items() for word in ("-o", f"{name}={value}")]
    for tool in _NAMES:
        outcome = bench.isabelle(tool, *folders, "-l", image.SESSION, *settings, "-f", f"{_IMAGE}/{image.CAPSULE}")
        if outcome.exit_code == 0:
            return
    raise PlatformFault(f"The start of the ML process could not be recorded: {errors(outcome)}")


def _report(path: Path) -> Report:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise PlatformFault("The image was built without its report; build the environment again.") from error
    return Report(
        {row["fact"]: tuple(row["oracles"]) for row in values["tainted"]},
        {row["problem"]: row["digest"] for row in values["problems"]},
        {row["problem"]: row["statement"] for row in values["problems"]},
        {row["problem"]: row["uses"] for row in values["problems"]},
    )


def _tidy(home: Path, found: Capsule) -> None:
    """Leave the heaps that the capsule names, and nothing else of what the build wrote."""
    kept = {home / inside.removeprefix(f"{BUILD_HOME}/") for inside in found.heaps if inside.startswith(BUILD_HOME)}
    for path in sorted(home.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif path not in kept:
            path.unlink()


def errors(outcome: Outcome) -> str:
    """What to tell of a failed build: the lines that Isabelle marks as errors, or the end of what it said."""
    said = (outcome.stdout + b"\n" + outcome.stderr).decode(errors="replace")
    marked = "\n".join(line for line in said.splitlines() if line.startswith("***"))
    words = marked or said.strip()[-_SAID:]
    ended = f"exit {outcome.exit_code}" + (f", limit {outcome.limit}" if outcome.limit else "")
    return f"{words[:_SAID]} ({ended})"
