"""What a script cannot show: crashes, axioms, second looks and damaged images with the real prover behind its walls."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.engine.killed import Killed, killed, tried
from tests.engine.scripted import death
from tests.provers import rocq_environment
from tests.provers.small_pack import small_pack, written_pack
from verifier import engine, store
from verifier.core.digest import digest_mapping
from verifier.core.problem import Pack
from verifier.core.process import Command, Outcome, Reply, Session
from verifier.core.reason import Reason
from verifier.core.result import ProofTask
from verifier.core.verdict import Verdict
from verifier.provers.base import BuiltEnvironment
from verifier.sandbox.bubblewrap import Bubblewrap

pytestmark = [pytest.mark.integration, pytest.mark.rocq]
UID = 61905
SWAP = "Proof. intros P Q [A B]. split. exact B. exact A. Qed."
CHOICE = """Axiom middle : forall P : Prop, P \\/ ~ P.
Axiom other : forall n : nat, n = n.
Lemma double : forall P : Prop, ~ ~ P -> P.
Proof. intros P H. destruct (middle P); tauto. Qed.
Lemma strict : forall P : Prop, ~ ~ P -> P.
Proof. intros P H. destruct (middle P); tauto. Qed.
Lemma plain : forall n : nat, n = n.
Proof. reflexivity. Qed.
"""
DOTTED = """Notation "a '+.' b" := (a + b) (at level 50).
Lemma dotted : forall a b, a +.b = b +.a -> a + b = b + a.
Proof. auto. Qed.
Lemma next : True.
Proof. exact I. Qed.
"""


@dataclass
class Killing:
    """The real sandbox, but a process that hears `word` is killed, as often as `times` says."""

    word: bytes
    times: int
    opened: int = 0

    def __post_init__(self) -> None:
        self.sandbox = Bubblewrap(UID)

    def run(self, command: Command) -> Outcome:
        return self.sandbox.run(command)

    def open(self, command: Command) -> "KillingSession":
        self.opened += 1
        return KillingSession(self, self.sandbox.open(command))


@dataclass
class KillingSession:
    owner: Killing
    session: Session

    def ask(self, request: bytes, until: bytes, wall_seconds: float) -> Reply:
        if self.owner.word in request and self.owner.times:
            self.owner.times -= 1
            self.session.close()
            raise death(None)
        return self.session.ask(request, until, wall_seconds)

    def cpu_ms(self) -> int:
        return self.session.cpu_ms()

    def close(self) -> Outcome:
        return self.session.close()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Pack, BuiltEnvironment]:
    return small_pack(), rocq_environment.built(tmp_path_factory.mktemp("environments"), UID)


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Pack, BuiltEnvironment]:
    root = tmp_path_factory.mktemp("choice")
    pack = written_pack(root, {"Choice": CHOICE}, permitted={"double": ("middle",)})
    return pack, rocq_environment.built(root / "environments", UID, pack)


@pytest.mark.parametrize(
    ("times", "verdict", "reason", "opened"),
    [(1, Verdict.PROVED, None, 3), (2, Verdict.RESOURCE, Reason.PROVER_CRASH, 3)],
)
def test_a_killed_prover_is_tried_once_more_alone(
    small: tuple[Pack, BuiltEnvironment], times: int, verdict: Verdict, reason: Reason | None, opened: int
) -> None:
    pack, environment = small
    sandbox = Killing(b"[A B]", times)
    tasks = [
        ProofTask("conj_swap", attempt, text) for attempt, text in ((1, "auto. Qed."), (2, SWAP), (3, "easy. Qed."))
    ]
    results = list(engine.check(environment, pack, tasks, sandbox, pack.limits))
    assert [(one.verdict, one.reason) for one in results[1:2]] == [(verdict, reason)]
    assert results[0].reason is Reason.GOALS_LEFT
    assert results[2].verdict is Verdict.PROVED
    assert sandbox.opened == opened


def test_only_the_axioms_that_a_problem_permits_are_agreed_to(choice: tuple[Pack, BuiltEnvironment]) -> None:
    pack, environment = choice
    assert environment.refused.keys() == {"strict"}
    environment = rocq_environment.opened(environment)
    by_axiom = "intros P H. destruct (middle P). assumption. contradiction. Qed."
    tasks = [
        ProofTask("double", 1, by_axiom),
        ProofTask("strict", 1, by_axiom),
        ProofTask("plain", 1, "intro n. apply other. Qed."),
        ProofTask("plain", 2, "reflexivity. Qed."),
    ]
    results = list(engine.check(environment, pack, tasks, Bubblewrap(UID), pack.limits))
    assert [one.verdict for one in results] == [Verdict.PROVED] * 4
    second = list(engine.confirm(environment, pack, tasks, Bubblewrap(UID), pack.limits))
    assert [one.agreed for one in second] == [True, False, False, True]
    assert second[0].axioms == ("Small.Choice.middle",)
    assert "Small.Choice.middle, which this problem does not permit" in second[1].message
    assert "Small.Choice.other" in second[2].message


def test_two_bad_proofs_spoil_no_good_one_at_the_second_look(small: tuple[Pack, BuiltEnvironment]) -> None:
    pack, environment = small
    texts = (SWAP, "intros P Q H. exact H. Qed.", SWAP, "intros P Q H. nosuch. Qed.", SWAP)
    tasks = [ProofTask("conj_swap", attempt, text) for attempt, text in enumerate(texts)]
    second = list(engine.confirm(environment, pack, tasks, Bubblewrap(UID), pack.limits))
    assert [one.agreed for one in second] == [True, False, True, False, True]
    assert 'has type "P /\\ Q"' in " ".join(second[1].message.split())
    assert "nosuch was not found" in second[3].message


def test_a_sentence_that_the_prover_reads_on_is_internal_at_once_and_the_next_proof_goes_on(tmp_path: Path) -> None:
    pack = written_pack(tmp_path, {"Dotted": DOTTED})
    environment = rocq_environment.built(tmp_path / "environments", UID, pack)
    proof = "intros a b H. assert (K : a +. b = b +. a). exact H. exact K. Qed."
    started = time.monotonic()
    tasks = [ProofTask("dotted", 1, proof), ProofTask("next", 1, "exact I. Qed.")]
    first, second = engine.check(environment, pack, tasks, Bubblewrap(UID), pack.limits)
    assert (first.verdict, first.reason) == (Verdict.INTERNAL, Reason.PROVER_BROKEN)
    assert "beyond the end" in first.message
    assert second.verdict is Verdict.PROVED
    assert time.monotonic() - started < pack.limits.wall_seconds


def test_a_damaged_image_is_the_platform_s_fault(tmp_path: Path) -> None:
    pack = written_pack(tmp_path, {"Low": "Lemma low : True.\nProof. exact I. Qed.\n", "High": HIGH})
    environment = rocq_environment.built(tmp_path / "environments", UID, pack)
    image = environment.folder / "Low.vo"
    image.write_bytes(image.read_bytes()[:-1] + b"?")
    tasks = [ProofTask("low", 1, "exact I. Qed."), ProofTask("high", 1, "exact low. Qed.")]
    low, high = engine.check(environment, pack, tasks, Bubblewrap(UID), pack.limits)
    assert low.verdict is Verdict.PROVED  # its own file needs no image
    assert (high.verdict, "Low.vo" in high.message) == (Verdict.INTERNAL, True)
    (second,) = engine.confirm(environment, pack, tasks[1:], Bubblewrap(UID), pack.limits)
    assert second.agreed is None


HIGH = "From Small Require Import Low.\nLemma high : True.\nProof. exact low. Qed.\n"


def test_a_build_killed_among_its_ground_truths_compiles_and_tries_nothing_twice(tmp_path: Path) -> None:
    more = "Lemma two : 1 + 1 = 2.\nProof. reflexivity. Qed.\nLemma one : 1 = 1.\nProof. reflexivity. Qed.\n"
    pack = written_pack(tmp_path, {"Choice": CHOICE, "More": more})
    root = tmp_path / "environments"
    found = engine.toolchain(pack, Bubblewrap(UID))
    digest = digest_mapping(engine.prover_of(pack).recipe(pack, found))

    def build(sandbox: Bubblewrap, say: Callable[[str], None]) -> BuiltEnvironment:
        return store.save(root, digest, lambda folder: engine.build(pack, found, folder, sandbox, say))

    killed(lambda: build(Killed(UID, root, 2), lambda _: None))
    assert store.environments(root) == []
    before = tried(root)
    assert len(before) == 2
    (compiled,) = root.rglob("Choice.vo")
    inode = compiled.stat().st_ino

    killed(lambda: build(Killed(UID, root, 4), lambda _: None))
    assert [tried(root)[:2], len(tried(root))] == [before, 4]
    said: list[str] = []
    whole = build(Bubblewrap(UID), said.append)
    assert said[0] == "Trying 5 ground truths in isolation, 4 of them before the interruption"
    assert said[1] == "Looking at what 5 of them rest on"
    assert said[2].startswith("3 verified, 2 refused")
    assert whole.refused == dict.fromkeys(["double", "strict"], "its own proof is not accepted (axiom_used)")
    assert "middle" in whole.said["double"]
    assert (whole.folder / "Choice.vo").stat().st_ino == inode
    assert [one.digest for one in store.environments(root)] == [digest]
