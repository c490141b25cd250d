"""Packs mirrored into tables: the same rows after every repetition, and nothing that scores rest on ever changes."""

from datetime import UTC, datetime

import pytest

from tests.packs.good_pack import GoodPack
from verifier import selectors
from verifier.core.errors import InputFault
from verifier.models import Pack, Problem, ProblemSet, SetMember
from verifier.services import pack_sync, stamp_bump

pytestmark = pytest.mark.django_db


@pytest.fixture
def good(tmp_path):
    return GoodPack(tmp_path)


def everything():
    return [list(model.objects.order_by("pk").values()) for model in (Pack, Problem, ProblemSet, SetMember)]


def refusals(good):
    before = everything()
    with pytest.raises(InputFault) as caught:
        pack_sync(pack=good.load())
    assert everything() == before, "a refused sync left something behind"
    return [f"{f.member}: {f.message} | {f.remedy}" for f in caught.value.findings]


def test_a_sync_mirrors_the_pack_its_problems_and_its_sets(good):
    pack_sync(pack=good.load())
    row = Pack.objects.get(slug="good")
    assert (row.title, row.prover, row.proofs, row.daily_quota) == ("Small counters", "rocq", "choice", 10)
    assert row.manifest["categories"][0] == {"name": "P1", "meaning": "procedural, one line"}
    assert row.manifest["k_values"] == [1, 5]
    assert row.manifest["baselines"][0]["scores"] == {"P1": 50, "all": 25.5}
    assert row.problems.count() == 6
    members = selectors.problems_of_set(row.sets.get(current=True))
    assert [str(problem) for problem in members] == ["up_is_S@1", "up_up@2", "twice_grows@1", "right_step@1"]
    assert row.problems.get(split="demonstration").ident == "demo_zero"


def test_the_set_keeps_its_order_whatever_the_order_of_theories(good):
    good.edit("sets/v1.toml", '"up_is_S@1",\n  "up_up@2",', '"up_up@2",\n  "up_is_S@1",')
    pack_sync(pack=good.load())
    members = selectors.problems_of_set(ProblemSet.objects.get())
    assert [problem.ident for problem in members][:2] == ["up_up", "up_is_S"]


def test_no_ground_truth_enters_the_database(good):
    good.edit("theories/Count.v", "rewrite H.", "rewrite H. (* planted-mark *)")
    pack_sync(pack=good.load())
    assert "planted-mark" not in repr(everything())


def test_a_second_sync_changes_no_row_and_no_stamp(good):
    pack_sync(pack=good.load())
    before = everything()
    assert pack_sync(pack=good.load()).notes == ()
    assert everything() == before


def test_a_change_that_boards_show_bumps_the_stamp_once(good):
    pack_sync(pack=good.load())
    good.edit("pack.toml", "Small counters", "Little counters")
    assert pack_sync(pack=good.load()).notes == ("title changed",)
    assert Pack.objects.get().stamp == 2


def test_stamp_bump_raises_the_stamp_of_that_pack(good):
    pack_sync(pack=good.load())
    stamp_bump(pack=Pack.objects.get())
    stamp_bump(pack=Pack.objects.get())
    assert Pack.objects.get().stamp == 3


def test_a_frozen_set_cannot_take_or_lose_a_member(good):
    pack_sync(pack=good.load())
    good.edit("sets/v1.toml", '"right_step@1"', '"left_step@1"')
    (found,) = refusals(good)
    assert found.startswith("sets/v1.toml: set v1 is frozen and has other members here | Restore its members;")
    assert found.endswith("write the new list as a set of a new name and point `current_set` at it.")


def test_a_new_set_takes_over_and_the_old_one_stays(good):
    pack_sync(pack=good.load())
    good.write("sets/v2.toml", 'title = "Second"\nmembers = ["left_step@1", "up_up@2"]\n')
    good.edit("pack.toml", 'current_set = "v1"', 'current_set = "v2"')
    notes = pack_sync(pack=good.load()).notes
    assert "set v1 is kept for old scores" in notes
    row = Pack.objects.get()
    assert row.sets.get(current=True).name == "v2"
    assert len(selectors.problems_of_set(row.sets.get(name="v1"))) == 4


def test_a_revision_cannot_fall(good):
    pack_sync(pack=good.load())
    good.edit("problems/Count.toml", "revision = 2", "revision = 1")
    good.edit("sets/v1.toml", "up_up@2", "up_up@1")
    found = refusals(good)
    assert (
        "problems/Count.toml: `up_up` has revision 1, and 2 is known already | Write `revision = 2`, or 3 if it "
        in (found[1])
    )


