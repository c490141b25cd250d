"""Facts without a name: told apart by what they state, and judged by the prover like any other."""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.provers.isabelle_pack import SANDBOX_UID
from verifier import engine
from verifier.core import isar
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack
from verifier.core.reason import Reason
from verifier.core.result import ProofTask
from verifier.core.verdict import Verdict
from verifier.extract.facts import Rules
from verifier.extract.isabelle import extract_pack
from verifier.extract.pack import write
from verifier.packs import load_pack
from verifier.provers.base import BuiltEnvironment
from verifier.provers.isabelle import theories
from verifier.sandbox.bubblewrap import Bubblewrap

INSTANCES = Path(__file__).parents[1] / "corpora" / "extract" / "instances"
SOURCE = (INSTANCES / "Unnamed.thy").read_text(encoding="utf-8")


def extracted(folder: Path) -> Pack:
    write(extract_pack(INSTANCES, [], Rules.FULL, "ARM")[1], folder / "instances")
    return load_pack(folder / "instances", folder)


def named_statements(text: str) -> list[str]:
    """Statements with the name that they are given, in one line."""
    facts = [fact for fact in isar.stated(text) if fact.naming]
    inserted = [(fact.statement, *(fact.naming or (0, ""))) for fact in facts]
    return [" ".join(f"{one[:at]}{name}{one[at:]}".split()) for one, at, name in inserted]


def test_names_of_unnamed_facts_do_not_depend_on_other_lines() -> None:
    moved = SOURCE.replace("class marked", 'lemma first: "x = x"\n  by simp\n\nclass marked', 1)
    before, after = ([fact.name for fact in isar.stated(text)] for text in (SOURCE, moved))
    assert after == ["first", *before]
    assert len(set(before)) == len(before) == 13


def test_every_form_of_statement_can_be_given_a_name() -> None:
    given = named_statements(SOURCE)
    assert [one.partition("selen_")[0] for one in given] == (
        ["lemma "] * 5 + ["lemma (in place) ", "private lemma ", "lemma ", "lemma "]
    )
    assert given[1].endswith('[simp]: "mark True = 1"')
    assert ': fixes n :: nat assumes "n < 2"' in given[2]
    assert len({one.partition("selen_")[2].split()[0] for one in given}) == len(given)


def test_instances_cannot_be_named_and_are_problems_all_the_same(tmp_path: Path) -> None:
    pack = extracted(tmp_path)
    targets = {one.problem: one for unit in theories.units(pack) for one in unit.targets}
    instances = [problem.id for problem in pack.problems if problem.statement.startswith("instance")]
    assert len(pack.problems) == 13
    assert len(instances) == 3
    assert {targets[name].name for name in instances} == {""}


@pytest.fixture(scope="module")
def built() -> Iterator[tuple[Pack, BuiltEnvironment, Path]]:
    with tempfile.TemporaryDirectory(prefix="selen-unnamed-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        pack, sandbox = extracted(folder), Bubblewrap(SANDBOX_UID)
        try:
            found = engine.toolchain(pack, sandbox)
        except PlatformFault as fault:
            pytest.skip(str(fault))
        (folder / "environment").mkdir(mode=0o755)
        (folder / "audit").mkdir(mode=0o755)
        yield pack, engine.build(pack, found, folder / "environment", sandbox, lambda _: None), folder


@pytest.mark.isabelle
@pytest.mark.integration
def test_every_ground_truth_of_an_unnamed_fact_is_accepted(built: tuple[Pack, BuiltEnvironment, Path]) -> None:
    assert dict(built[1].refused) == {}


@pytest.mark.isabelle
@pytest.mark.integration
def test_the_prover_tells_what_statements_and_proofs_use(built: tuple[Pack, BuiltEnvironment, Path]) -> None:
    pack, environment, _ = built
    uses = engine.uses(environment)
    named = {use.name: use for use in uses["named"]}
    mark, fact = named["Unnamed.marked_class.mark"], named["Unnamed.mark_bool_def"]
    assert (mark.kind, mark.theory, mark.says) == ("constant", "Unnamed", "Unnamed.marked_class.mark :: ?'a ⇒ nat")
    assert SOURCE[mark.at :].startswith("class marked")
    assert (fact.kind, fact.theory) == ("fact", "Unnamed")
    assert SOURCE[: fact.at].count("\n") == SOURCE[: SOURCE.index('definition "mark b')].count("\n")
    assert set(uses) == {problem.id for problem in pack.problems}


@pytest.mark.isabelle
@pytest.mark.integration
def test_what_rests_on_an_oracle_is_seen_though_the_fact_has_no_name(
    built: tuple[Pack, BuiltEnvironment, Path],
) -> None:
    pack, environment, folder = built
    names = [one.id for one in pack.problems if one.statement.startswith('lemma "rev [')]
    patient, sandbox = replace(pack.limits, wall_seconds=60.0), Bubblewrap(SANDBOX_UID)
    tasks = [ProofTask(names[0], 1, "by eval"), ProofTask(names[1], 1, "by simp")]
    first, second = engine.check(environment, pack, tasks, sandbox, patient, linted=False)
    assert (first.verdict, first.reason, second.verdict) == (Verdict.FAILED, Reason.AXIOM_USED, Verdict.PROVED)
    looked = engine.prover_of(pack).audit(environment, pack, tasks, folder / "audit", sandbox.run)
    assert [one.agreed for one in looked] == [False, True]
