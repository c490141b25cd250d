"""An environment is named after everything that a verdict rests on, the judge's own modules included."""

import shutil
from pathlib import Path

import pytest

from tests.provers.small_pack import small_pack
from verifier.core.digest import digest_mapping
from verifier.provers.base import ToolchainInfo
from verifier.provers.rocq import identity
from verifier.provers.rocq.adapter import RocqProver

FOLDER = Path(identity.__file__).parent
CORE = FOLDER.parents[1] / "core"
SCANNERS = sorted(path.name for path in CORE.glob("rocq*.py"))
COUNTED = sorted(path.name for path in FOLDER.glob("*.py") if path.name not in identity.APART)


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copies of the modules, which the digests are then taken of."""
    for path in (*FOLDER.glob("*.py"), *CORE.glob("rocq*.py")):
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(identity, "_FOLDER", tmp_path)
    for module in (identity.rocq, identity.rocq_lexer, identity.rocq_outline):
        monkeypatch.setattr(module, "__file__", str(tmp_path / Path(str(module.__file__)).name))
    for name in SCANNERS:  # they lie beside the others in the copy, and count there as scanners alone
        monkeypatch.setitem(identity.APART, name, "a scanner")
    return tmp_path


def digests() -> tuple[str, str]:
    return identity.policy.__wrapped__(), identity.driver.__wrapped__()


@pytest.mark.parametrize("name", [*SCANNERS, *COUNTED])
def test_a_change_of_any_module_changes_one_of_the_digests(copied: Path, name: str) -> None:
    before = digests()
    (copied / name).write_text((copied / name).read_text(encoding="utf-8") + "\n# another rule\n", encoding="utf-8")
    policy, driver = digests()
    is_policy = name in SCANNERS or name in identity.POLICY
    assert (policy != before[0], driver != before[1]) == (is_policy, not is_policy)


def test_a_new_module_counts_without_being_named(copied: Path) -> None:
    before = digests()
    (copied / "another.py").write_text("RULE = 1\n", encoding="utf-8")
    assert digests()[1] != before[1]


def test_a_module_that_is_left_out_says_why_and_is_there() -> None:
    assert {path.name for path in FOLDER.glob("*.py")} >= set(identity.APART)
    assert set(identity.POLICY) <= set(COUNTED)
    assert all(identity.APART.values())


def test_the_recipe_holds_policy_driver_release_and_sources() -> None:
    pack, prover = small_pack(), RocqProver()
    recipe = prover.recipe(pack, ToolchainInfo("Rocq", "8.16.1", {}, tried=True))
    assert (recipe["policy"], recipe["driver"]) == digests()
    newer = prover.recipe(pack, ToolchainInfo("Rocq", "9.3.0", {}, tried=False))
    assert digest_mapping(recipe) != digest_mapping(newer)
    assert recipe["theories/Trees.v"] == newer["theories/Trees.v"]
