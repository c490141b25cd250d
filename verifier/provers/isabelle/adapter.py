"""Isabelle as one prover among others: the parts of this folder joined to the engine's contract."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from verifier.core.digest import digest_bytes, digest_mapping
from verifier.core.errors import PlatformFault
from verifier.core.finding import Finding
from verifier.core.limits import Limits
from verifier.core.problem import Pack, ProblemSpec, Use
from verifier.core.process import Command, Outcome
from verifier.core.result import ConfirmationResult, ProofResult, ProofTask
from verifier.provers.base import BuiltEnvironment, ProverSession, Run, ToolchainInfo, Unavailable
from verifier.provers.deaths import death_result
from verifier.provers.isabelle import (
    audit,
    builds,
    capsule,
    confirm,
    identity,
    image,
    isolation,
    policy,
    statements,
    symbols,
    theories,
    toolchain,
)
from verifier.provers.isabelle.dialogue import IsabelleSession

_TOOLS: Final = "tools.json"  # where this host's installation is; no part of the identity
_PROBLEMS: Final = "problems.json"
_USES: Final = "uses.json"
_TAINTED: Final = "tainted.json"  # facts that rest on an oracle already in the environment
_MODIFIERS: Final = ("", "private", "qualified")  # what a theory may put before a statement
_OUT_OF_MEMORY: Final = (b"Run out of store", b"Unable to increase stack", b"Insufficient memory")


class IsabelleProver:
    """The adapter. Free of state; every process it needs is described and handed to the engine."""

    name = "isabelle"
    title = "Isabelle"
    extension = ".thy"
    session_holds_all = True
    audits = True

    def probe(self, run: Run) -> ToolchainInfo | Unavailable:
        """What is installed, which version, or why not."""
        return toolchain.probe(run)

    def recipe(self, pack: Pack, toolchain: ToolchainInfo) -> Mapping[str, str]:
        """Prover's release and ML system, sources, driver and policy; heaps are no part of it."""
        folder = theories.folder(pack)
        sources = {
            f"theories/{path.relative_to(folder)}": digest_bytes(path.read_bytes())
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        return {
            "prover": f"isabelle {toolchain.version}",
            "pack": pack.slug,
            "driver": image.driver_digest(),
            "policy": identity.policy(),
            "judge": identity.judge(),
            **{f"variable {name}": value for name, value in pack.variables.items()},
            **({"base": "holds skipped proofs"} if pack.skipped_proofs else {}),
            **({"edition": "lemmas without proof are taken as given"} if pack.for_teams else {}),
            **sources,
        }

    def build(
        self, pack: Pack, toolchain: ToolchainInfo, folder: Path, run: Run, say: Callable[[str], None]
    ) -> BuiltEnvironment:
        """Build sessions, image and capsule; the engine then tries the ground truths in isolation."""
        recipe = self.recipe(pack, toolchain)
        units = theories.units(pack)
        found, report, steps = builds.build(
            theories.folder(pack),
            theories.planned(pack),
            units,
            toolchain.tools,
            folder,
            run,
            say,
            pack.variables,
            given=pack.for_teams,
        )
        if report.skipped and not pack.skipped_proofs:
            names = ", ".join(report.skipped[:5])
            raise PlatformFault(
                f"The base holds {len(report.skipped)} facts whose proofs were skipped: {names}. "
                "Build its heaps anew without quick_and_dirty and skip_proofs, or write `skipped_proofs = true` in "
                "pack.toml; the board then says so."
            )
        (folder / _TOOLS).write_text(json.dumps(dict(toolchain.tools)), encoding="utf-8")
        (folder / _PROBLEMS).write_text(json.dumps(dict(report.problems)), encoding="utf-8")
        uses = {problem: [asdict(use) for use in found] for problem, found in theories.uses(pack, report.uses).items()}
        (folder / _USES).write_text(json.dumps(uses, ensure_ascii=False), encoding="utf-8")
        (folder / _TAINTED).write_text(json.dumps(sorted(report.tainted)), encoding="utf-8")
        wanted = [target.problem for unit in units for target in unit.targets]
        remarks = _remarks(toolchain, report)
        say(f"{len(report.problems)} problems recorded")
        for remark in remarks:
            say(remark)
        say(f"Facts that rest on an oracle: {', '.join(sorted(report.tainted)) or 'none'}")
        return BuiltEnvironment(
            digest=digest_mapping(recipe),
            pack=pack.slug,
            prover=self.name,
            version=toolchain.version,
            folder=folder,
            recipe=recipe,
            images=capsule.images(found, folder, toolchain.tools["home"]),
            faults=toolchain.faults,
            remarks=remarks,
            steps=steps,
            refused=_strangers(pack, wanted, report.statements),
        )

    def for_release(self, version: str, *, trusted: bool = False) -> "IsabelleProver":  # noqa: ARG002 - policy is the same on every release
        """The adapter itself."""
        return self

    def lint(self, pack: Pack, problem: ProblemSpec, text: str) -> list[Finding]:  # noqa: ARG002 - the contract's
        """Policy: what a proof may hold. No process needed."""
        return policy.findings(text, theories.declared_commands(pack))

    def split_statement(self, problem: ProblemSpec, text: str) -> tuple[str, int] | Finding:
        """Cut the owned statement off a text that restates it."""
        return statements.split_statement(problem.statement, text)

    def session(self, environment: BuiltEnvironment, pack: Pack, unit: str, limits: Limits) -> ProverSession:  # noqa: ARG002 - one image holds all units
        """A process on the image, which holds the problems of all units."""
        return IsabelleSession(_command(environment, limits), environment.digest, _problems(environment))

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
        self,
        environment: BuiltEnvironment,
        pack: Pack,
        unit: str,  # noqa: ARG002 - one image holds all units
        tasks: Sequence[ProofTask],
        limits: Limits,
        run: Run,
    ) -> list[ConfirmationResult]:
        """Replay in a fresh process."""
        command = _command(environment, limits)
        bench = confirm.Bench(command, environment.digest, _problems(environment), pack, limits, run)
        return confirm.confirm(bench, tasks)

    def uses(self, environment: BuiltEnvironment) -> Mapping[str, Sequence[Use]]:
        """What the prover said of each problem when the image was made."""
        if not (environment.folder / _USES).is_file():  # built before they were kept
            return {}
        found: dict[str, list[dict[str, Any]]] = _read(environment, _USES)
        return {problem: [Use(**row) for row in rows] for problem, rows in found.items()}

    def adopt(self, environment: BuiltEnvironment, toolchain: ToolchainInfo) -> None:
        """Note where this host's installation is; its own heaps must be those that the image was built on."""
        (environment.folder / _TOOLS).write_text(json.dumps(dict(toolchain.tools)), encoding="utf-8")
        _command(environment, Limits())

    def readable(self, text: str) -> str:
        r"""With `\<name>` shown as the character it stands for."""
        return symbols.decode(text)

    def isolated(self, pack: Pack, problem: ProblemSpec, proof: str) -> Mapping[str, str]:
        """The paper's two sessions."""
        return isolation.isolated(pack, problem, proof)

    def audit(
        self,
        environment: BuiltEnvironment,
        pack: Pack,
        tasks: Sequence[ProofTask],
        workspace: Path,
        run: Run,
    ) -> list[ConfirmationResult]:
        """Plain `isabelle build` on spliced theories; at most one proof for each problem."""
        known: list[str] = _read(environment, _TAINTED)
        return audit.audit(pack, tasks, known, _tools(environment), workspace, run)