@pytest.mark.parametrize(
    ("edits", "what"),
    [
        ([("theories/Count.v", "up_is_S : forall n", "up_is_S : forall m n : nat, m = m -> forall n")], "statement"),
        ([("problems/More.toml", '"Classical_Prop.classic"', '"Foo.bar"')], "permitted axioms"),
        ([("problems/Count.toml", 'category = "P1"\ntags', 'category = "P3"\ntags'),
          ("pack.toml", "[[categories]]", '[[categories]]\nname = "P3"\nmeaning = "x"\n\n[[categories]]')],
         "category"),
    ],
)  # fmt: skip
def test_a_frozen_problem_cannot_change_without_a_new_revision(good, edits, what):
    pack_sync(pack=good.load())
    for edit in edits:
        good.edit(*edit)
    (found,) = refusals(good)
    assert f"changed its {what} while a frozen set holds revision 1" in found
    assert "write `revision = 2` and a new set" in found


def test_a_new_revision_in_a_new_set_leaves_the_old_revision_as_it_was(good):
    pack_sync(pack=good.load())
    old = Problem.objects.get(ident="up_is_S").statement
    good.edit("theories/Count.v", "forall n, up n = S n", "forall m, up m = S m")
    good.edit("problems/Count.toml", 'id = "up_is_S"', 'id = "up_is_S"\nrevision = 2')
    good.write("sets/v2.toml", 'title = "Second"\nmembers = ["up_is_S@2"]\n')
    good.edit("pack.toml", 'current_set = "v1"', 'current_set = "v2"')
    pack_sync(pack=good.load())
    assert Problem.objects.get(ident="up_is_S", revision=1).statement == old
    assert Problem.objects.get(ident="up_is_S", revision=2).statement != old
    assert pack_sync(pack=good.load()).notes == ()


def test_a_frozen_problem_cannot_vanish_and_a_withdrawn_one_stays_in_its_set(good):
    pack_sync(pack=good.load())
    text = (good.root / "problems" / "More.toml").read_text()
    good.write("problems/More.toml", text[: text.index('[[problem]]\nid = "right_step"')])
    good.write("sets/v2.toml", 'title = "Second"\nmembers = ["up_up@2"]\n')
    good.edit("pack.toml", 'current_set = "v1"', 'current_set = "v2"')
    (good.root / "sets" / "v1.toml").unlink()
    (found,) = refusals(good)
    assert found.endswith(
        '`right_step` is gone, and a frozen set holds it | Bring it back with `status = "withdrawn"`.'
    )
    good.write("problems/More.toml", text.replace('id = "right_step"', 'id = "right_step"\nstatus = "withdrawn"'))
    pack_sync(pack=good.load())
    assert Problem.objects.get(ident="right_step").status == "withdrawn"
    assert len(selectors.problems_of_set(ProblemSet.objects.get(name="v1"))) == 4


def test_a_problem_that_no_set_holds_may_change_and_vanish(good):
    pack_sync(pack=good.load())
    good.edit("problems/More.toml", 'id = "left_step"', 'id = "other_step"')
    assert set(pack_sync(pack=good.load()).notes) == {"1 problem new", "1 problem taken away", "digest changed"}
    assert not Problem.objects.filter(ident="left_step").exists()


def test_an_older_set_whose_revisions_are_unknown_here_is_left_out_and_told(good):
    good.write("sets/v0.toml", 'title = "Older"\nmembers = ["up_up@1"]\n')
    notes = pack_sync(pack=good.load()).notes
    assert "set v0 is left out: `up_up@1` is older than anything known here" in notes
    assert list(ProblemSet.objects.values_list("name", flat=True)) == ["v1"]


def test_a_date_set_by_an_organiser_wins_until_the_pack_says_something_new(good):
    pack_sync(pack=good.load())
    chosen = datetime(2028, 5, 1, tzinfo=UTC)
    Pack.objects.update(closes=chosen, daily_quota=3)
    good.edit("pack.toml", "Small counters", "Little counters")
    pack_sync(pack=good.load())
    assert (Pack.objects.get().closes, Pack.objects.get().daily_quota) == (chosen, 3)
    good.edit("pack.toml", "closes = 2027", "closes = 2029")
    assert "closes is 2029-01-01T00:00:00+00:00 now" in pack_sync(pack=good.load()).notes
    assert (Pack.objects.get().closes.year, Pack.objects.get().daily_quota) == (2029, 3)


def test_the_number_of_queries_does_not_grow_with_the_pack(good, django_assert_max_num_queries):
    many = range(300)
    good.edit(
        "theories/Count.v", "Section Twice.", "\n".join(f"Lemma x{n} : True.\nProof.\nexact I.\nQed." for n in many)
    )
    good.edit("theories/Count.v", "End Twice.", "")
    good.edit("theories/Count.v", "  Hypothesis f_grows : forall n, f n = S n.\n", "")
    good.edit("problems/Count.toml", '[[problem]]\nid = "up_is_S"', "\n".join(
        f'[[problem]]\nid = "x{n}"\ncategory = "P1"' for n in many
    ) + '\n[[problem]]\nid = "up_is_S"')  # fmt: skip
    with django_assert_max_num_queries(25):
        pack_sync(pack=good.load())


def test_the_edition_for_teams_is_never_hosted(good):
    good.edit("pack.toml", "format = 1", 'format = 1\nedition = "team"')
    assert refusals(good) == [
        "pack.toml: an edition for teams | Sync the host's pack; this one is what its teams judge with at home."
    ]
