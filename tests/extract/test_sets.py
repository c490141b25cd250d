"""A seed draws the same set everywhere, in proportion to categories, and a frozen set stays as it is."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import call_command

from verifier.core.errors import InputFault
from verifier.core.problem import Split
from verifier.extract.freeze import freeze, near_duplicates, table
from verifier.packs import load_pack

PACKS = Path(__file__).parents[2] / "packs"


@pytest.fixture
def pack(tmp_path):
    shutil.copytree(PACKS / "minikernel-isabelle", tmp_path / "mini")
    return load_pack(tmp_path / "mini", tmp_path)


def _frozen(pack, tmp_path, refused=(), name="autumn"):
    frozen = freeze(pack, seed=7, size=50, name=name, refused=refused)
    for path, text in frozen.files.items():
        (pack.root / path).write_text(text)
    return frozen, load_pack(pack.root, tmp_path)


def test_a_seed_draws_the_same_members_and_another_seed_others(pack):
    draws = [freeze(pack, seed=seed, size=50, name="autumn", refused=()) for seed in (7, 7, 8)]
    assert draws[0] == draws[1]
    assert draws[0].members != draws[2].members
    assert draws[0].digest != draws[2].digest


def test_the_pack_loads_with_the_new_set_as_its_current_one_and_keeps_the_old(pack, tmp_path):
    frozen, again = _frozen(pack, tmp_path)
    assert again.current_set == "autumn"
    assert {one.name: one.digest for one in again.sets} == {
        **{one.name: one.digest for one in pack.sets},
        "autumn": frozen.digest,
    }
    assert again.digest == pack.digest


def test_each_category_has_its_share_and_demonstrations_stay_out(pack):
    frozen = freeze(pack, seed=7, size=50, name="autumn", refused=())
    by_id = {problem.id: problem for problem in pack.problems}
    assert sum(frozen.drawn.values()) == len(frozen.members) == 50
    assert all(by_id[name].split is Split.EVALUATION for name, _ in frozen.members)
    free = [problem for problem in pack.problems if problem.split is Split.EVALUATION]
    for category, count in frozen.drawn.items():
        exact = 50 * sum(problem.category == category for problem in free) / len(free)
        assert abs(count - exact) < 1


def test_what_was_drawn_and_refused_is_counted_but_no_member(pack, tmp_path):
    first = freeze(pack, seed=7, size=50, name="autumn", refused=()).members[0][0]
    frozen, again = _frozen(pack, tmp_path, refused={first})
    assert first not in {name for name, _ in frozen.members}
    counts = table(again, next(one for one in again.sets if one.name == "autumn"), {first})
    total = {line: row["all"] for line, row in counts.items()}
    assert total == {
        "extracted": 179,
        "sampled": 70,
        "correctly verified": 69,
        "demonstration": 20,
        "evaluation": 49,
    }


def test_nothing_is_verified_where_nothing_was_built(pack):
    counts = table(pack, pack.sets[0], None)
    assert set(counts["correctly verified"].values()) == {None}


def test_a_set_that_exists_or_is_too_large_is_refused(pack):
    with pytest.raises(InputFault, match="exists"):
        freeze(pack, seed=7, size=50, name=pack.sets[0].name, refused=())
    with pytest.raises(InputFault, match="cannot be drawn"):
        freeze(pack, seed=7, size=5000, name="autumn", refused=())


def test_a_copy_of_a_demonstration_under_another_name_is_found(pack):
    given = next(problem for problem in pack.problems if problem.split is Split.DEMONSTRATION)
    statement = given.statement.replace(given.lemma, "copied")
    copy = replace(given, id="copied", lemma="copied", statement=statement)
    other = next(problem for problem in pack.problems if problem.unit != given.unit)
    assert [(pair.problem, pair.demonstration, pair.likeness) for pair in near_duplicates([copy, other], [given])] == [
        ("copied", given.id, 1.0)
    ]


def test_the_command_freezes_prints_and_refuses_a_second_time(pack, capsys):
    call_command("sets", "freeze", str(pack.root), "--seed", "7", "--size", "50", "--name", "autumn")
    assert "set autumn, 50 problems" in capsys.readouterr().out
    before = (pack.root / "sets" / "autumn.toml").read_bytes()
    with pytest.raises(SystemExit):
        call_command("sets", "freeze", str(pack.root), "--seed", "8", "--size", "50", "--name", "autumn")
    assert (pack.root / "sets" / "autumn.toml").read_bytes() == before
    capsys.readouterr()
    call_command("sets", "table", str(pack.root), "--json")
    assert json.loads(capsys.readouterr().out)["lines"]["evaluation"]["all"] == 50


def test_a_name_that_no_set_can_have_leaves_the_pack_as_it_was(pack, tmp_path):
    before = (pack.root / "pack.toml").read_bytes()
    with pytest.raises(SystemExit):
        call_command("sets", "freeze", str(pack.root), "--seed", "7", "--size", "50", "--name", "Autumn_Set")
    assert (pack.root / "pack.toml").read_bytes() == before
    assert not (pack.root / "sets" / "Autumn_Set.toml").exists()
    load_pack(pack.root, tmp_path)
