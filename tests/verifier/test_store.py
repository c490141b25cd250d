"""A built environment is whole or absent, and an interrupted build leaves what the next one goes on from."""

from pathlib import Path

import pytest

from verifier import store
from verifier.provers.base import BuildStep, BuiltEnvironment

DIGEST = "0" * 64


def environment(folder: Path) -> BuiltEnvironment:
    steps = (BuildStep("Base", 2.0, 1.5, 300),)
    return BuiltEnvironment(DIGEST, "pack", "isabelle", "1", folder, {}, {}, steps=steps)


def interrupted(folder: Path) -> BuiltEnvironment:
    (folder / "begun").mkdir()
    (folder / "begun" / "heap").write_text("half of it")
    (folder / "image").mkdir()
    (folder / "tools.json").write_text("{}")
    raise KeyboardInterrupt


def test_only_what_a_build_put_aside_outlives_its_interruption(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        store.save(tmp_path, DIGEST, interrupted)
    assert store.environments(tmp_path) == []
    assert store.load(tmp_path, DIGEST) is None
    seen: list[str] = []

    def resumed(folder: Path) -> BuiltEnvironment:
        seen.extend(sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*")))
        (folder / "begun" / "heap").unlink()
        (folder / "begun").rmdir()
        return environment(folder)

    built = store.save(tmp_path, DIGEST, resumed)
    assert seen == ["begun", "begun/heap"]
    assert store.load(tmp_path, DIGEST) == built
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".lock")] == [DIGEST]


def test_a_build_that_put_nothing_aside_leaves_nothing(tmp_path: Path) -> None:
    def failed(folder: Path) -> BuiltEnvironment:
        (folder / "image").mkdir()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.save(tmp_path, DIGEST, failed)
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".lock")] == []


def test_what_each_step_took_is_part_of_the_record(tmp_path: Path) -> None:
    store.save(tmp_path, DIGEST, environment)
    found = store.load(tmp_path, DIGEST)
    assert found is not None
    assert found.steps == (BuildStep("Base", 2.0, 1.5, 300),)
