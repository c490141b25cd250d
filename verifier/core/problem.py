"""A pack as plain values: what can be proved, under which limits, in which environment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from verifier.core.limits import Limits
from verifier.core.verdict import Verdict


class Split(StrEnum):
    """Evaluation problems score; demonstrations are given away with their proofs."""

    EVALUATION = "evaluation"
    DEMONSTRATION = "demonstration"


class Status(StrEnum):
    """Only active problems can be submitted to; withdrawn ones leave the denominator visibly."""

    DRAFT = "draft"
    ACTIVE = "active"
    WITHDRAWN = "withdrawn"


class ProofVisibility(StrEnum):
    """Who may read submitted proofs: the team alone, whoever the team lets, or everybody once published."""

    TEAM = "team"
    CHOICE = "choice"
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Category:
    """A named group of problems; `meaning` is the one line shown wherever the name stands."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class ProblemSpec:
    """One problem. `unit` is the theory (file stem under theories/) it is stated in, `lemma` its name there.

    `statement` is the owned text, from the keyword to the end of the statement, without any proof. `position`
    orders the problems of a unit. `scope` lists the blocks (section, module, locale, context) open around it.
    `ground_truth` is the host's own proof; it never leaves the host unless `split` is demonstration.
    """

    id: str
    revision: int
    category: str
    unit: str
    lemma: str
    statement: str
    position: int
    status: Status = Status.ACTIVE
    split: Split = Split.EVALUATION
    bundle: str = ""
    permitted_axioms: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    ground_truth: str = ""


@dataclass(frozen=True, slots=True)
class SetSpec:
    """A frozen list of (problem id, revision); its digest names it for ever.

    `drawn` says how many were drawn by category before those with a refused ground truth were left out.
    """

    name: str
    title: str
    members: tuple[tuple[str, int], ...]
    digest: str
    drawn: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SelfTest:
    """A case that the pack brings along: `expected` is the folder it stands in."""

    problem: str
    expected: Verdict
    text: bytes
    path: Path


def publication(source: str, link: str) -> str:
    """What names the paper of a reported row, whichever of its tables it is from: its link, else the source's start."""
    return link or source.partition(",")[0].strip()


@dataclass(frozen=True, slots=True)
class Failures:
    """Failed problems by class, as a table of other people counts them."""

    undefined: int
    logic: int
    other: int

    @property
    def total(self) -> int:
        """All failures."""
        return self.undefined + self.logic + self.other


@dataclass(frozen=True, slots=True)
class Baseline:
    """A row of figures that other people published; shown beside verified ones, never ranked.

    Every mapping goes by category, `all` being over all problems. `scores` are per cent exactly as printed (a whole
    number was printed without decimals); `solved` are the problems behind them, where print and number of problems
    leave one whole number possible. `failures` belong to the same `k`. `seconds` is mean checking time of a proof.
    """

    system: str
    augmentations: tuple[str, ...]
    source: str
    link: str
    k: int | None
    scores: Mapping[str, int | float]
    problems: Mapping[str, int] = field(default_factory=dict)
    solved: Mapping[str, int] = field(default_factory=dict)
    failures: Mapping[str, Failures] = field(default_factory=dict)
    seconds: Mapping[str, int | float] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """What a problem uses, in the prover's own word: a constant of its statement, or a fact that its proof names.

    `theory` is the pack's own by its name, and `at` the character there at which it is defined; any other has its full
    name and -1. `says` is the type or the statement as the prover prints it.
    """

    kind: str  # "constant" or "fact"
    name: str
    theory: str
    at: int
    says: str


@dataclass(frozen=True, slots=True)
class Pack:
    """A benchmark as loaded from its folder; `digest` covers every byte that a verdict can depend on."""

    slug: str
    root: Path
    title: str
    summary: str
    prover: str
    toolchain: str
    licence: str
    citation: str
    limits: Limits
    selftest_limits: Limits
    categories: tuple[Category, ...]
    k_values: tuple[int, ...]
    primary_metric: str
    proofs: ProofVisibility
    problems: tuple[ProblemSpec, ...]
    sets: tuple[SetSpec, ...]
    selftests: tuple[SelfTest, ...]
    units: tuple[str, ...]  # theories in the order in which they are built
    digest: str
    daily_quota: int = 10
    opens: datetime | None = None
    closes: datetime | None = None
    homepage: str = ""
    current_set: str = ""  # name of the set that new submissions go to
    baselines: tuple[Baseline, ...] = ()
    for_teams: bool = False  # the edition that teams get: proofs of evaluation problems are left out
    variables: Mapping[str, str] = field(default_factory=dict)  # environment variables that the sources refer to
    proof_dependencies: bool = False  # teams may be told which facts the host's own proofs use
    skipped_proofs: bool = False  # facts of the base may rest on skipped proofs; shown wherever scores are
    reported_only: bool = False  # holds figures of other people and neither problems nor sets yet
    files: Mapping[str, str] = field(default_factory=dict)  # units that lie in folders: their path under theories/
    commands: Mapping[str, str] = field(default_factory=dict)  # commands that its theories declare, with their kinds
    extra: Mapping[str, str] = field(default_factory=dict)

    def source(self, unit: str, extension: str) -> Path:
        """The file of a unit; most packs keep theirs flat."""
        return self.root / "theories" / self.files.get(unit, f"{unit}{extension}")

    def problem(self, problem_id: str) -> ProblemSpec | None:
        """The problem with this id, or None."""
        return next((p for p in self.problems if p.id == problem_id), None)
