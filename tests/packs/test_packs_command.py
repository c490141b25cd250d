"""`manage.py packs`: what each subcommand prints, and which exit code says that something is wrong."""

import io
import zipfile

import pytest
from django.core.management import CommandError, call_command

from tests.packs.good_pack import GoodPack
from verifier.models import Pack


@pytest.fixture
def good(tmp_path, settings):
    settings.PACKS_DIR = tmp_path
    return GoodPack(tmp_path)


def run(*arguments):
    out = io.StringIO()
    try:
        call_command("packs", *arguments, stdout=out)
    except SystemExit as end:
        return end.code, out.getvalue()
    return 0, out.getvalue()


def test_check_of_a_good_pack_says_what_is_in_it(good):
    code, out = run("check", "good")
    assert code == 0
    assert "good: no finding; 5 problems (P1 2, P2 2, D 1), 1 demonstrations" in out
    assert "set v1, current: 4 problems, digest " in out


def test_check_prints_all_findings_of_all_packs_with_file_and_line(good):
    good.edit("pack.toml", "licence", "license")
    good.edit("problems/Count.toml", "tags", "tag")
    code, out = run("check")
    assert code == 1
    assert "good/pack.toml:6: unknown key `license`. Write `licence`." in out
    assert "good/problems/Count.toml:4: unknown key `problem[1].tag`. Write `tags`." in out
    assert "good: 3 findings" in out


def test_check_without_any_pack_says_where_it_looked(tmp_path, settings):
    settings.PACKS_DIR = tmp_path
    with pytest.raises(CommandError, match="holds no pack"):
        run("check")


def test_an_unknown_pack_gives_exit_1_and_the_nearest_name(good):
    assert run("export", "god", "--ids") == (1, "god: no pack.toml of a pack here. Write `good`.\ngod: 1 finding\n")


def test_the_ids_of_the_current_set_come_one_a_line_in_its_order(good):
    assert run("export", "good", "--ids") == (0, "up_is_S\nup_up\ntwice_grows\nright_step\n")


def test_the_archive_is_written_where_it_is_wanted(good, tmp_path):
    code, out = run("export", "good", "--out", str(tmp_path / "teams.zip"))
    assert code == 0
    assert "4 problems of good" in out
    assert "good/problems.jsonl" in zipfile.ZipFile(tmp_path / "teams.zip").namelist()


def test_an_archive_that_cannot_be_written_says_so(good, tmp_path):
    with pytest.raises(CommandError, match="cannot be written: No such file or directory"):
        run("export", "good", "--out", str(tmp_path / "nowhere" / "teams.zip"))


@pytest.mark.django_db
def test_sync_mirrors_all_packs_and_says_what_it_did(good):
    assert run("sync") == (0, "good: new pack; 6 problems new; set v1 frozen with 4 problems\n")
    assert run("sync") == (0, "good: nothing to do\n")
    assert Pack.objects.count() == 1


@pytest.mark.django_db
def test_sync_prints_what_it_refuses_and_exits_1(good):
    run("sync")
    good.edit("sets/v1.toml", "right_step@1", "left_step@1")
    code, out = run("sync")
    assert code == 1
    assert "good/sets/v1.toml: set v1 is frozen and has other members here. Restore its members" in out
