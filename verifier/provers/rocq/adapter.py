"""Rocq (Coq) as one prover among others: the parts of this folder joined to the engine's contract."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from verifier.core.digest import digest_bytes, digest_mapping
from verifier.core.errors import PlatformFault
from verifier.core.finding import Finding
from verifier.core.limits import Limits
from verifier.core.problem import Pack, ProblemSpec, Use
from verifier.core.process import Outcome
from verifier.core.result import ConfirmationResult, ProofResult, ProofTask
from verifier.provers.base import BuildStep, BuiltEnvironment, ProverSession, Run, ToolchainInfo, Unavailable
from verifier.provers.deaths import death_result
from verifier.provers.rocq import commands, confirm, ending, faults, identity, policy, toolchain, units
from verifier.provers.rocq.dialogue import RocqSession

_TOOLS: Final = "tools.json"  # where this host's programs are; no part of the identity
_BUILD_SECONDS: Final = 1800.0
_BUILD_BYTES: Final = 4 * 2**30
_OUT_OF_MEMORY: Final = (b"out of memory", b"Out of memory", b"Out_of_memory")


class RocqProver:
    """The adapter. Free of state; every process it needs is described and handed to the engine."""

    name = "rocq"
    title = "Rocq (Coq)"
    extension = ".v"
    session_holds_all = False
    audits = False

    def __init__(self, release: str = "", *, trusted: bool = False) -> None:
        self._guards = frozenset() if trusted else faults.guards(release)
        self._trusted = trusted

    def for_release(self, version: str, *, trusted: bool = False) -> "RocqProver":
        """Words that only a mended fault made unsafe are free on the release that mended it."""
        return RocqProver(version, trusted=trusted)

    def probe(self, run: Run) -> ToolchainInfo | Unavailable:
        """What is installed, which version, or why not."""
        return toolchain.probe(run)

    def recipe(self, pack: Pack, toolchain: ToolchainInfo) -> Mapping[str, str]:
        """Prover's release, sources, how the library is loaded, driver and policy."""
        library = units.library_of(pack)
        paths = {f"theories/{units.place_of(pack, unit)}.v": units.path_of(pack, unit) for unit in pack.units}
        return {
            "prover": f"rocq {toolchain.version}",
            "pack": pack.slug,
            "library": " ".join((*library.search("."), *library.flags)),
            "driver": identity.driver(),
            "policy": identity.policy(),
            **{path: digest_bytes(file.read_bytes()) for path, file in paths.items()},
        }

    def build(
        self, pack: Pack, toolchain: ToolchainInfo, folder: Path, run: Run, say: Callable[[str], None]
    ) -> BuiltEnvironment:
        """Compile every file in its order into the empty `folder`; the engine then tries the ground truths."""
        recipe, library = self.recipe(pack, toolchain), units.library_of(pack)
        images: dict[str, bytes] = {}
        steps: list[BuildStep] = []
        for unit in pack.units:
            say(f"Compiling {unit}.v")
            command = commands.compile_unit(
                toolchain.tools,
                images,
                library,
                units.place_of(pack, unit),
                units.read(pack, unit).source,
                wall_seconds=_BUILD_SECONDS,
                memory_bytes=_BUILD_BYTES,
            )
            outcome = run(command)
            if outcome.exit_code != 0 or outcome.limit is not None or not outcome.stdout:
                raise PlatformFault(f"{unit}.v of pack {pack.slug} does not compile: {_words(outcome)}")
            steps.append(BuildStep(unit, outcome.wall_ms / 1000, outcome.cpu_ms / 1000, outcome.peak_bytes))
            name = units.image_of(pack, unit)
            images[name] = outcome.stdout
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(outcome.stdout)
        (folder / _TOOLS).write_text(json.dumps(dict(toolchain.tools)), encoding="utf-8")
        return BuiltEnvironment(
            digest=digest_mapping(recipe),
            pack=pack.slug,
            prover=self.name,
            version=toolchain.version,
            folder=folder,
            recipe=recipe,
            images={name: digest_bytes(data) for name, data in images.items()},
            faults=toolchain.faults,
            steps=tuple(steps),
            refused=units.shut(pack),
        )

    def lint(self, pack: Pack, problem: ProblemSpec, text: str) -> list[Finding]:  # noqa: ARG002 - the contract's
        """Policy: what a proof may hold, and where it has nothing against it, whether the proof ends."""
        return policy.findings(text, units.tactic_names(pack), self._guards) or ending.unended(text)

    def split_statement(self, problem: ProblemSpec, text: str) -> tuple[str, int] | Finding:
        """Cut the owned statement off a text that restates it."""
        return policy.split_statement(problem.statement, text)

    def session(self, environment: BuiltEnvironment, pack: Pack, unit: str, limits: Limits) -> ProverSession:
        """A process that checks problems of one unit, in the order of their positions."""
        tools = _tools(environment)
        images = _images(environment, pack, unit)
        library, place = units.library_of(pack), units.place_of(pack, unit)
        command = commands.session(tools, images, library, place, limits)
        looks = faults.Guard.RECURSION in self._guards
        return RocqSession(command, environment.digest, pack, unit, looks=looks, trusted=self._trusted)

    def interpret_death(
        self,
        problem: ProblemSpec,  # noqa: ARG002 - the contract's
        task: ProofTask,
        outcome: Outcome,
        limits: Limits,
    ) -> ProofResult:
        """A verdict for the proof during which the process ended; the engine decides about retries."""
        return death_result(task, outcome, limits, _OUT_OF_MEMORY)

    def confirm(  # noqa: PLR0917 - the contract's
        self, environment: BuiltEnvironment, pack: Pack, unit: str, tasks: Sequence[ProofTask], limits: Limits, run: Run
    ) -> list[ConfirmationResult]:
        """The official three-step check, in fresh processes."""
        bench = confirm.Bench(
            tools=_tools(environment),
            images=_images(environment, pack, unit),
            own=_image(environment, units.image_of(pack, unit)),
            unit_seconds=max((step.seconds for step in environment.steps if step.name == unit), default=0.0),
            library=units.library_of(pack),
            pack=pack,
            unit=units.read(pack, unit),
            guards=faults.guards(environment.version),
            given=units.left_out(pack),
            limits=limits,
            run=run,
        )
        return confirm.confirm(bench, tasks)

    def uses(self, environment: BuiltEnvironment) -> Mapping[str, Sequence[Use]]:  # noqa: ARG002 - the contract's
        """Nothing: what a problem uses is read from the text."""
        return {}

    def adopt(self, environment: BuiltEnvironment, toolchain: ToolchainInfo) -> None:
        """Note where this host's programs are; compiled files go with every host of the same release."""
        (environment.folder / _TOOLS).write_text(json.dumps(dict(toolchain.tools)), encoding="utf-8")

    def readable(self, text: str) -> str:
        """As it is: Rocq's sources are Unicode already."""
        return text

    def isolated(self, pack: Pack, problem: ProblemSpec, proof: str) -> Mapping[str, str]:  # noqa: ARG002 - the contract's
        """None: the confirmation's own files are that form, and it writes them itself."""
        return {}

    def audit(
        self,
        environment: BuiltEnvironment,  # noqa: ARG002 - the contract's
        pack: Pack,  # noqa: ARG002
        tasks: Sequence[ProofTask],  # noqa: ARG002
        workspace: Path,  # noqa: ARG002
        run: Run,  # noqa: ARG002
    ) -> list[ConfirmationResult]:
        """Nothing: the confirmation is the official check by the compiler and the separate checker."""
        return []


