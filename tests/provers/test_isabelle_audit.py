"""What the spliced audit makes of the words of a build, without a prover."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.provers.isabelle_pack import isabelle_pack
from verifier.core.errors import PlatformFault
from verifier.core.process import Command, Outcome
from verifier.core.result import ProofTask
from verifier.provers.isabelle import audit, theories

PACK = isabelle_pack()
TOOLS = {"home": "/nowhere", "inside": "/isabelle", "root": ""}
TASKS = [ProofTask("dbl_length", 1, "by simp"), ProofTask("dbl_rev", 1, "by simp")]
BUILT = b"Finished Selen_Audit (0:00:02 elapsed time)\n"


class Builds:
    """Answers one build after the other: error lines, or nothing where it succeeds."""

    def __init__(self, *said: str) -> None:
        self.said = list(said)

    def __call__(self, command: Command) -> Outcome:
        said = self.said.pop(0)
        data = f"*** {said}\n".encode() if said else BUILT
        return Outcome(1 if said else 0, None, None, data, b"", wall_ms=1, cpu_ms=1, peak_bytes=1)


def tainted(*names: str) -> str:
    return "These facts rest on an oracle: " + ", ".join(f'"{name}"' for name in names)


def test_of_facts_that_rest_on_an_oracle_the_first_is_taken_out_and_the_others_are_built_again(tmp_path: Path) -> None:
    run = Builds(tainted("Lists.dbl_length", "Lists.dbl_rev"), "")
    first, second = audit.audit(PACK, TASKS, [], TOOLS, tmp_path, run)
    assert (first.agreed, second.agreed) == (False, True)
    assert first.message.startswith("These facts rest on an oracle")


def test_a_fact_is_known_by_its_name_where_the_problem_has_another_id(tmp_path: Path) -> None:
    named = tuple(replace(each, id=f"Lists-{each.lemma}") for each in PACK.problems)
    task = ProofTask("Lists-dbl_rev", 1, "by simp")
    run = Builds(tainted("Lists.dbl_rev"))
    assert audit.audit(replace(PACK, problems=named), [task], [], TOOLS, tmp_path, run)[0].agreed is False


def test_a_name_that_only_ends_like_a_fact_is_not_the_fact(tmp_path: Path) -> None:
    run = Builds(tainted("Lists.other'dbl_rev"))
    assert [each.agreed for each in audit.audit(PACK, TASKS, [], TOOLS, tmp_path, run)] == [None, None]


def test_a_list_of_facts_longer_than_what_is_shown_is_read_whole(tmp_path: Path) -> None:
    many = [f"Orders.fact_{number}" for number in range(1000)]
    run = Builds(tainted(*many, "Lists.dbl_rev"), "")
    assert [each.agreed for each in audit.audit(PACK, TASKS, [], TOOLS, tmp_path, run)] == [True, False]


def test_a_proof_that_was_not_put_in_its_place_is_never_agreed_to(tmp_path: Path) -> None:
    moved = tuple(replace(each, position=999) if each.id == "dbl_rev" else each for each in PACK.problems)
    with pytest.raises(PlatformFault, match="do not state dbl_rev"):
        audit.audit(replace(PACK, problems=moved), TASKS, [], TOOLS, tmp_path, Builds(""))


def test_a_word_begin_in_a_comment_before_the_header_does_not_end_the_header() -> None:
    text = '(* keywords to begin with *)\ntheory Lists imports Main begin\nlemma a: "True"\n'
    found = theories.renamed(text, "Cases", "Lists", "Copy")
    assert found == 'theory Copy\n  imports "Main"\nbegin\nlemma a: "True"\n'
