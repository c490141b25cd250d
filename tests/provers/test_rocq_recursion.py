"""A theorem with a recursion of its own is refused by its term, however the text that made it is written."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.provers import rocq_environment
from tests.provers.small_pack import small_pack
from verifier import engine
from verifier.core.errors import PlatformFault
from verifier.core.reason import Reason
from verifier.core.result import ProofTask
from verifier.core.verdict import Verdict
from verifier.provers.base import BuiltEnvironment
from verifier.provers.rocq import marshalled, recursion, wordguard
from verifier.provers.rocq.marshalled import Block
from verifier.sandbox.bubblewrap import Bubblewrap

PACK = small_pack()
CORPUS = Path(__file__).parents[1] / "corpora" / "rocq"
ATTACKS = ["rebuilt_by_let_pattern", "rebuilt_by_change_no_check", "fault_20455", "fault_21839", "fault_22386"]
SANDBOX_UID = 61903


def test_values_are_read_with_what_they_share_and_negative_numbers() -> None:
    body = b"\xb5" + b"\x41" + b"\x23abc" + b"\x04\x01"  # a block of tag 5: 1, a string, the same string again
    read = marshalled.read(b"\x84\x95\xa6\xbe" + bytes(16) + body)
    assert isinstance(read, Block)
    assert (read.tag, read.fields) == (5, [1, b"abc", b"abc"])
    assert marshalled.read(b"\x84\x95\xa6\xbe" + bytes(16) + b"\x01\xff\x38") == -200


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x84\x95\xa6\xbe",
        b"\x84\x95\xa6\xbe" + bytes(16) + b"\xa0\x41",
        b"\x84\x95\xa6\xbe" + bytes(16) + b"\x10",
    ],
)
def test_a_value_that_ends_early_or_has_an_unknown_code_is_the_platform_s_fault(data: bytes) -> None:
    with pytest.raises(PlatformFault, match="unknown form"):
        marshalled.read(data)


@pytest.mark.parametrize("data", [b"", b"Coq!" + bytes(12), b"Coq!" + bytes(4) + b"\xff" * 8 + b"library"])
def test_a_file_that_is_no_compiled_one_is_the_platform_s_fault(data: bytes) -> None:
    with pytest.raises(PlatformFault, match="no part library"):
        marshalled.segment(data, "library")


@pytest.mark.parametrize(
    ("printed", "clean"),
    [
        ("a = fun n : nat => n : nat", True),
        ("\na = fun fix0 : nat => M.prefix fix0 : nat", True),
        ("a = fix f (n : nat) : nat := n", False),
        ("a = let fix f (n : nat) : nat := n in f : nat", False),
        ("a = (cofix f : s := c f) : s", False),
        ("a = fun n => n\n[12 bytes left out]\n", False),
        ("b = fun n : nat => n : nat", False),
        ("", False),
    ],
)
def test_only_a_whole_print_without_a_node_is_enough(printed: str, clean: bool) -> None:
    assert recursion.not_in_print("a", printed) is clean


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> BuiltEnvironment:
    return rocq_environment.opened(rocq_environment.built(tmp_path_factory.mktemp("environments"), SANDBOX_UID))


@pytest.fixture
def no_words(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Policy without its list of words: what is refused now is refused by the term."""
    monkeypatch.setattr(wordguard, "findings", lambda text, guards: iter(()))
    return None


def task(name: str, number: int = 1) -> ProofTask:
    """The case; an attack on False is made one on a lemma that the second look finds proved in the pack."""
    problem = (
        (CORPUS / name / "expected.toml").read_text(encoding="utf-8").partition('problem = "')[2].partition('"')[0]
    )
    text = (CORPUS / name / "proof.v").read_text(encoding="utf-8")
    if problem != "false_goal":
        return ProofTask(problem, number, text)
    return ProofTask("false_one", number, "intros _. " + text.removeprefix("Proof."))


@pytest.mark.integration
@pytest.mark.rocq
@pytest.mark.usefixtures("no_words")
def test_the_term_tells_where_no_word_does(environment: BuiltEnvironment) -> None:
    tasks = [task(name, number) for number, name in enumerate(ATTACKS)]
    found = list(engine.check(environment, PACK, tasks, Bubblewrap(SANDBOX_UID), PACK.limits))
    assert {(ATTACKS[one.attempt], one.reason) for one in found} == {(a, Reason.KERNEL_FAULT_GUARD) for a in ATTACKS}
    trusted = engine.check(environment, PACK, tasks, Bubblewrap(SANDBOX_UID), PACK.limits, linted=False)
    assert [one.verdict for one in trusted] == [Verdict.PROVED] * len(ATTACKS)


@pytest.mark.integration
@pytest.mark.rocq
@pytest.mark.usefixtures("no_words")
def test_the_second_look_finds_the_guilty_among_honest_ones(environment: BuiltEnvironment) -> None:
    names = ["honest_reductions", *ATTACKS, "honest_body_left_unfolded", "library_body_left_unfolded_under_a_name"]
    tasks = [task(name, number) for number, name in enumerate(names)]
    found = list(engine.confirm(environment, PACK, tasks, Bubblewrap(SANDBOX_UID), PACK.limits))
    honest = {name for name in names if name.startswith("honest_")}
    assert {names[one.attempt] for one in found if one.agreed} == honest
    refused = {names[one.attempt] for one in found if one.reason is Reason.KERNEL_FAULT_GUARD}
    assert refused == set(names) - honest
