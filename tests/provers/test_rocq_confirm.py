"""The second look, with the prover's answers played by a script: who is halved, who disagrees, who could not look."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from tests.provers.small_pack import small_pack
from verifier.core.limits import Limits
from verifier.core.process import Command, LimitHit, Outcome
from verifier.core.result import ProofTask
from verifier.provers.rocq import commands, confirm, units

PACK = small_pack()
TOOLS = {"coqc": "/p/coqc", "coqtop": "/p/coqtop", "coqchk": "/p/coqchk"}
GOOD = "intros P Q H. tauto. Qed."


def outcome(code: int = 0, *, stdout: str = "", stderr: str = "", limit: LimitHit | None = None) -> Outcome:
    return Outcome(None if limit else code, None, limit, stdout.encode(), stderr.encode(), 1, 1, 0)


@dataclass
class Script:
    """What the three steps answer. `bad` in a proof is refused by the compiler, `sly` by the separate checker."""

    compiled: Callable[[str], Outcome] = lambda source: (
        outcome(1, stderr="Error: no") if "bad" in source else outcome(stdout="vo")
    )
    assumptions: str = "Closed under the global context"
    prompt: str = "Coq < "
    sources: list[str] = field(default_factory=list)

    def __call__(self, command: Command) -> Outcome:
        if "/src/Trees.v" in command.files:
            self.sources.append(command.files["/src/Trees.v"].decode())
            return self.compiled(self.sources[-1])
        if command.argv[0] == TOOLS["coqchk"]:
            return outcome(1, stderr="it is not well-founded") if "sly" in self.sources[-1] else outcome()
        script = command.stdin.decode()
        end = re.search(r"Check (\w+)\.", script.splitlines()[-1])
        assert end is not None
        said = self.assumptions
        if "Locate" in script:
            said = f"Constant Lib.{re.search(r'Locate (.+)[.]', script)[1]}"
        errors = f"Error: The reference {end[1]} was not found in the current environment."
        return outcome(stdout=f"{self.prompt}{said}\n", stderr=errors)


def look(script: Callable[[Command], Outcome], *texts: str) -> list[tuple[bool | None, str]]:
    unit, none = units.read(PACK, "Trees"), frozenset()
    bench = confirm.Bench(TOOLS, {}, b"", 1.0, commands.Library("Small"), PACK, unit, none, none, Limits(), script)
    tasks = [ProofTask("conj_swap", attempt, text) for attempt, text in enumerate(texts)]
    found = confirm.confirm(bench, tasks)
    assert [one.attempt for one in found] == list(range(len(texts)))
    return [(one.agreed, one.message) for one in found]


def test_all_good_proofs_are_looked_at_together() -> None:
    script = Script()
    assert [agreed for agreed, _ in look(script, GOOD, GOOD, GOOD)] == [True] * 3
    assert len(script.sources) == 1


@pytest.mark.parametrize("word", ["bad", "sly"])
def test_two_bad_ones_among_five_are_found_and_named(word: str) -> None:
    wrong = GOOD.replace("tauto", word)
    found = look(Script(), GOOD, wrong, GOOD, wrong, GOOD)
    assert [agreed for agreed, _ in found] == [True, False, True, False, True]
    assert all(message for agreed, message in found if agreed is False)


def test_what_policy_refuses_is_not_compiled() -> None:
    script = Script()
    assert look(script, "admit. Qed.") == [(False, "Policy refuses this proof.")]
    assert script.sources == []


def test_a_limit_means_that_the_platform_could_not_look() -> None:
    (found,) = look(Script(compiled=lambda _: outcome(limit=LimitHit.WALL)), GOOD)
    assert found == (None, "The compiler was ended by the limit on wall.")


@pytest.mark.parametrize("prompt", ["Coq < ", "Rocq < "])
def test_axioms_are_named_and_refused_where_the_problem_permits_none(prompt: str) -> None:
    script = Script(assumptions="Axioms:\nmiddle : forall P : Prop, P \\/ ~ P\n  continued here\nother", prompt=prompt)
    (found,) = look(script, GOOD)
    assert found == (False, "It rests on Lib.middle, Lib.other, which this problem does not permit.")


@pytest.mark.parametrize("said", ["Axioms:\nf is assumed to be guarded.", "x relies on an unsafe hierarchy.", ""])
def test_assumptions_that_are_no_axioms_are_never_agreed_to(said: str) -> None:
    assert [agreed for agreed, _ in look(Script(assumptions=said), GOOD)] == [False]


def test_a_proof_that_the_prover_cannot_be_asked_about_stays_undecided_and_costs_no_other() -> None:
    class Odd(Script):
        def __call__(self, command: Command) -> Outcome:
            odd = re.search(r"Lemma (sx_\w+).*\nodd", self.sources[-1]) if self.sources else None
            if odd and command.argv[0] == TOOLS["coqtop"] and odd[1] in command.stdin.decode():
                return outcome(1, stderr="Error: broken")
            return super().__call__(command)

    found = look(Odd(), GOOD, GOOD.replace("intros", "odd"), GOOD)
    assert [agreed for agreed, _ in found] == [True, None, True]
    assert found[1][1] == "The judge's check file did not run to its end: Error: broken"