def _tools(environment: BuiltEnvironment) -> Mapping[str, str]:
    """The programs that the environment was built with; PlatformFault when they are gone."""
    try:
        tools: dict[str, str] = json.loads((environment.folder / _TOOLS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PlatformFault(
            f"{_TOOLS} of environment {environment.digest[:12]} cannot be read ({error}); build it anew."
        ) from error
    if not all(Path(path).is_file() for path in tools.values()):
        raise PlatformFault(
            f"Rocq {environment.version}, which this environment was built with, is not installed any more."
        )
    return tools


def _images(environment: BuiltEnvironment, pack: Pack, unit: str) -> dict[str, bytes]:
    """Compiled files of the units before `unit`, held to the digests that were recorded.

    An environment of what is installed with the prover holds none.
    """
    names = (units.image_of(pack, earlier) for earlier in pack.units[: pack.units.index(unit)])
    return {name: _image(environment, name) for name in names if name in environment.images}


def _image(environment: BuiltEnvironment, name: str) -> bytes:
    data = (environment.folder / name).read_bytes()
    if digest_bytes(data) != environment.images[name]:
        raise PlatformFault(f"{name} of environment {environment.digest[:12]} was changed; build it anew.")
    return data


def _words(outcome: Outcome) -> str:
    return outcome.stderr.decode(errors="replace").strip()[-1000:]
