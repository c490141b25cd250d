"""The contract between the engine and one prover.

An adapter builds commands and reads outcomes; it never starts a process, opens a socket or knows a user. The
engine hands in `run`, and drives sessions: it sends what `dialogue` yields and sends back what the prover said.
A new prover is one folder here, one line in `verifier.provers.REGISTRY` and one folder of cases.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from verifier.core.finding import Finding
from verifier.core.limits import Limits
from verifier.core.problem import Pack, ProblemSpec, Use
from verifier.core.process import Command, Outcome, Reply
from verifier.core.result import ConfirmationResult, ProofResult, ProofTask

Run = Callable[[Command], Outcome]
UNSURE: Final = "unsure"  # key of evidence: the session alone cannot tell, so the second look decides at once


@dataclass(frozen=True, slots=True)
class KnownFault:
    """A published fault of the prover's kernel or checker, and how it is met here."""

    issue: str
    affects: str
    summary: str
    met_by: str
    remedy: str


@dataclass(frozen=True, slots=True)
class ToolchainInfo:
    """An installed prover: shown name, full version, where its parts are, what is known to be wrong with it."""

    name: str
    version: str
    tools: Mapping[str, str]
    tried: bool  # whether the adapter was tested with this release
    faults: tuple[KnownFault, ...] = ()


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Why a prover cannot be used here and what to do about it."""

    name: str
    reason: str
    remedy: str


BEGUN: Final = "begun"  # what a build writes below this folder of its own, an interrupted build finds again
MADE: Final = "made.json"  # stands there when all is made and ground truths are tried: then all of it is found again


@dataclass(frozen=True, slots=True)
class BuildStep:
    """One step of a build, such as one session's heap: wall and processor time, and the most memory at once."""

    name: str
    seconds: float
    cpu_seconds: float
    peak_bytes: int


@dataclass(frozen=True, slots=True)
class BuiltEnvironment:
    """An environment on this host.

    `digest` is the digest of the recipe and names it everywhere; the folder holds the images (compiled theories,
    heaps), whose own digests are in `images` and are not part of it.
    """

    digest: str
    pack: str
    prover: str
    version: str
    folder: Path
    recipe: Mapping[str, str]
    images: Mapping[str, str]
    refused: Mapping[str, str] = field(default_factory=dict)  # problem id -> why it is kept out, for everybody to read
    problems: Mapping[str, str] = field(
        default_factory=dict
    )  # problem id -> where its lemma stood; no part of the recipe
    said: Mapping[str, str] = field(default_factory=dict)  # -> the prover's words, for the host: they may quote a proof
    faults: tuple[KnownFault, ...] = ()
    remarks: tuple[str, ...] = ()  # what a reader of scores should know: an untried release, oracles of the base
    steps: tuple[BuildStep, ...] = ()  # what it was built in, where a build has steps


@dataclass(frozen=True, slots=True)
class Request:
    """One turn of a dialogue: bytes to send, the byte string that ends the answer, wall seconds allowed.

    `timed` says that the proof's own clock runs: the engine adds up wall and CPU time of these turns alone. `spare`
    says that the answer only adds to a result: where the process ends over it, the dialogue hears `AnswerLost`.
    """

    data: bytes
    until: bytes
    wall_seconds: float
    timed: bool = False
    spare: bool = False


class AnswerLost(Exception):
    """The process ended over a spare request. The dialogue still gives its result, and asks for nothing more."""


Dialogue = Generator[Request, Reply, ProofResult]
Opening = Generator[Request, Reply, None]


class ProverSession(Protocol):
    """What the adapter knows about one live process. Not shared between sessions."""

    command: Command

    @property
    def spent(self) -> bool:
        """Whether the process has done enough, so that the next proof gets a fresh one."""

    def opening(self) -> Opening:
        """Bring the fresh process to the point where it takes proofs."""

    def check(self, problem: ProblemSpec, task: ProofTask, limits: Limits) -> Dialogue:
        """Check one proof and leave the process ready for the next; raises PlatformFault on unknown answers."""


class Prover(Protocol):
    """One prover. All methods are free of I/O but for what the handed-in `run` does."""

    name: str  # key in the registry and in pack.toml
    title: str  # shown to people
    extension: str  # of proof files, with the dot
    session_holds_all: bool  # whether one process can check problems of every unit
    audits: bool  # whether there is an independent look beside the confirmation

    def probe(self, run: Run) -> ToolchainInfo | Unavailable:
        """What is installed, which version, or why not."""

    def recipe(self, pack: Pack, toolchain: ToolchainInfo) -> Mapping[str, str]:
        """Everything a verdict depends on, by name -> digest or value; its digest is the environment's identity."""

    def build(
        self, pack: Pack, toolchain: ToolchainInfo, folder: Path, run: Run, say: Callable[[str], None]
    ) -> BuiltEnvironment:
        """Fill the empty `folder` with the images; every problem's ground truth is tried in isolation."""

    def for_release(self, version: str, *, trusted: bool = False) -> "Prover":
        """The adapter as its policy stands for one release; unbound, it refuses what is unsafe on any.

        `trusted` proofs are the host's own: nothing is refused.
        """

    def lint(self, pack: Pack, problem: ProblemSpec, text: str) -> list[Finding]:
        """Policy: forbidden commands and words, unclosed comments, text that is not a proof. No process needed."""

    def split_statement(self, problem: ProblemSpec, text: str) -> tuple[str, int] | Finding:
        """Cut the owned statement off a text that restates it: (proof, lines cut), or why it is not the owned one."""

    def session(self, environment: BuiltEnvironment, pack: Pack, unit: str, limits: Limits) -> ProverSession:
        """A process that checks problems of one unit, in the order of their positions."""

    def interpret_death(self, problem: ProblemSpec, task: ProofTask, outcome: Outcome, limits: Limits) -> ProofResult:
        """A verdict for the proof during which the process ended; the engine decides about retries."""

    def confirm(  # noqa: PLR0917 - values are passed, not globals
        self, environment: BuiltEnvironment, pack: Pack, unit: str, tasks: Sequence[ProofTask], limits: Limits, run: Run
    ) -> list[ConfirmationResult]:
        """The second look at proved proofs of one unit, in fresh processes."""

    def uses(self, environment: BuiltEnvironment) -> Mapping[str, Sequence[Use]]:
        """By problem the constants and facts that it uses, as the prover told when the environment was built."""

    def adopt(self, environment: BuiltEnvironment, toolchain: ToolchainInfo) -> None:
        """Make a copy of an environment that another host built work with this host's installation.

        Raises PlatformFault where what is recorded does not go with what is installed.
        """

    def readable(self, text: str) -> str:
        """A source text with the characters that the prover's own encoding stands for."""

    def isolated(self, pack: Pack, problem: ProblemSpec, proof: str) -> Mapping[str, str]:
        """Sources (path -> text) in which one problem stands alone after what is before it, for the prover's own tools.

        They hold the host's proofs of earlier lemmas. Empty where the prover has no such form.
        """

    def audit(
        self, environment: BuiltEnvironment, pack: Pack, tasks: Sequence[ProofTask], workspace: Path, run: Run
    ) -> list[ConfirmationResult]:
        """The independent look by the distribution's own build; empty where the confirmation is that already.

        At most one proof for each problem, all of one team; `workspace` is an empty folder for what is built.
        """
