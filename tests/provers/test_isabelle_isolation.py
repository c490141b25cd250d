"""The looks beside the warm session: the paper's isolated sessions, the spliced audit, another host's environment."""

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.provers.isabelle_pack import LIMITS, SANDBOX_UID, isabelle_pack
from verifier import engine
from verifier.core.errors import PlatformFault
from verifier.core.limits import Limits
from verifier.core.problem import ProblemSpec
from verifier.core.reason import Reason
from verifier.core.result import ProofTask
from verifier.core.verdict import Verdict
from verifier.provers.base import BuiltEnvironment
from verifier.provers.isabelle import adapter, isolation, theories
from verifier.provers.isabelle.builds import Bench, errors, fresh_home
from verifier.sandbox.bubblewrap import Bubblewrap

PACK = isabelle_pack()


def problem(name: str) -> ProblemSpec:
    found = PACK.problem(name)
    assert found is not None
    return found


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the sandbox's own user can reach, which pytest's is not."""
    with tempfile.TemporaryDirectory(prefix="selen-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_what_comes_before_a_lemma_stands_in_the_first_session_and_nothing_after_it_anywhere() -> None:
    files = isolation.isolated(PACK, problem("dbl_rev"), "by simp")
    name = isolation.name_of(problem("dbl_rev"))
    before, target = files[f"DEP/{name}_DEP.thy"], files[f"TGT/{name}_TGT.thy"]
    assert "lemma dbl_append" in before
    assert "dbl_rev" not in before
    assert 'lemma dbl_rev:\n  "dbl (rev xs) = rev (dbl xs)"\nby simp' in target
    assert not any("swapped" in text for text in files.values())


def test_a_lemma_in_a_block_takes_the_whole_block_with_it() -> None:
    files = isolation.isolated(PACK, problem("not_zero"), "using large by simp")
    name = isolation.name_of(problem("not_zero"))
    target = files[f"TGT/{name}_TGT.thy"]
    assert target.index("context") < target.index("assumes large") < target.index("lemma not_zero")
    assert len(re.findall(r"^end$", target, re.MULTILINE)) == 2
    assert "context" not in files[f"DEP/{name}_DEP.thy"]
    assert 'imports "Cases.Lists"' in files[f"DEP/{name}_DEP.thy"]


def test_a_problem_recorded_with_another_statement_is_kept_out_by_name() -> None:
    own = problem("dbl_rev").statement
    others = {"line_first": problem("line_second").statement, "big": problem("big").statement + ' "False"'}
    wanted = ["dbl_rev", "dbl_length", "line_first", "line_second", "big"]
    as_they_are = {"dbl_rev": f"private {own}\n ", "dbl_length": problem("dbl_length").statement}
    found = adapter._strangers(PACK, wanted, as_they_are | others)
    assert set(found) == {"line_first", "line_second", "big"}
    assert "Another statement was met" in found["line_first"]
    assert "rev [x]" in found["line_first"]


@pytest.mark.parametrize("modifier", ["", "private "])
def test_a_schematic_goal_is_no_problem(modifier: str) -> None:
    statement = f'{modifier}schematic_goal any: "?x = (2::nat)"'
    pack = replace(PACK, problems=(replace(PACK.problems[0], id="any", statement=statement),))
    assert "schematic" in adapter._strangers(pack, ["any"], {"any": statement})["any"]


@pytest.mark.integration
@pytest.mark.isabelle
def test_the_paper_s_sessions_build_with_a_right_proof_and_not_with_a_wrong_one(
    isabelle_environment: BuiltEnvironment, folder: Path
) -> None:
    tools = json.loads((isabelle_environment.folder / "tools.json").read_text())
    chosen = problem("twice")
    name = isolation.name_of(chosen)
    outcomes = []
    for at, proof in enumerate((chosen.ground_truth, "by simp")):
        sources = folder / str(at)
        for path, text in isolation.isolated(PACK, chosen, proof).items():
            (sources / path).parent.mkdir(parents=True, exist_ok=True)
            (sources / path).write_text(text)
        home = fresh_home(folder / f"build-{at}")
        mounts = {str(theories.folder(PACK)): "/build/pack", str(sources): "/build/sessions"}
        bench = Bench(tools, mounts, home, Bubblewrap(SANDBOX_UID).run, {})
        outcomes.append(bench.isabelle("build", "-d", "/build/pack", "-d", "/build/sessions", f"{name}_TGT"))
    assert outcomes[0].exit_code == 0, errors(outcomes[0])
    assert f"Finished {name}_TGT" in outcomes[0].stdout.decode()
    assert outcomes[1].exit_code == 1
    assert "Failed to apply initial proof method" in errors(outcomes[1])


@pytest.mark.integration
@pytest.mark.isabelle
def test_the_audit_finds_a_wrong_proof_and_one_on_an_oracle_and_agrees_with_the_other(
    isabelle_environment: BuiltEnvironment,
) -> None:
    """Of two instances in one theory the second rests on an oracle."""
    first, second = (problem.id for problem in PACK.problems if problem.id.startswith("instance#"))
    tasks = [
        ProofTask("dbl_rev", 1, "by (rule refl)"),
        ProofTask(first, 1, "by (standard, simp add: mark_nat_def)"),
        ProofTask(second, 1, "by standard (use claimed in simp)"),
    ]
    found = [*engine.audit(isabelle_environment, PACK, tasks, Bubblewrap(SANDBOX_UID))]
    assert [one.agreed for one in found] == [False, True, False]
    assert "Lists.thy" in found[0].message
    assert '"Orders.arity_marked_bool"' in found[2].message
    assert [path for path in isabelle_environment.folder.parent.iterdir() if path.name.startswith(".audit-")] == []


@pytest.mark.integration
@pytest.mark.isabelle
def test_an_environment_of_another_host_judges_here_and_a_damaged_one_is_not_taken(
    isabelle_environment: BuiltEnvironment, folder: Path
) -> None:
    sandbox = Bubblewrap(SANDBOX_UID)
    found = engine.toolchain(PACK, sandbox)
    copy = replace(isabelle_environment, folder=folder / "copy")
    shutil.copytree(isabelle_environment.folder, copy.folder)
    (copy.folder / "tools.json").write_text(json.dumps({"home": "/elsewhere", "inside": "/isabelle", "root": ""}))
    engine.adopt(PACK, copy, found, sandbox)
    assert json.loads((copy.folder / "tools.json").read_text())["home"] == found.tools["home"]
    heap = next(path for path in copy.folder.rglob("Selen_Image") if path.is_file())
    heap.write_bytes(heap.read_bytes() + b"x")
    with pytest.raises(PlatformFault, match="was changed"):
        engine.adopt(PACK, copy, found, sandbox)


@pytest.mark.integration
@pytest.mark.isabelle
def test_a_proof_over_its_time_leaves_the_session_to_the_next_one(isabelle_environment: BuiltEnvironment) -> None:
    tasks = [
        ProofTask("dbl_length", 0, "apply (sleep 100) by simp"),
        ProofTask("dbl_rev", 0, "by (induct xs) simp_all"),
    ]
    limits = Limits(wall_seconds=2.0, memory_bytes=LIMITS.memory_bytes)
    results = list(engine.check(isabelle_environment, PACK, tasks, Bubblewrap(SANDBOX_UID), limits))
    assert [result.verdict for result in results] == [Verdict.TIMEOUT, Verdict.PROVED]
    assert 1_900 <= results[0].wall_ms < 4_900


@pytest.mark.integration
@pytest.mark.isabelle
def test_a_proof_that_eats_memory_is_stopped_and_the_rest_goes_on(isabelle_environment: BuiltEnvironment) -> None:
    greedy = 'proof -\n  have "(3::nat) ^ 4000000 = 3 ^ 4000000 * 1" by (simp only: power_numeral) simp\nqed'
    tasks = [ProofTask("dbl_length", 0, greedy), ProofTask("dbl_rev", 0, "by (induct xs) simp_all")]
    limits = Limits(wall_seconds=8.0, memory_bytes=2**29)
    results = list(engine.check(isabelle_environment, PACK, tasks, Bubblewrap(SANDBOX_UID), limits))
    assert results[0].verdict in {Verdict.RESOURCE, Verdict.TIMEOUT, Verdict.FAILED}, results[0]
    assert results[0].reason is not Reason.PROVER_BROKEN
    assert results[1].verdict is Verdict.PROVED, results[1]
