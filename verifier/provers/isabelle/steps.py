"""In which steps an environment is built, what each of them took, and how long the others may take."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path

from verifier.core.process import Outcome
from verifier.core.sizes import size_words
from verifier.provers.base import BuildStep


@dataclass(frozen=True, slots=True)
class Planned:
    """A session that becomes a heap, and how many bytes of theories are read for it."""

    name: str
    size: int


@dataclass
class Progress:
    """The steps of one build; `record` remembers those that are done across an interruption."""

    record: Path
    planned: Sequence[Planned]
    say: Callable[[str], None]
    done: list[BuildStep] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Take over what an interrupted build finished."""
        if self.record.is_file():
            rows = json.loads(self.record.read_text(encoding="utf-8"))
            self.done = [BuildStep(**row) for row in rows]
        for step in self.done:
            self.say(f"{step.name} was built before the interruption, in {step.seconds:.1f} s")

    def waits(self, step: Planned) -> bool:
        """Whether a step is still to be done; says that it begins."""
        if any(one.name == step.name for one in self.done):
            return False
        number = 1 + [one.name for one in self.planned].index(step.name)
        size = max(1, round(step.size / 1000))
        self.say(f"Step {number} of {len(self.planned)}, {step.name}: {size:,} kB of theories{self._left()}")
        return True

    def finished(self, step: Planned, outcome: Outcome) -> None:
        """Note what a step took, so that it is not done again, and say it."""
        took = BuildStep(step.name, outcome.wall_ms / 1000, outcome.cpu_ms / 1000, outcome.peak_bytes)
        self.done.append(took)
        beside = self.record.with_suffix(".new")
        beside.write_text(json.dumps([asdict(one) for one in self.done]), encoding="utf-8")
        beside.replace(self.record)
        self.say(
            f"{step.name} built in {took.seconds:.1f} s, {took.cpu_seconds:.1f} s of processor time, "
            f"at most {size_words(took.peak_bytes)}"
        )

    def _left(self) -> str:
        seconds = left(self.planned, self.done)
        return "" if seconds is None else f"; about {timedelta(seconds=round(seconds))} left"


def left(planned: Sequence[Planned], done: Sequence[BuildStep]) -> float | None:
    """Seconds that the other steps take if a byte of theories takes as long as before; None before the first step."""
    names = {step.name for step in done}
    read = sum(step.size for step in planned if step.name in names)
    rest = sum(step.size for step in planned if step.name not in names)
    return sum(step.seconds for step in done) * rest / read if read else None
