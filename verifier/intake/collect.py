"""The members of an upload sorted: which is a proof of what, which says something about it, which is left out."""

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from verifier.core.archive import Member
from verifier.core.archive_limits import UploadLimits
from verifier.core.archive_names import refused
from verifier.core.display import shown
from verifier.core.finding import Consequence, Finding
from verifier.core.problem import Pack, ProblemSpec, SetSpec, Split, Status
from verifier.intake.layout import Slot, slot_of
from verifier.intake.meta import NAME as FACTS
from verifier.intake.meta import SubmissionFacts, read_facts
from verifier.intake.proofs import Candidate, judge
from verifier.intake.records import Record, read_records
from verifier.intake.report import SubmittedProof
from verifier.intake.sources import RECORDS
from verifier.provers.base import Prover

MOST_SUGGESTIONS: Final = 100  # looking for near names costs milliseconds each


@dataclass(slots=True)
class Collection:
    """What an upload holds for one problem set of one pack; grows member by member."""

    pack: Pack
    prover: Prover
    limits: UploadLimits
    wanted: dict[str, ProblemSpec]  # problems that count here, by id
    wrapper: str
    told: Callable[[int], None] = lambda _read: None  # hears how many bytes were read
    proofs: dict[Slot, SubmittedProof] = field(default_factory=dict)
    tidied: dict[str, list[str]] = field(default_factory=dict)  # what was taken off -> members
    findings: list[Finding] = field(default_factory=list)
    facts: SubmissionFacts | None = None
    records: int = 0
    read: int = 0
    _others: dict[str, ProblemSpec] = field(default_factory=dict)
    _near: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index every problem of the pack once."""
        self._others = {problem.id: problem for problem in self.pack.problems}

    def take(self, member: Member) -> None:
        """Judge one file."""
        path = member.name.removeprefix(self.wrapper)
        if path == RECORDS:
            self._take_records(member)
        elif FACTS in {path, member.name}:
            self.facts, found = read_facts(member.name, member.data)
            self.findings += found
        elif slot := slot_of(path, self.prover.extension):
            self._take_proof(slot, member.name, member.data)
        else:
            self._leave_out(member.name, "Not a proof file of this benchmark.", self._forms())
        self.read += len(member.data)
        self.told(self.read)

    def _take_records(self, member: Member) -> None:
        before = self.read
        for record in read_records(member.name, member.data, self.limits.members, lambda at: self.told(before + at)):
            if isinstance(record, Finding):
                self.findings.append(record)
                continue
            self.records += 1
            self._take_record(member.name, record)

    def _take_record(self, member: str, record: Record) -> None:
        slot = Slot(record.problem, record.attempt)
        self._take_proof(slot, member, record.proof, line=record.line, seconds=record.seconds)

    def _take_proof(
        self, slot: Slot, member: str, content: bytes | str, *, line: int | None = None, seconds: float | None = None
    ) -> None:
        problem = self.wanted.get(slot.problem)
        if problem is None:
            self._leave_out(member, *self._why_unwanted(slot), line)
        elif slot.attempt > max(self.pack.k_values):
            message = f"Attempt {slot.attempt} is not asked for."
            remedy = f"Attempts are 0 (greedy) and 1 to {max(self.pack.k_values)}."
            self._leave_out(member, message, remedy, line)
        elif slot in self.proofs:
            self._refuse_second(slot, member, line)
        else:
            candidate = Candidate(problem, slot.attempt, member, content, line, seconds)
            judged = judge(self.pack, self.prover, candidate)
            self.proofs[slot] = judged.proof
            self.findings += judged.findings
            for what in judged.tidied:
                self.tidied.setdefault(what, []).append(member)

    def _refuse_second(self, slot: Slot, member: str, line: int | None) -> None:
        first = self.proofs[slot].member
        if line is None and first == member:
            return  # one name twice: the archive is refused for that already
        where = "on an earlier line" if first == member else f"in `{shown(first)}`"
        message = f"A second text for attempt {slot.attempt} of `{slot.problem}`; the first one is {where}."
        found = refused(member, message, "Keep one of the two.")
        self.findings.append(replace(found, line=line, problem=slot.problem, attempt=slot.attempt))

    def _why_unwanted(self, slot: Slot) -> tuple[str, str]:
        name = f"`{shown(slot.problem)}`"
        problem = self._others.get(slot.problem)
        if problem is None:
            return f"No problem is called {name}.", self._nearest(slot.problem)
        if problem.split is Split.DEMONSTRATION:
            return f"{name} is a demonstration: its proof is given away and does not count.", "Leave it out."
        if problem.status is Status.WITHDRAWN:
            return f"{name} was withdrawn and does not count any more.", "Leave it out."
        return f"{name} is not in this problem set.", "Leave it out, or choose the set that holds it."

    def _nearest(self, name: str) -> str:
        if name in self._near:
            return self._near[name]
        if len(self._near) >= MOST_SUGGESTIONS or len(name) > 100:
            return "Use the ids of the benchmark."
        folded = {problem.lower(): problem for problem in self.wanted}
        near: Sequence[str] = difflib.get_close_matches(name.lower(), folded, n=3, cutoff=0.75)
        names = " or ".join(f"`{folded[one]}`" for one in near)
        self._near[name] = f"Did you mean {names}?" if near else "Use the ids of the benchmark."
        return self._near[name]

    def _leave_out(self, member: str, message: str, remedy: str, line: int | None = None) -> None:
        self.findings.append(Finding(Consequence.IGNORED, message, remedy, shown(member), line))

    def _forms(self) -> str:
        ext = self.prover.extension
        return f"Proofs are `<id>{ext}`, `<attempt>/<id>{ext}`, `<id>/<attempt>{ext}` or lines of `{RECORDS}`."


def problems_wanted(pack: Pack, problem_set: SetSpec | None) -> dict[str, ProblemSpec]:
    """Problems that count: those of the set that are still active, or every active evaluation problem."""
    chosen = None if problem_set is None else {problem for problem, _ in problem_set.members}
    return {
        problem.id: problem
        for problem in pack.problems
        if problem.status is Status.ACTIVE
        and problem.split is Split.EVALUATION
        and (chosen is None or problem.id in chosen)
    }
