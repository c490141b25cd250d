"""Published faults of Rocq's kernel and checker, and how each is met here.

Sources: the project's own list of critical bugs and the issues it names (rocq-prover/rocq). A submission holds tactic
sentences only, so faults that need a declaration (modules, inductive types, rewrite rules) are out of its reach.
"""

import re
from enum import StrEnum
from typing import Final

from verifier.provers.base import KnownFault


class Guard(StrEnum):
    """A rule of the word guard that closes the way to some faults; it stands only for releases that have one of them.

    RECURSION refuses `fix`, `cofix` and a named `context [...]`, UNCHECKED a tactic without check beside an evaluating
    one, SHIFT `addmuldiv` beside the machine, ABSTRACT_USING `abstract` beside `Proof using`.
    """

    RECURSION = "recursion"
    UNCHECKED = "unchecked"
    SHIFT = "shift"
    ABSTRACT_USING = "abstract_using"


RECURSION_WORDS: Final = frozenset({"fix", "cofix"})
MACHINE_WORDS: Final = frozenset({"vm_compute", "native_compute", "vm_cast_no_check", "native_cast_no_check"})
EVALUATING_WORDS: Final = frozenset({"vm_compute", "native_compute"})
UNCHECKED_WORDS: Final = frozenset(
    {"change_no_check", "exact_no_check", "convert_concl_no_check", "vm_cast_no_check", "native_cast_no_check"}
)
SHIFT_WORDS: Final = frozenset({"addmuldiv"})
ABSTRACT_WORDS: Final = frozenset({"abstract", "transparent_abstract"})

RECURSION_REMEDY: Final = (
    "State the recursion through an induction principle: `induction ... using ...`, `functional` lemmas of the pack, "
    "`well_founded_induction`, or an `assert` that generalises the goal before `induction`."
)
_WORDS_MET: Final = (
    "`fix` and `cofix`, as tactic and in terms, are refused, and so is a named `context`, which could rebuild "
    "a library's recursive definition"
)
_MACHINE_MET: Final = "`vm_compute` and `native_compute` are refused in a proof that also uses a `_no_check` tactic"

_ALL: Final = (
    ("20413", (8, 16), (9, 0, 1), "the guard checker skips the arguments of a recursive call that are not structural"),
    ("20455", (8, 16), (9, 0, 1), "the guard checker takes a match on a match for a smaller term"),
    ("20555", (8, 16), (9, 0, 1), "the guard checker reduces across an inner fixpoint and loses the outer call"),
    ("21839", (8, 16), (9, 2, 1), "the guard checker reduces in the wrong context"),
    ("22386", (0,), (9, 2, 1), "the recursive tree of a cofixpoint is computed in the wrong environment"),
    ("22389", (0,), (9, 2, 1), "all members of a nested mutual cofixpoint are checked with one recursive tree"),
    ("21053", (0,), (9, 0, 1), "the guard checker contradicts axioms about equal types"),
    ("21682", (8, 20), (9, 2), "the guard checker misses cross calls of nested mutual fixpoints"),
    ("21797", (8, 20), (9, 2), "the guard checker misses arguments of recursive calls"),
)
_MACHINE: Final = (
    ("16891", (0,), (99,), "evaluating an ill-typed term, which only a tactic without check can make, corrupts memory"),
    ("16957", (0,), (8, 17), "a tactic without check can change the machine's view of a section variable"),
)


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version text, for comparison."""
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0])[:4])


def _row(  # noqa: PLR0917 - one row of a table
    issue: str, since: tuple[int, ...], until: tuple[int, ...], summary: str, met_by: str, remedy: str
) -> KnownFault:
    first = "all releases" if since == (0,) else f"from {'.'.join(map(str, since))}"
    last = "to the newest" if until == (99,) else f"before {'.'.join(map(str, until))}"
    return KnownFault(f"rocq-prover/rocq#{issue}", f"{first}, {last}", summary, met_by, remedy)


def known(version: str) -> tuple[KnownFault, ...]:
    """The faults that a release has and that a proof could reach, with how each is met."""
    release = numbers(version)
    rows = [
        _row(issue, since, until, summary, _WORDS_MET, RECURSION_REMEDY)
        for issue, since, until, summary in _ALL
        if since <= release < until
    ]
    rows += [
        _row(issue, since, until, summary, _MACHINE_MET, "Use the checked tactic: `change`, `exact`.")
        for issue, since, until, summary in _MACHINE
        if since <= release < until
    ]
    if (8, 10) <= release < (8, 20):
        rows.append(
            _row(
                "19402",
                (8, 10),
                (8, 20),
                "the virtual machine shifts wrongly by large amounts",
                "`addmuldiv` is refused in a proof that uses `vm_compute` or `native_compute`",
                "Use `lazy` or `cbv`.",
            )
        )
    if (8, 11) <= release < (9, 0):
        rows.append(
            _row(
                "19861",
                (8, 11),
                (9, 0),
                "`abstract` in a section hides variables from `Proof using`",
                "`abstract` is refused in a proof that says `Proof using`; the separate checker refuses it as well",
                "Leave out `using ...`, or prove the step with `assert`.",
            )
        )
    rows.append(
        _row(
            "13439",
            (0,),
            (99,),
            "the virtual machine overflows on values with a very large number of fields",
            "token and memory limits, and the sandbox; the separate checker does not use the machine",
            "Use `lazy`.",
        )
    )
    return tuple(rows)
