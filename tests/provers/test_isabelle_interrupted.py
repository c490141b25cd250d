"""A build killed in its second session, and again among its ground truths, goes on from there.

Until it is whole nobody finds an environment.
"""

import json
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.engine.killed import Killed, killed
from verifier import engine, store
from verifier.core.digest import digest_mapping
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack
from verifier.core.process import Sandbox
from verifier.extract.facts import Rules
from verifier.extract.isabelle import extract_pack
from verifier.extract.pack import write
from verifier.packs import load_pack
from verifier.provers.base import BuiltEnvironment, ToolchainInfo
from verifier.sandbox.bubblewrap import Bubblewrap

SANDBOX_UID = 61943
SOURCES = {
    # A second is less than any build takes: what a session allows itself says nothing of the machine that builds it.
    "ROOT": 'session First in "first" = HOL + options [timeout = 1] theories Low\n'
    'session Second in "second" = First + theories High\n',
    "first/Low.thy": 'theory Low imports Main begin\nlemma low: "True"\n  by simp\nend\n',
    "second/High.thy": 'theory High imports First.Low begin\nlemma high: "True = True"\n  using low by simp\nend\n',
}


@pytest.fixture
def two() -> Iterator[tuple[Pack, ToolchainInfo, Path]]:
    with tempfile.TemporaryDirectory(prefix="selen-interrupted-") as name:
        home = Path(name)
        home.chmod(0o755)
        (home / "sources").mkdir()
        for path, text in SOURCES.items():
            (home / "sources" / path).parent.mkdir(exist_ok=True)
            (home / "sources" / path).write_text(text)
        write(extract_pack(home / "sources", [], Rules.FULL, "ARM")[1], home / "two")
        pack = load_pack(home / "two", home)
        try:
            yield pack, engine.toolchain(pack, Bubblewrap(SANDBOX_UID)), home / "environments"
        except PlatformFault as fault:
            pytest.skip(str(fault))


@pytest.mark.isabelle
@pytest.mark.integration
def test_a_killed_build_goes_on_behind_the_session_and_the_ground_truth_that_were_finished(
    two: tuple[Pack, ToolchainInfo, Path],
) -> None:
    pack, found, root = two
    digest = digest_mapping(engine.prover_of(pack).recipe(pack, found))

    def build(say: Callable[[str], None], sandbox: Sandbox) -> BuiltEnvironment:
        return store.save(root, digest, lambda empty: engine.build(pack, found, empty, sandbox, say))

    told = root.with_name("told")
    told.touch()
    arguments = (lambda line: _noted(told, line), Bubblewrap(SANDBOX_UID))
    process = multiprocessing.get_context("fork").Process(target=build, args=arguments)
    process.start()
    while "Step 2 of" not in told.read_text():
        assert process.is_alive(), told.read_text()
        assert store.environments(root) == []
        time.sleep(0.1)
    time.sleep(1)
    process.kill()
    process.join()

    assert store.environments(root) == []
    (begun,) = root.rglob("steps.json")
    assert [step["name"] for step in json.loads(begun.read_text())] == ["First"]
    before = _heap(root, "First").stat()

    killed(lambda: build(lambda line: _noted(told, line), Killed(SANDBOX_UID, root, 1)))
    said = told.read_text().splitlines()
    said = said[said.index(next(line for line in said if line.startswith("First was built before"))) :]
    assert next(line.split(":")[0] for line in said if line.startswith("Step")) == "Step 2 of 3, Second"
    assert store.environments(root) == []
    image = _heap(root, "Selen_Image").stat()

    last: list[str] = []
    whole = build(last.append, Bubblewrap(SANDBOX_UID))
    assert last[0] == "Trying 2 ground truths in isolation, 1 of them before the interruption"
    assert [step.name for step in whole.steps][:2] == ["First", "Second"]
    for heap, earlier in ((_heap(whole.folder, "First"), before), (_heap(whole.folder, "Selen_Image"), image)):
        assert (heap.stat().st_ino, heap.stat().st_mtime_ns) == (earlier.st_ino, earlier.st_mtime_ns)
    assert dict(whole.refused) == {}
    assert [one.digest for one in store.environments(root)] == [digest]


def _noted(told: Path, line: str) -> None:
    with told.open("a") as file:
        file.write(line + "\n")


def _heap(folder: Path, session: str) -> Path:
    (found,) = (path for path in folder.rglob(session) if path.is_file() and path.parent.name != "log")
    return found
