"""What the good pack loads to, what its digests depend on, and what is refused before any file is read."""

import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.packs.good_pack import GoodPack
from verifier.core.errors import InputFault
from verifier.core.limits import Limits
from verifier.core.problem import ProofVisibility, Split
from verifier.core.verdict import Verdict
from verifier.packs import load_pack, packs_found
from verifier.packs.identity import set_digest
from verifier.packs.schema import BaselinesFile, PackFile, ProblemsFile, ReportedFile, SetFile

DOCS = Path(__file__).parent.parent.parent / "docs" / "packs.md"


@pytest.fixture
def root(tmp_path):
    return GoodPack(tmp_path).root


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def messages(root):
    with pytest.raises(InputFault) as caught:
        load_pack(root, root.parent)
    return [f"{f.member}: {f.message}" for f in caught.value.findings]


def test_a_slug_and_a_folder_name_the_same_pack(root):
    assert load_pack("good", root.parent) == load_pack(root, Path("/nowhere"))
    assert packs_found(root.parent) == ["good"]


def test_the_manifest_becomes_the_pack(root):
    pack = load_pack("good", root.parent)
    assert (pack.slug, pack.prover, pack.toolchain, pack.units) == ("good", "rocq", ">=8.16", ("Count", "More"))
    assert pack.limits == Limits(wall_seconds=10, memory_bytes=2 * 2**30)
    assert pack.selftest_limits == Limits(wall_seconds=5, memory_bytes=2 * 2**30)
    assert [category.name for category in pack.categories] == ["P1", "P2", "D"]
    assert (pack.k_values, pack.primary_metric, pack.proofs) == ((1, 5), "acc1", ProofVisibility.CHOICE)
    assert pack.opens == datetime(2026, 1, 1, tzinfo=UTC)
    assert pack.current_set == "v1"
    assert pack.baselines[0].scores == {"P1": 50, "all": 25.5}


def test_problems_come_in_the_order_of_units_and_theories(root):
    pack = load_pack("good", root.parent)
    assert [problem.id for problem in pack.problems] == [
        "up_is_S", "twice_grows", "up_up", "demo_zero", "left_step", "right_step",
    ]  # fmt: skip


def test_statement_scope_and_ground_truth_come_from_the_theory(root):
    problem = load_pack("good", root.parent).problem("twice_grows")
    assert problem.statement == "Lemma twice_grows : forall n, f (f n) = S (S n)."
    assert problem.scope == ("Twice",)
    assert problem.ground_truth.startswith("Proof.")
    assert problem.ground_truth.endswith("Qed.")
    demonstration = load_pack("good", root.parent).problem("demo_zero")
    assert (demonstration.lemma, demonstration.split) == ("up_zero", Split.DEMONSTRATION)


def test_a_module_path_tells_lemmas_of_one_name_apart(root):
    pack = load_pack("good", root.parent)
    left, right = pack.problem("left_step"), pack.problem("right_step")
    assert (left.scope, right.scope) == (("Left",), ("Right",))
    assert (left.statement, left.position) != (right.statement, right.position)


def test_self_tests_take_their_verdict_from_the_folder_and_may_carry_a_label(root):
    cases = {(t.problem, t.expected, t.path.name) for t in load_pack("good", root.parent).selftests}
    assert cases == {
        ("up_is_S", Verdict.PROVED, "up_is_S.v"),
        ("up_is_S", Verdict.FAILED, "up_is_S.v"),
        ("up_is_S", Verdict.FAILED, "up_is_S.open.v"),
        ("up_up", Verdict.REJECTED, "up_up.v"),
    }


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("theories/Count.v", "forall n, up n = S n", "forall m, up m = S m"),
        ("theories/Count.v", "(* Counting", "(* counting"),
        ("problems/More.toml", '"Classical_Prop.classic"', ""),
        ("pack.toml", "wall_seconds = 10", "wall_seconds = 11"),
        ("pack.toml", ">=8.16", ">=8.17"),
    ],
)
def test_the_digest_changes_with_whatever_a_verdict_depends_on(root, file, old, new):
    before = load_pack(root, root.parent).digest
    edit(root / file, old, new)
    assert load_pack(root, root.parent).digest != before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("pack.toml", "Small counters", "Little counters"),
        ("pack.toml", "opens = 2026", "opens = 2025"),
        ("sets/v1.toml", "First set", "The first set"),
        ("problems/Count.toml", 'tags = ["start"]', "tags = []"),
        ("README.md", "Small", "Little"),
    ],
)
def test_the_digest_does_not_change_with_what_people_read(root, file, old, new):
    before = load_pack(root, root.parent).digest
    edit(root / file, old, new)
    assert load_pack(root, root.parent).digest == before


def test_the_digest_of_a_set_is_that_of_its_members_in_their_order():
    assert set_digest([("a", 1), ("b", 2)]) == "cda25b5537fd16060f51eb839e5891c35559f199e9b4bd755b916dd61da60d71"
    assert set_digest([("b", 2), ("a", 1)]) != set_digest([("a", 1), ("b", 2)])


def test_an_older_set_may_lie_behind_but_not_ahead(root):
    (root / "sets" / "v0.toml").write_text('title = "Older"\nmembers = ["up_up@1"]\n')
    assert [one.name for one in load_pack(root, root.parent).sets] == ["v0", "v1"]
    (root / "sets" / "v0.toml").write_text('title = "Older"\nmembers = ["up_up@3"]\n')
    assert messages(root) == ["sets/v0.toml: `up_up` stands at revision 2"]


def test_links_are_refused_whether_they_leave_the_pack_or_not(root):
    (root / "theories" / "Link.v").symlink_to("Count.v")
    (root / "samples").symlink_to(root.parent)
    (root / "problems" / "Gone.toml").symlink_to("/nowhere")
    assert messages(root) == [
        "problems/Gone.toml: a symbolic link",
        "samples: a symbolic link",
        "theories/Link.v: a symbolic link",
    ]


def test_a_theory_that_is_a_link_is_not_read(root):
    outside = root.parent / "outside.v"
    (root / "theories" / "More.v").rename(outside)
    (root / "theories" / "More.v").symlink_to(outside)
    assert "theories/More.v: a symbolic link" in messages(root)


def test_a_folder_whose_name_is_no_slug_is_refused(root):
    renamed = root.rename(root.parent / "Good_Pack")
    assert messages(renamed) == [": `Good_Pack` is no slug"]


def test_an_unknown_slug_is_answered_with_the_nearest_one(root):
    with pytest.raises(InputFault) as caught:
        load_pack("goood", root.parent)
    assert caught.value.findings[0].remedy == "Write `good`."


def test_the_examples_of_the_documentation_are_what_the_schema_takes():
    tables = {"format": PackFile, "[[problem]]": ProblemsFile, "title": SetFile, "[problems]": BaselinesFile}
    blocks = re.findall(r"```toml\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert len(blocks) == len(tables)
    for block in blocks:
        table = next(table for start, table in tables.items() if block.startswith(start))
        table.model_validate(tomllib.loads(block.replace('"…"', '"' + "0" * 64 + '"')))


def test_every_key_of_the_schema_is_in_the_documentation():
    text = DOCS.read_text()

    def keys(table):
        for name, field in table.model_fields.items():
            yield name
            for inner in [field.annotation, *getattr(field.annotation, "__args__", ())]:
                if hasattr(inner, "model_fields"):
                    yield from keys(inner)

    for table in (PackFile, ReportedFile, ProblemsFile, SetFile, BaselinesFile):
        for name in keys(table):
            assert re.search(rf"\b{name}\b", text), f"docs/packs.md does not tell of `{name}`"
