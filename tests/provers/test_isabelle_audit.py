"""Which proofs the spliced audit takes for guilty when a build fails, without a prover."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.provers.isabelle_pack import isabelle_pack
from verifier.core.errors import PlatformFault
from verifier.core.process import Command, LimitHit, Outcome
from verifier.core.result import ProofTask
from verifier.provers.isabelle import audit, theories

PACK = isabelle_pack()
TOOLS = {"home": "/nowhere", "inside": "/isabelle", "root": ""}
TASKS = [
    ProofTask(name, 1, f"by (fact {name}_proof)")
    for name in ("dbl_length", "dbl_rev", "line_first", "line_second", "twice")
]
SAID = b'*** These facts rest on an oracle: "Orders.arity_nat_marked"\n'


@dataclass
class Builds:
    """Fails while any of these words stands in the theories; `limit` is hit then, if any. Remembers what it built."""

    bad: tuple[str, ...] = ()
    limit: LimitHit | None = None
    built: list[str] = field(default_factory=list)

    def __call__(self, command: Command) -> Outcome:
        sources = next(Path(host) for host, inside in command.readonly.items() if inside == "/build/audit")
        text = "".join(path.read_text() for path in sorted(sources.glob("*.thy")))
        self.built.append(text)
        failed = any(word in text for word in self.bad)
        said = SAID if failed else b"Finished Selen_Audit (0:00:02 elapsed time)\n"
        return Outcome(int(failed), None, self.limit if failed else None, said, b"", wall_ms=1, cpu_ms=1, peak_bytes=1)


def agreed(folder: Path, run: Builds, tasks: list[ProofTask] = TASKS) -> list[bool | None]:
    return [one.agreed for one in audit.audit(PACK, tasks, [], TOOLS, folder, run)]


def test_where_everything_builds_one_build_is_enough(tmp_path: Path) -> None:
    run = Builds()
    assert agreed(tmp_path, run) == [True] * 5
    assert len(run.built) == 1
    assert all(task.text in run.built[0] for task in TASKS)
    assert list(tmp_path.iterdir()) == []


def test_the_proofs_that_do_not_build_are_found_and_the_others_agreed_to(tmp_path: Path) -> None:
    run = Builds(bad=("(fact dbl_rev_proof)", "(fact twice_proof)"))
    found = audit.audit(PACK, TASKS, [], TOOLS, tmp_path, run)
    assert [one.agreed for one in found] == [True, False, True, True, False]
    assert found[1].message.startswith("These facts rest on an oracle")
    assert [one.problem for one in found] == [task.problem for task in TASKS]


def test_of_two_instances_in_one_theory_the_guilty_one_is_taken(tmp_path: Path) -> None:
    """The prover makes their names, so that nothing which it says tells whose instance it is."""
    names = [problem.id for problem in PACK.problems if problem.id.startswith("instance#")]
    tasks = [ProofTask(name, 1, f"by (standard, fact proof_{at})") for at, name in enumerate(names)]
    assert agreed(tmp_path, Builds(bad=("proof_1",)), tasks) == [True, False]
    assert agreed(tmp_path, Builds(bad=("proof_0",)), tasks) == [False, True]


def test_of_two_proofs_on_one_line_the_guilty_one_is_taken(tmp_path: Path) -> None:
    assert agreed(tmp_path, Builds(bad=("line_first_proof",))) == [True, True, False, True, True]
    assert agreed(tmp_path, Builds(bad=("line_second_proof",))) == [True, True, True, False, True]


def test_theories_that_do_not_build_with_the_host_s_own_proofs_say_nothing_of_any_other(tmp_path: Path) -> None:
    run = Builds(bad=("lemma dbl_append",))
    found = audit.audit(PACK, TASKS, [], TOOLS, tmp_path, run)
    assert [one.agreed for one in found] == [None] * 5
    assert "host's own" in found[0].message
    assert len(run.built) == 2


def test_a_build_that_was_ended_by_a_limit_says_nothing(tmp_path: Path) -> None:
    run = Builds(bad=("dbl_rev_proof",), limit=LimitHit.MEMORY)
    assert agreed(tmp_path, run) == [None] * 5
    assert len(run.built) == 1


def test_a_build_that_built_nothing_is_no_agreement(tmp_path: Path) -> None:
    def up_to_date(_: Command) -> Outcome:
        return Outcome(0, None, None, b"0:00:01 elapsed time\n", b"", wall_ms=1, cpu_ms=1, peak_bytes=1)

    with pytest.raises(PlatformFault, match="did not say that it built"):
        audit.audit(PACK, TASKS, [], TOOLS, tmp_path, up_to_date)


def test_a_proof_that_was_not_put_in_its_place_is_never_agreed_to(tmp_path: Path) -> None:
    moved = tuple(replace(each, position=999) if each.id == "dbl_rev" else each for each in PACK.problems)
    with pytest.raises(PlatformFault, match="do not state dbl_rev"):
        audit.audit(replace(PACK, problems=moved), TASKS, [], TOOLS, tmp_path, Builds())


def test_a_fact_without_a_name_is_given_one_so_that_the_look_at_oracles_meets_it() -> None:
    text = 'theory Lists imports Main begin\nlemma "True" by simp\nlemma [simp]: "x = x" by simp\nend\n'
    unnamed = [replace(PACK.problems[0], id=f"p{at}", position=at) for at in range(2)]
    pack, tasks = replace(PACK, problems=tuple(unnamed)), [ProofTask(f"p{at}", 1, "by blast") for at in range(2)]
    lines = audit._spliced(pack, "Lists", text, tasks).splitlines()
    assert [line.partition("selen_")[0] for line in lines[1:3]] == ["lemma ", "lemma "]
    assert lines[1].endswith(': "True" by blast')
    assert lines[2].endswith('[simp]: "x = x" by blast')


def test_a_word_begin_in_a_comment_before_the_header_does_not_end_the_header() -> None:
    text = '(* keywords to begin with *)\ntheory Lists imports Main begin\nlemma a: "True"\n'
    found = theories.renamed(text, "Cases", "Lists", "Copy")
    assert found == 'theory Copy\n  imports "Main"\nbegin\nlemma a: "True"\n'
