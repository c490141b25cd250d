"""`packs build` and `packs selftest` with the real prover behind the real walls."""

import io

import pytest
from django.core.management import CommandError, call_command

from tests.packs.good_pack import GoodPack
from verifier import selectors
from verifier.models import Environment, Pack

pytestmark = [pytest.mark.rocq, pytest.mark.integration, pytest.mark.django_db]


@pytest.fixture
def good(tmp_path, settings):
    settings.PACKS_DIR = tmp_path
    settings.DATA_DIR = tmp_path / "var"
    return GoodPack(tmp_path)


def run(*arguments):
    out = io.StringIO()
    try:
        call_command("packs", *arguments, stdout=out)
    except SystemExit as end:
        return end.code, out.getvalue()
    return 0, out.getvalue()


def test_a_pack_is_built_noted_reused_and_tried(good):
    run("sync")
    code, out = run("build", "good")
    assert code == 0, out
    assert "Compiling Count.v" in out
    assert " 0 refused" in out
    assert not any(line.startswith("refused ") for line in out.splitlines())
    row = selectors.environment_current(Pack.objects.get(slug="good"))
    assert row.prover == "rocq"
    assert row.images.get().digests.keys() >= {"Count.vo", "More.vo"}
    assert "Compiling Count.v" in row.images.get().log
    code, out = run("build", "good", "--if-needed")
    assert "nothing to do" in out
    assert "Compiling" not in out
    assert "Compiling Count.v" in row.images.get().log, "finding it ready took the build log away"
    code, out = run("selftest", "good")
    assert code == 0, out
    assert "5 cases, 0 unexpected" in out


def test_a_self_test_in_the_wrong_folder_fails_the_command(good):
    good.write("selftest/failed/up_up.v", (good.root / "selftest" / "proved" / "up_is_S.v").read_text())
    good.write("selftest/proved/up_up.v", "Proof.\n  idtac.\nQed.\n")
    run("build", "good")
    code, out = run("selftest", "good")
    assert code == 1
    assert "7 cases, 2 unexpected" in out
    assert "proved/up_up.v: expected proved, got failed (goals_left: " in out


def test_a_second_build_replaces_the_environment_and_leaves_nothing_beside_it(good, settings):
    run("build", "good")
    run("build", "good")
    kept = [path for path in (settings.DATA_DIR / "environments").iterdir() if path.is_dir()]
    assert len(kept) == 1


def test_a_problem_that_came_since_is_tried_before_the_pack_counts_as_built(good):
    listed = (good.root / "problems" / "More.toml").read_text()
    good.edit("problems/More.toml", listed[: listed.index("[[problem]]", 1)], "")
    code, out = run("build", "good")
    assert (code, "Trying 5 ground truths" in out) == (0, True)
    good.write("problems/More.toml", listed)
    with pytest.raises(CommandError, match=r"other problems now\. Run manage\.py packs build good"):
        run("selftest", "good")
    code, out = run("build", "good", "--if-needed")
    assert "built before with the same recipe, but the pack has other problems now" in out
    assert "Trying 6 ground truths" in out
    assert run("selftest", "good")[0] == 0


def test_an_environment_of_a_changed_recipe_becomes_the_current_one(good):
    run("sync")
    run("build", "good")
    good.edit("theories/Count.v", "(* Counting", "(* Still counting")
    run("sync")
    run("build", "good")
    assert Environment.objects.count() == 2
    assert Environment.objects.filter(current=True).count() == 1


def test_a_build_without_a_mirror_says_what_is_left_to_do(good):
    code, out = run("build", "good")
    assert code == 0
    assert "not noted: the database does not know good; run manage.py packs sync good" in out


def test_a_theory_that_does_not_compile_leaves_nothing_behind(good, settings):
    good.edit("theories/Count.v", "nat := S n", "nat := S m")
    with pytest.raises(CommandError, match="does not compile") as caught:
        run("build", "good")
    assert caught.value.returncode == 3
    assert [path for path in (settings.DATA_DIR / "environments").iterdir() if path.is_dir()] == []


def test_a_pack_for_another_release_is_refused_with_both_named(good):
    good.edit("pack.toml", ">=8.16", ">=99")
    with pytest.raises(CommandError, match=r"meant for rocq >=99, and Rocq .* is here"):
        run("build", "good")


def test_self_tests_before_a_build_name_the_command(good):
    with pytest.raises(CommandError, match=r"Run manage\.py packs build good"):
        run("selftest", "good")
