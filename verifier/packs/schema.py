"""What may stand in the files of a pack, key by key; docs/packs.md tells it to people.

The `description` of a field completes the sentence "Write …" of a finding. Values are taken strictly: a number in
quotes is text, and what the schema does not name is refused.
"""

import math
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    Strict,
    StringConstraints,
    model_validator,
)

from verifier.core.augmentation import Augmentation

PROBLEM_ID = r"[A-Za-z0-9][A-Za-z0-9_'-]*"
SLUG = r"[a-z][a-z0-9-]*"
UNIT = r"[A-Za-z][A-Za-z0-9_']*"


def _holds_letter(value: str) -> str:
    if not any(character.isalpha() for character in value):
        raise ValueError("holds no letter")
    return value


def _ascending_from_one(values: list[int]) -> list[int]:
    if values[:1] != [1] or sorted(set(values)) != values:
        raise ValueError("does not start with 1 and ascend")
    return values


def _one_line(value: str) -> str:
    if "\n" in value:
        raise ValueError("runs over more than one line")
    return value


def _printed(value: Any) -> int | float:
    """A number as it was printed; 0 and 0.0 are kept apart, because decimals say how far a figure was rounded."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("is no number")  # noqa: TRY004 (pydantic gathers values that are wrong)
    if not math.isfinite(value) or value < 0:
        raise ValueError("is below 0 or no number")
    return value


def _per_cent(value: Any) -> int | float:
    printed = _printed(value)
    if printed > 100:
        raise ValueError("is above 100")
    return printed


ProblemId = Annotated[str, StringConstraints(pattern=rf"^{PROBLEM_ID}$", max_length=100), AfterValidator(_holds_letter)]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True), AfterValidator(_one_line)]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$", max_length=20)]
Unit = Annotated[str, StringConstraints(pattern=rf"^{UNIT}$", max_length=200)]
Slug = Annotated[str, StringConstraints(pattern=rf"^{SLUG}$", max_length=50)]
Word = Annotated[str, StringConstraints(pattern=r"^\S+$", max_length=200)]
Link = Annotated[str, StringConstraints(pattern=r"^(https?://\S+)?$", max_length=200)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=1)]
Tally = Annotated[int, Field(ge=0)]
PerCent = Annotated[Any, AfterValidator(_per_cent)]
Seconds = Annotated[Any, AfterValidator(_printed)]
Augmented = Annotated[Augmentation, Strict(strict=False)]


class Table(BaseModel):
    """A TOML table: nothing unknown, nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class LimitsTable(Table):
    """`[limits]` and `[selftest]`; what is left out keeps its default."""

    wall_seconds: float | None = Field(
        default=None, gt=0, le=86_400, description="seconds, more than 0 and at most 86400"
    )
    memory_mb: int | None = Field(
        default=None, ge=64, le=2**20, description="a whole number from 64 to 1048576, each of 1,048,576 bytes"
    )
    output_kb: int | None = Field(
        default=None, ge=1, le=2**20, description="a whole number from 1 to 1048576, each of 1,024 bytes"
    )
    tokens: int | None = Field(default=None, ge=1, le=2**20, description="a whole number of tokens from 1 to 1048576")
    proof_kb: int | None = Field(
        default=None, ge=1, le=2**16, description="a whole number from 1 to 65536, each of 1,024 bytes"
    )


class CategoryTable(Table):
    """`[[categories]]`: name, meaning and, where the host has one, the rule."""

    name: Name = Field(description="a name of letters, digits, `_` and `-` that starts with a letter, at most 20 long")
    meaning: Line = Field(description="one line that says what the category means, at most 200 characters")
    lines: tuple[Count, Count] | None = Field(
        default=None, strict=False, description="[fewest, most] lines of the ground truth, whole numbers from 1 up"
    )
    declarative: bool | None = Field(default=None, description="true or false")

    @model_validator(mode="after")
    def _ordered(self) -> "CategoryTable":
        if self.lines and self.lines[0] > self.lines[1]:
            raise ValueError("`lines` ends before it starts; write [fewest, most]")
        return self


class Heading(Table):
    """What `pack.toml` says of every benchmark, whether it holds problems or reported figures alone."""

    format: Literal[1] = Field(description="format = 1")
    title: Line = Field(description="the benchmark's title on one line, at most 200 characters")
    summary: Text = Field(description="one or two sentences that say what the benchmark asks for")
    prover: str = Field(description="the prover's name")
    licence: Line = Field(description="the licence as an SPDX expression")
    citation: Text = Field(description="how the benchmark is to be cited")
    homepage: Link = Field(default="", description="an address that starts with https:// or http://")
    k_values: Annotated[list[Annotated[int, Field(ge=1, le=100)]], AfterValidator(_ascending_from_one)] = Field(
        description="whole numbers from 1 to 100 in ascending order that start with 1, such as [1, 5]"
    )
    primary_metric: str = Field(pattern=r"^acc[1-9][0-9]*$", description="acc<k> with k out of k_values, such as acc1")
    limits: LimitsTable = Field(default=LimitsTable(), description="a table [limits]")
    categories: list[CategoryTable] = Field(min_length=1, description="at least one table [[categories]]")


class ReportedFile(Heading):
    """`pack.toml` of a benchmark that its host has not extracted yet: all it holds is in baselines.toml."""

    status: Literal["reported"] = Field(description='status = "reported"')


