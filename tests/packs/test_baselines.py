"""Reported figures: what print and number of problems leave possible, and the pack that holds nothing else."""

import io
from fractions import Fraction

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from tests.packs.good_pack import GoodPack
from verifier.core.errors import InputFault
from verifier.core.problem import Failures
from verifier.models import Pack
from verifier.packs import load_pack, load_provable
from verifier.packs.baselines import solved_behind
from verifier.services import pack_sync


@given(st.integers(1, 400), st.data())
def test_the_true_number_is_always_among_those_that_a_print_leaves_possible(total, data):
    solved = data.draw(st.integers(0, total))
    printed = float(round(Fraction(100 * solved, total), 1))
    assert solved in solved_behind(printed, total)
    assert solved in solved_behind(round(100 * solved / total), total)


@given(st.integers(1, 400), st.integers(0, 1000))
def test_every_number_left_possible_is_within_half_a_unit_of_the_print(total, tenths):
    for solved in solved_behind(tenths / 10, total):
        assert abs(Fraction(100 * solved, total) - Fraction(tenths, 10)) <= Fraction(1, 20)


def test_decimals_of_the_print_decide_how_many_numbers_are_possible():
    assert solved_behind(0, 340) == [0, 1]
    assert solved_behind(0.0, 340) == [0]
    assert solved_behind(41.7, 139) == [58]
    assert solved_behind(41.6, 139) == []


def test_rows_of_the_good_pack_carry_counts_only_where_the_number_of_problems_is_known(tmp_path):
    good = GoodPack(tmp_path)
    assert good.load().baselines[0].solved == {}
    good.edit("baselines.toml", "[[baseline]]", "[problems]\nP1 = 4\nall = 8\n\n[[baseline]]")
    good.edit("baselines.toml", "all = 25.5", "all = 25.0")
    row = good.load().baselines[0]
    assert (row.solved, row.problems) == ({"P1": 2, "all": 2}, {"P1": 4, "all": 8})


def test_two_publications_may_report_one_system_with_two_values(tmp_path):
    good = GoodPack(tmp_path)
    row = '[[baseline]]\nsystem = "S"\nsource = "{}, Table 2"\nk = 1\nscores = {{ P1 = {} }}\n'
    good.write("baselines.toml", row.format("Nobody 2026", 50) + row.format("Somebody 2027", 60))
    assert [one.scores["P1"] for one in good.load().baselines] == [50, 60]
    good.write("baselines.toml", row.format("Nobody 2026", 50) + row.format("Nobody 2026", 60))
    with pytest.raises(InputFault, match="60 here and 50 further up"):
        good.load()


def test_selene_holds_the_rules_of_the_paper_and_its_figures_and_no_problem():
    pack = load_pack("selene", settings.PACKS_DIR)
    assert (pack.prover, pack.limits.wall_seconds, pack.limits.tokens) == ("isabelle", 600, 2048)
    assert (pack.k_values, [each.name for each in pack.categories]) == ((1, 5), ["P1", "P2", "P3", "D"])
    assert pack.reported_only
    assert not pack.problems
    assert {row.source.split(", ")[1] for row in pack.baselines} == {f"Table {number}" for number in range(2, 8)}
    table_3 = next(row for row in pack.baselines if "Table 3" in row.source)
    assert table_3.failures["P1"] == Failures(38, 41, 2)


def test_every_score_of_selene_leaves_one_whole_number():
    for row in load_pack("selene", settings.PACKS_DIR).baselines:
        assert row.solved.keys() == row.scores.keys()


def test_nobody_can_check_proofs_of_a_pack_of_reported_figures():
    with pytest.raises(InputFault) as caught:
        load_provable("selene", settings.PACKS_DIR)
    assert caught.value.findings[0].message == "reported figures alone, no problems"
    assert "extract the problems" in caught.value.findings[0].remedy


def test_commands_that_need_problems_say_that_there_are_none(tmp_path):
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("packs", "build", "selene", stdout=out)
    assert "selene/pack.toml: reported figures alone, no problems" in out.getvalue()
    for command in ("preflight", "judge"):
        with pytest.raises(CommandError, match=r"pack\.toml: reported figures alone, no problems"):
            call_command(command, "selene", str(tmp_path))


def test_check_tells_how_many_rows_are_reported():
    out = io.StringIO()
    call_command("packs", "check", "selene", stdout=out)
    assert out.getvalue() == "selene: no finding; reported figures alone, 18 rows\n"


@pytest.mark.django_db
def test_a_sync_mirrors_reported_figures_and_bumps_the_stamp_when_one_changes(tmp_path):
    good = GoodPack(tmp_path)
    pack_sync(pack=good.load())
    before = Pack.objects.get(slug="good")
    assert pack_sync(pack=good.load()).notes == ()
    good.edit("baselines.toml", "all = 25.5", "all = 26.5")
    assert pack_sync(pack=good.load()).notes == ("manifest changed",)
    after = Pack.objects.get(slug="good")
    assert after.manifest["baselines"][0]["scores"] == {"P1": 50, "all": 26.5}
    assert after.stamp > before.stamp


@pytest.mark.django_db
def test_selene_is_mirrored_without_problems_sets_or_environment():
    pack_sync(pack=load_pack("selene", settings.PACKS_DIR))
    row = Pack.objects.get(slug="selene")
    assert row.manifest["reported_only"] is True
    assert len(row.manifest["baselines"]) == 18
    assert (row.problems.count(), row.sets.count(), row.environments.count()) == (0, 0, 0)