def _strangers(pack: Pack, wanted: Sequence[str], statements: Mapping[str, str]) -> dict[str, str]:
    """Problems that were not recorded, or recorded with another statement than the pack owns; why, by id.

    What a schematic goal states is up to its proof, so that no proof can be held against it.
    """
    found: dict[str, str] = {}
    for name in wanted:
        problem = pack.problem(name)
        assert problem is not None
        if name not in statements:
            found[name] = "Where the theory was replayed, its statement was not met or left no fact to compare."
        elif "schematic_goal" in problem.statement.split()[:2]:
            found[name] = "A schematic goal leaves to its proof what it states."
        elif _closed_up(statements[name]).removesuffix(_closed_up(problem.statement)) not in _MODIFIERS:
            found[name] = f"Another statement was met in its place: {statements[name][:300]}"
    return found


def _closed_up(statement: str) -> str:
    return "".join(statement.split())


def _read(environment: BuiltEnvironment, name: str) -> Any:
    """A file of the environment; PlatformFault when it is gone or damaged."""
    try:
        return json.loads((environment.folder / name).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PlatformFault(
            f"{name} of environment {environment.digest[:12]} cannot be read ({error}); build it anew."
        ) from error


def _remarks(toolchain: ToolchainInfo, report: builds.Report) -> tuple[str, ...]:
    """What a reader of scores should know about the base."""
    said = []
    if not toolchain.tried:
        said.append(f"Selen was not tried with this release of Isabelle yet ({toolchain.version}).")
    if report.tainted:
        oracles = sorted({oracle.partition("@")[0] for kinds in report.tainted.values() for oracle in kinds})
        said.append(
            f"{len(report.tainted)} facts of the base rest on {', '.join(oracles)}, such as {min(report.tainted)}. "
            "A proof that uses one of them is not accepted."
        )
    if report.skipped:
        said.append(f"{len(report.skipped)} of them are proofs that the host's own base skips.")
    return tuple(said)


def _tools(environment: BuiltEnvironment) -> dict[str, str]:
    found: dict[str, str] = _read(environment, _TOOLS)
    return found


def _problems(environment: BuiltEnvironment) -> Mapping[str, str]:
    found: dict[str, str] = _read(environment, _PROBLEMS)
    return found


def _command(environment: BuiltEnvironment, limits: Limits) -> Command:
    """The session's process, on heaps held to the digests that were recorded."""
    tools = _tools(environment)
    try:
        kept = capsule.load(environment.folder)
        present = capsule.images(kept, environment.folder, tools["home"])
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise PlatformFault(
            f"A heap or the capsule of environment {environment.digest[:12]} cannot be read ({error}); build it anew."
        ) from error
    changed = [name for name, digest in present.items() if environment.images.get(name) != digest]
    if changed:
        raise PlatformFault(f"{changed[0]} of environment {environment.digest[:12]} was changed; build it anew.")
    return capsule.session_command(kept, environment.folder, tools, limits)
