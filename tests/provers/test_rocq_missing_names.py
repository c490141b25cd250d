"""An unknown name is told apart by its place in the sentence, the same way every time."""

from dataclasses import replace

import pytest

from tests.provers import rocq_environment
from tests.provers.small_pack import small_pack
from verifier import engine
from verifier.core.reason import Reason
from verifier.core.result import Place, ProofTask
from verifier.provers.rocq import dialogue
from verifier.sandbox.bubblewrap import Bubblewrap

PACK = small_pack()
SANDBOX_UID = 61904


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("nosuch.", Reason.UNDEFINED_METHOD),
        ("all: nosuch.", Reason.UNDEFINED_METHOD),
        ("intros; nosuch a.", Reason.UNDEFINED_METHOD),
        ("split; [ nosuch | auto ].", Reason.UNDEFINED_METHOD),
        ("first [auto | nosuch].", Reason.UNDEFINED_METHOD),
        ("now (nosuch).", Reason.UNDEFINED_METHOD),
        ("match goal with _ => nosuch end.", Reason.UNDEFINED_METHOD),
        ("now apply (nosuch 1).", Reason.UNDEFINED_FACT),
        ("rewrite H, nosuch.", Reason.UNDEFINED_FACT),
        ("destruct (f nosuch).", Reason.UNDEFINED_FACT),
        ("cbn [nosuch].", Reason.UNDEFINED_NAME),
        ("assert (H : nosuch = 1).", Reason.UNDEFINED_NAME),
        ("set (f := fun x => nosuch).", Reason.UNDEFINED_NAME),
    ],
)
def test_what_is_missing_follows_from_what_stands_before_it(sentence: str, reason: Reason) -> None:
    whole = (0, len(sentence))  # the prover may point at the whole sentence
    start, end = dialogue._named(sentence, "nosuch", whole)
    assert sentence[start:end] == "nosuch"
    assert dialogue._what_is_missing(sentence[:start]) is reason


def test_a_name_in_a_comment_is_not_taken_for_the_one_that_is_missing() -> None:
    text = "now (* nosuch *) apply nosuch."
    assert dialogue._named(text, "nosuch", (0, len(text))) == (23, 29)


@pytest.mark.integration
@pytest.mark.rocq
def test_the_same_proof_gets_the_same_result_every_time(tmp_path_factory: pytest.TempPathFactory) -> None:
    environment = rocq_environment.built(tmp_path_factory.mktemp("environments"), SANDBOX_UID)
    text = "Proof.\n  intros P Q H.\n  now apply\n    (mirror_twicee P).\nQed.\n"
    tasks = [ProofTask("conj_swap", attempt, text) for attempt in range(150)]
    found = list(engine.check(environment, PACK, tasks, Bubblewrap(SANDBOX_UID), PACK.limits))
    assert len({repr(replace(one, attempt=0, wall_ms=0, cpu_ms=0)) for one in found}) == 1
    one = found[0]
    assert (one.reason, one.place) == (Reason.UNDEFINED_FACT, Place(4, 6, 4, 19))
    assert one.goals.startswith("1 goal")
    assert one.near[0].name == "mirror_twice"
