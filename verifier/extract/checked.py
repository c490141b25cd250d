"""Which lemmas of a Rocq project does the prover accept where they stand, and what does it cost."""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from verifier import engine
from verifier.core import rocq
from verifier.core.digest import digest_mapping
from verifier.core.problem import Pack
from verifier.core.process import Sandbox
from verifier.core.result import ProofTask
from verifier.core.verdict import Verdict
from verifier.extract.facts import Rules
from verifier.extract.pack import write
from verifier.extract.rocq import counted, pack_of_project
from verifier.extract.rocq_project import File, Project, project_read
from verifier.packs import load_pack
from verifier.provers.base import BuiltEnvironment, ToolchainInfo

_SLUG: Final = "checked"
_SHOWN: Final = 300  # characters of a message


@dataclass(frozen=True, slots=True)
class Refusal:
    """A lemma whose own proof was not accepted in its place."""

    member: str
    line: int
    lemma: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class FolderChecked:
    """One folder: files, lemmas found, and what became of those that a pack can point at.

    `proof_ms` is the time of the proofs that were accepted, `wall_ms` of everything: starting the prover, walking
    through the files, going back after each proof.
    """

    folder: str
    files: int
    found: int
    verified: int
    refused: tuple[Refusal, ...]
    proof_ms: int
    wall_ms: int

    @property
    def checked(self) -> int:
        """Lemmas that the prover was asked about."""
        return self.verified + len(self.refused)


def check_rocq(sources: Path, rules: Rules, sandbox: Sandbox, say: Callable[[str], None]) -> Iterator[FolderChecked]:
    """Every lemma that the rules keep, tried with its own proof in the state just before it; folder by folder.

    One process a file walks through it, so that sections, modules, notations, scopes and hints stand as they do there
    and later facts are unknown. What the prover finds installed is checked where it is; other projects are compiled
    first. Raises InputFault as `extract_rocq` does, PlatformFault where there is no prover or a file does not compile.
    """
    project = project_read(sources)
    if project.installed:
        folders = dict.fromkeys(file.folder for file in project.files)
        groups = [
            _part(project, [file for file in project.files if file.folder == folder]) for folder in sorted(folders)
        ]
    else:
        groups = [project]
    for group in groups:
        yield from _checked(group, rules, sandbox, say)


def _part(project: Project, files: Sequence[File]) -> Project:
    """One folder of what is installed, as a library of its own under its own name."""
    library = files[0].module.rpartition(".")[0]
    return replace(project, files=files, library=library, prelude=library != "Coq.Init")


def _checked(project: Project, rules: Rules, sandbox: Sandbox, say: Callable[[str], None]) -> Iterator[FolderChecked]:
    found = counted(project.files, rules)
    if not any(one.kept for one in found.sessions):
        yield from (FolderChecked(one.session, one.theories, 0, 0, (), 0, 0) for one in found.sessions)
        return
    written = pack_of_project(project, project.library, found, rules)
    with tempfile.TemporaryDirectory(prefix="selen-extract-") as name:
        home = Path(name)
        write(written, home / _SLUG)
        pack = load_pack(home / _SLUG, home)
        environment = _environment(project, pack, home / "environment", sandbox, say)
        for folder in found.sessions:
            files = [file for file in project.files if file.folder == folder.session]
            made = replace(_tried(environment, pack, files, sandbox), folder=folder.session, found=len(folder.kept))
            _told(made, say)
            yield made


def _told(made: FolderChecked, say: Callable[[str], None]) -> None:
    """All that is known of a folder, so that what was printed before an interruption is of use."""
    each = f", {made.wall_ms / made.checked:.0f} ms a lemma" if made.checked else ""
    say(f"{made.folder}: {made.verified:,} of {made.checked:,} verified{each}")
    for one in made.refused:
        say(f"  refused {one.member}:{one.line} {one.lemma}: {one.reason}: {one.message}")


def _tried(environment: BuiltEnvironment, pack: Pack, files: Sequence[File], sandbox: Sandbox) -> FolderChecked:
    """The problems of one folder, with their own proofs, through the judge itself."""
    by_unit = {file.path.stem: file for file in files}
    problems = {problem.id: problem for problem in pack.problems if problem.unit in by_unit}
    tasks = [ProofTask(problem.id, 1, problem.ground_truth) for problem in problems.values()]
    started = time.monotonic()
    verified, proof_ms, refused = 0, 0, []
    for result in engine.check(environment, pack, tasks, sandbox, pack.limits, linted=False):
        if result.verdict is Verdict.PROVED:
            verified, proof_ms = verified + 1, proof_ms + result.wall_ms
            continue
        problem = problems[result.problem]
        file = by_unit[problem.unit]
        line = rocq.lemmas(file.text)[problem.position].line
        message = " ".join(result.message.split())[:_SHOWN]
        refused.append(Refusal(file.member, line, problem.lemma, str(result.reason), message))
    wall_ms = round((time.monotonic() - started) * 1000)
    return FolderChecked("", len(files), 0, verified, tuple(refused), proof_ms, wall_ms)


def _environment(
    project: Project, pack: Pack, folder: Path, sandbox: Sandbox, say: Callable[[str], None]
) -> BuiltEnvironment:
    toolchain = engine.toolchain(pack, sandbox)
    folder.mkdir()
    prover = engine.prover_of(pack)
    if not project.installed:
        built = prover.build(pack, toolchain, folder, sandbox.run, say)
        return replace(built, refused={})  # what no second look could reach can be tried in its place all the same
    environment = _empty(pack, toolchain, folder)
    prover.adopt(environment, toolchain)
    return environment


def _empty(pack: Pack, toolchain: ToolchainInfo, folder: Path) -> BuiltEnvironment:
    """Nothing is compiled: the prover finds what the files require among what is installed."""
    recipe = engine.prover_of(pack).recipe(pack, toolchain)
    return BuiltEnvironment(
        digest=digest_mapping(recipe),
        pack=pack.slug,
        prover=pack.prover,
        version=toolchain.version,
        folder=folder,
        recipe=recipe,
        images={},
    )