class PackFile(Heading):
    """`pack.toml`."""

    edition: Literal["host", "team"] = Field(
        default="host", description="host, or team where the proofs of evaluation problems are left out"
    )
    toolchain: str = Field(
        pattern=r"^\s*(>=|<=|==|<|>)\s*\d+(\.\d+)*(\s*,\s*(>=|<=|==|<|>)\s*\d+(\.\d+)*)*\s*$",
        description='the releases the pack is meant for, such as ">=8.16" or ">=8.16, <9.2"',
    )
    units: list[Unit] = Field(min_length=1, description="the stems of the files under theories/, in building order")
    current_set: Slug = Field(description="the stem of a file under sets/")
    proofs: Literal["team", "choice", "public"] = Field(description="team, choice or public")
    daily_quota: int = Field(default=10, ge=1, le=10_000, description="a whole number from 1 to 10000")
    opens: AwareDatetime | None = Field(
        default=None, description="a date and time with time zone: 2026-01-01T00:00:00Z"
    )
    closes: AwareDatetime | None = Field(
        default=None, description="a date and time with time zone: 2026-01-01T00:00:00Z"
    )
    selftest: LimitsTable = Field(default=LimitsTable(), description="a table [selftest]")
    variables: dict[Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")], Line] = Field(
        default={}, description='a table of environment variables that the sources refer to, such as L4V_ARCH = "ARM"'
    )
    proof_dependencies: bool = Field(default=False, description="true or false")
    skipped_proofs: bool = Field(default=False, description="true or false")


class ProblemTable(Table):
    """`[[problem]]` of `problems/<unit>.toml`."""

    id: ProblemId = Field(
        description="letters, digits, `_`, `'` and `-`, among them a letter, a letter or digit first, at most 100"
    )
    category: str = Field(description="the name of one of the pack's categories")
    lemma: Word | None = Field(default=None, description="the lemma's name in the theory")
    revision: Count = Field(default=1, description="a whole number from 1 up")
    status: Literal["draft", "active", "withdrawn"] = Field(default="active", description="draft, active or withdrawn")
    split: Literal["evaluation", "demonstration"] = Field(
        default="evaluation", description="evaluation or demonstration"
    )
    bundle: Annotated[str, StringConstraints(pattern=rf"^({PROBLEM_ID})?$", max_length=100)] = Field(
        default="", description="the bundle's name: letters, digits, `_`, `'` and `-`, at most 100"
    )
    permitted_axioms: list[Word] = Field(default=[], description="a list of axiom names without blanks")
    tags: list[Word] = Field(default=[], description="a list of words without blanks")


class ProblemsFile(Table):
    """`problems/<unit>.toml`."""

    problem: list[ProblemTable] = Field(min_length=1, description="at least one table [[problem]]")


class SetFile(Table):
    """`sets/<name>.toml`."""

    title: Line = Field(description="the set's title on one line, at most 200 characters")
    members: list[Annotated[str, StringConstraints(pattern=rf"^{PROBLEM_ID}@[1-9][0-9]*$")]] = Field(
        min_length=1, description='"<problem id>@<revision>", such as "cap_ok@1"'
    )
    digest: Digest | None = Field(default=None, description="the digest that packs check prints, 64 hexadecimal digits")
    seed: int | None = Field(default=None, description="the whole number that the set was drawn with")
    drawn: dict[str, Tally] = Field(default={}, description="how many were drawn by category, whole numbers from 0 up")


class FailuresTable(Table):
    """Failed problems of one category by class."""

    undefined: Tally = Field(description="a whole number from 0 up")
    logic: Tally = Field(description="a whole number from 0 up")
    other: Tally = Field(description="a whole number from 0 up")


class BaselineTable(Table):
    """`[[baseline]]` of `baselines.toml`: one row of a published table."""

    system: Line = Field(description="the system's name on one line, at most 200 characters")
    augmentations: list[Augmented] = Field(
        default=[], description="a list out of similar, dependency, fixing and tryagain"
    )
    source: Line = Field(description="where the figures were published, with the table")
    link: Link = Field(default="", description="an address that starts with https:// or http://")
    k: int | None = Field(default=None, ge=1, le=100, description="the k of ACC#k, a whole number from 1 to 100")
    scores: dict[str, PerCent] = Field(default={}, description="per cent from 0 to 100 by category, or `all`")
    failures: dict[str, FailuresTable] = Field(
        default={}, description="{ undefined = …, logic = …, other = … } by category"
    )
    seconds: dict[str, Seconds] = Field(default={}, description="seconds from 0 up by category, or `all`")
    note: Annotated[str, StringConstraints(max_length=200)] = Field(
        default="", description="one line about this row, at most 200 characters"
    )

    @model_validator(mode="after")
    def _tells_something(self) -> "BaselineTable":
        if not (self.scores or self.failures or self.seconds):
            raise ValueError("a baseline holds none of `scores`, `failures` and `seconds`")
        if self.k is None and (self.scores or self.failures):
            raise ValueError("`scores` and `failures` need the `k` of their ACC#k")
        return self


class BaselinesFile(Table):
    """`baselines.toml`."""

    problems: dict[str, Count] = Field(
        default={}, description="how many problems of each category the figures are of, whole numbers from 1 up"
    )
    baseline: list[BaselineTable] = Field(min_length=1, description="at least one table [[baseline]]")


def _inner(annotation: Any) -> Any:
    """The table behind `list[Table]` and `Table | None`, or the annotation itself."""
    arguments = [a for a in getattr(annotation, "__args__", ()) if isinstance(a, type) and issubclass(a, Table)]
    return arguments[0] if arguments else annotation


def place_in(table: type[Table], path: tuple[str | int, ...]) -> tuple[type[Table], str]:
    """The table that the last key of `path` stands in, and what may be written there (empty when unknown)."""
    says = ""
    for part in path:
        if isinstance(part, str) and part in table.model_fields:
            field = table.model_fields[part]
            says = field.description or ""
            inner = _inner(field.annotation)
            if isinstance(inner, type) and issubclass(inner, Table) and part != path[-1]:
                table = inner
    return table, says
