"""Published faults of Rocq's kernel and checker, the releases that have them, and the guard that closes each.

Sources: the project's own list of critical bugs and the issues it names (rocq-prover/rocq). A submission holds tactic
sentences only, so faults that need a declaration (modules, inductive types, rewrite rules) are out of its reach.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from verifier.provers.base import KnownFault

_CANDIDATE: Final = re.compile(r"alpha|beta|rc|dev")


class Guard(StrEnum):
    """A rule of the word guard; it stands only for releases that have a fault which it closes.

    RECURSION refuses a theorem whose term holds a recursion of its own (see `recursion`), and the words that make one:
    `fix`, `cofix`, a named `context [...]`, `@?x`, tactics without check. UNCHECKED refuses a tactic without check
    beside an evaluating one, SHIFT `addmuldiv` beside the machine, ABSTRACT_USING `abstract` beside `Proof using`.
    LIMITS is no rule on proofs: time, memory and token limits and the sandbox stand there.
    """

    RECURSION = "recursion"
    UNCHECKED = "unchecked"
    SHIFT = "shift"
    ABSTRACT_USING = "abstract_using"
    LIMITS = "limits"


RECURSION_WORDS: Final = frozenset({"fix", "cofix"})
MACHINE_WORDS: Final = frozenset({"vm_compute", "native_compute", "vm_cast_no_check", "native_cast_no_check"})
EVALUATING_WORDS: Final = frozenset({"vm_compute", "native_compute"})
UNCHECKED_WORDS: Final = frozenset(
    {"change_no_check", "exact_no_check", "convert_concl_no_check", "vm_cast_no_check", "native_cast_no_check"}
)
UNCHECKED_ENDING: Final = "_no_check"
SHIFT_WORDS: Final = frozenset({"addmuldiv"})
ABSTRACT_WORDS: Final = frozenset({"abstract", "transparent_abstract"})

RECURSION_REMEDY: Final = (
    "State the recursion through an induction principle: `induction ... using ...`, `functional` lemmas of the pack, "
    "`well_founded_induction`, or an `assert` that generalises the goal before `induction`."
)
# guard -> what is refused, what honest proofs do instead
_MET: Final = {
    Guard.RECURSION: (
        (
            "a theorem whose term holds a `fix` or `cofix` of its own is refused, however it was made: when the prover "
            "has accepted it, and again in the compiled file. Refused before that, as words: `fix`, `cofix`, a named "
            "`context`, `@?x`, tactics that end in `_no_check`"
        ),
        RECURSION_REMEDY,
    ),
    Guard.UNCHECKED: (
        "`vm_compute` and `native_compute` are refused in a proof that also uses a `_no_check` tactic",
        "Use the checked tactic: `change`, `exact`.",
    ),
    Guard.SHIFT: ("`addmuldiv` is refused in a proof that uses `vm_compute` or `native_compute`", "Use `lazy`, `cbv`."),
    Guard.ABSTRACT_USING: (
        "`abstract` is refused in a proof that says `Proof using`; the separate checker refuses it as well",
        "Leave out `using ...`, or prove the step with `assert`.",
    ),
    Guard.LIMITS: (
        "token and memory limits, and the sandbox; the separate checker does not use the machine",
        "Use `lazy`.",
    ),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One row of the table: releases from `since` up to, and without, `until`; None where no release is without it."""

    issue: str
    since: tuple[int, ...]
    until: tuple[int, ...] | None
    guard: Guard
    summary: str

    def affects(self, version: str) -> bool:
        """Whether a release has it; a candidate for the release that mended it (`9.2.1+rc1`) may still."""
        release = numbers(version)
        mended = self.until is not None and release >= self.until
        candidate = _CANDIDATE.search(version) is not None and release[: len(self.until or ())] == self.until
        return release >= self.since and (candidate or not mended)


_R: Final = Guard.RECURSION
TABLE: Final = (
    Fault("20413", (8, 16), (9, 0, 1), _R, "the guard checker skips arguments of a recursive call"),
    Fault("20455", (8, 16), (9, 0, 1), _R, "the guard checker takes a match on a match for a smaller term"),
    Fault("20555", (8, 16), (9, 0, 1), _R, "the guard checker reduces across an inner fixpoint and loses a call"),
    Fault("21053", (0,), (9, 0, 1), _R, "the guard checker contradicts axioms about equal types"),
    Fault("21682", (8, 20), (9, 2), _R, "the guard checker misses cross calls of nested mutual fixpoints"),
    Fault("21683", (9, 0, 1), (9, 2), _R, "the guard checker lets a fixpoint be handed on as an argument"),
    Fault("21701", (8, 20), (9, 2), _R, "the guard checker does not count recursive calls without arguments"),
    Fault("21797", (8, 20), (9, 2), _R, "the guard checker misses arguments of recursive calls"),
    Fault("21839", (8, 16), (9, 3), _R, "the guard checker reduces in the wrong context"),
    Fault("22021", (8, 20), (9, 2, 1), _R, "the guard checker forgets domains in nested fixpoints"),
    Fault("22386", (0,), (9, 2, 1), _R, "the recursive tree of a cofixpoint is computed in the wrong environment"),
    Fault("22389", (0,), (9, 2, 1), _R, "nested mutual cofixpoints are all checked with one recursive tree"),
    Fault("16891", (0,), None, Guard.UNCHECKED, "evaluating an ill-typed term, made without check, corrupts memory"),
    Fault("16957", (0,), (8, 17), Guard.UNCHECKED, "a tactic without check changes the machine's section variables"),
    Fault("19402", (8, 10), (8, 20), Guard.SHIFT, "the virtual machine shifts wrongly by large amounts"),
    Fault("19861", (8, 11), (9, 0), Guard.ABSTRACT_USING, "`abstract` in a section hides variables from `Proof using`"),
    Fault("13439", (0,), None, Guard.LIMITS, "the virtual machine overflows on values with very many fields"),
)


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version text, for comparison."""
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0])[:4])


def guards(version: str) -> frozenset[Guard]:
    """The guards that stand for a release; every one where the release is not known (an empty text)."""
    if not version:
        return frozenset(Guard)
    return frozenset(fault.guard for fault in TABLE if fault.affects(version))


def known(version: str) -> tuple[KnownFault, ...]:
    """The faults that a release has and that a proof could reach, with how each is met."""
    return tuple(_shown(fault) for fault in TABLE if fault.affects(version))


def _shown(fault: Fault) -> KnownFault:
    first = "all releases" if fault.since == (0,) else f"from {_dotted(fault.since)}"
    last = "to the newest" if fault.until is None else f"before {_dotted(fault.until)}"
    met_by, remedy = _MET[fault.guard]
    return KnownFault(f"rocq-prover/rocq#{fault.issue}", f"{first}, {last}", fault.summary, met_by, remedy)


def _dotted(release: tuple[int, ...]) -> str:
    return ".".join(map(str, release))
