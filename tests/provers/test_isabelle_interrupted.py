"""A build killed in its second session goes on from there, and until it is whole nobody finds an environment."""

import json
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from verifier import engine, store
from verifier.core.digest import digest_mapping
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack
from verifier.extract.facts import Rules
from verifier.extract.isabelle import extract_pack
from verifier.extract.pack import write
from verifier.packs import load_pack
from verifier.provers.base import BuiltEnvironment, ToolchainInfo
from verifier.sandbox.bubblewrap import Bubblewrap

SANDBOX_UID = 61943
SOURCES = {
    "ROOT": 'session First in "first" = HOL + theories Low\nsession Second in "second" = First + theories High\n',
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
def test_a_killed_build_goes_on_behind_the_session_that_was_finished(two: tuple[Pack, ToolchainInfo, Path]) -> None:
    pack, found, root = two
    digest = digest_mapping(engine.prover_of(pack).recipe(pack, found))

    def build(say: Callable[[str], None]) -> BuiltEnvironment:
        sandbox = Bubblewrap(SANDBOX_UID)
        return store.save(root, digest, lambda empty: engine.build(pack, found, empty, sandbox, say))

    told = root.with_name("told")
    told.touch()
    killed = multiprocessing.get_context("fork").Process(target=build, args=(lambda line: _noted(told, line),))
    killed.start()
    while "Step 2 of" not in told.read_text():
        assert killed.is_alive(), told.read_text()
        assert store.environments(root) == []
        time.sleep(0.1)
    time.sleep(1)
    killed.kill()
    killed.join()

    assert store.environments(root) == []
    (begun,) = root.rglob("steps.json")
    assert [step["name"] for step in json.loads(begun.read_text())] == ["First"]
    before = _heap(root, "First").stat()

    said: list[str] = []
    whole = build(said.append)
    assert said[0].startswith("First was built before the interruption")
    assert next(line.split(":")[0] for line in said if line.startswith("Step")) == "Step 2 of 3, Second"
    assert [step.name for step in whole.steps][:2] == ["First", "Second"]
    after = _heap(whole.folder, "First").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert dict(whole.refused) == {}
    assert [one.digest for one in store.environments(root)] == [digest]


def _noted(told: Path, line: str) -> None:
    with told.open("a") as file:
        file.write(line + "\n")


def _heap(folder: Path, session: str) -> Path:
    (found,) = (path for path in folder.rglob(session) if path.is_file() and path.parent.name != "log")
    return found
