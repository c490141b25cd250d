"""A host's choices hold for sources as they stand now: what they say is read anew, what is gone or new is named."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.packs.good_pack import GoodPack
from verifier.extract.facts import Rules
from verifier.extract.like import choices_read
from verifier.extract.pack import Written, write
from verifier.extract.rocq import extract_rocq_pack
from verifier.packs import load_pack


@pytest.fixture
def good(tmp_path):
    (tmp_path / "host").mkdir()
    return GoodPack(tmp_path / "host")


def _anew(good: GoodPack) -> Written:
    choices = choices_read(good.root, "rocq")
    return extract_rocq_pack(good.root / "theories", Rules.FULL, "good", choices)[1]


def _settled(good: GoodPack, home: Path) -> GoodPack:
    """The pack as `extract` writes it."""
    write(_anew(good), home / "good")
    good.root = home / "good"
    return good


def test_the_pack_that_is_written_loads_as_the_one_whose_choices_it_has(good, tmp_path):
    before = good.load()
    after = _settled(good, tmp_path).load()
    assert after.digest == before.digest
    assert [one.digest for one in after.sets] == [one.digest for one in before.sets]
    assert (after.opens, after.limits, after.baselines) == (before.opens, before.limits, before.baselines)
    assert [one.text for one in after.selftests] == [one.text for one in before.selftests]


def test_the_product_written_again_is_itself(good, tmp_path):
    first = _anew(good)
    assert first.files == _anew(_settled(good, tmp_path)).files


def test_what_the_sources_say_comes_from_them_whatever_the_pack_says(good, tmp_path):
    settled = _settled(good, tmp_path)
    expected = _anew(settled).files
    problems = [(settled.root / f"problems/{unit}.toml").read_text() for unit in ("More", "Count")]
    settled.write("problems/Count.toml", "\n".join(problems).replace('category = "D"', 'category = "P1"'))
    settled.edit("problems/Count.toml", 'id = "twice_grows"', 'id = "twice_grows"\nlemma = "Twice.twice_grows"')
    (settled.root / "problems" / "More.toml").unlink()
    settled.edit("pack.toml", '["Count", "More"]', '["More", "Count", "Third"]')
    text = (settled.root / "sets" / "v1.toml").read_text()
    settled.write("sets/v1.toml", text[: text.index("digest")])
    written = _anew(settled)
    assert written.files == expected
    assert sorted(written.notes) == [
        "P1 before, D now: up_up, problem up_up",
        "moved from Count to More: step, problem left_step",
        "moved from Count to More: step, problem right_step",
    ]


def test_a_lemma_that_is_gone_is_named_and_leaves_its_sets(good, tmp_path):
    settled = _settled(good, tmp_path)
    settled.edit("theories/Count.v", "twice_grows", "twice_climbs")
    written = _anew(settled)
    assert written.notes == (
        "left out, is gone from the sources: twice_grows of Count, problem twice_grows",
        "not taken, 1 of Count: twice_climbs",
        "set v1 is another now and needs another name: without twice_grows",
    )
    write(written, tmp_path / "again" / "good")
    members = load_pack(tmp_path / "again" / "good", tmp_path).sets[0].members
    assert members == (("up_is_S", 1), ("up_up", 2), ("right_step", 1))


def test_a_lemma_whose_proof_is_given_up_fits_no_category(good, tmp_path):
    settled = _settled(good, tmp_path)
    settled.edit("theories/Count.v", "Proof. reflexivity. Qed.", "Proof. Admitted.")
    assert _anew(settled).notes == ("left out, fits no category: up_zero of Count, problem demo_zero",)


def test_a_name_that_became_two_is_left_out(good, tmp_path):
    settled = _settled(good, tmp_path)
    settled.edit("theories/Count.v", "Section Twice.", "Module M.\nLemma up_up : True.\nProof. exact I. Qed.\nEnd M.\n")
    settled.edit("theories/Count.v", "End Twice.", "")
    settled.edit("theories/Count.v", "Variable f : nat -> nat.\n  Hypothesis", "Axiom f : nat -> nat.\n  Axiom")
    assert "left out, names 2 lemmas: up_up of Count, problem up_up" in _anew(settled).notes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["isabelle", "--out", "new"], "this is a pack for rocq. Write extract rocq."),
        (["rocq", "--stats"], "--like writes a pack: name its folder with --out."),
    ],
)
def test_what_cannot_be_meant_is_said(good, tmp_path, arguments, said):
    with pytest.raises(CommandError) as raised:
        call_command(
            "extract", *arguments, "--sources", str(good.root / "theories"), "--like", str(good.root), "--rules", "full"
        )
    assert said in str(raised.value)


def test_rules_may_be_left_out_with_a_pack_alone(good, tmp_path, capsys):
    sources, out = str(good.root / "theories"), str(tmp_path / "out" / "good")
    call_command("extract", "rocq", "--sources", sources, "--like", str(good.root), "--out", out)
    assert "6 problems, 1 of them demonstrations" in capsys.readouterr().out
    with pytest.raises(CommandError, match="Name the --rules"):
        call_command("extract", "rocq", "--sources", sources, "--stats")


def test_an_edition_without_proofs_gives_no_choices(good):
    good.edit("pack.toml", "format = 1\n", 'format = 1\nedition = "team"\n')
    with pytest.raises(CommandError, match=r"pack\.toml:2: this edition holds no proofs"):
        call_command(
            "extract", "rocq", "--sources", str(good.root / "theories"), "--like", str(good.root), "--out", "new"
        )
