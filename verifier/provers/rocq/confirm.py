"""The official check of proofs that a warm session accepted (design, section 7.2).

1. One file, written by the judge, compiled in a sandbox: the unit as it stands, with each problem's owned statement as
   a proposition, then the submitted proof under a fresh name, then the original lemma, then checks that the submitted
   theorem has the type of both, all in the problem's own place, inside its sections and modules.
2. No theorem of the compiled file may hold a recursion of its own, on releases whose check of those has faults.
3. In a second sandbox: the assumptions of everything at once, lemma by lemma only where they are not empty.
4. There too: the separate checker on the compiled file.
Where the file is refused, it is halved until the proof at fault stands alone, so that it spoils no other.
"""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from verifier.core.errors import PlatformFault
from verifier.core.limits import Limits
from verifier.core.problem import Pack, ProblemSpec
from verifier.core.process import Outcome
from verifier.core.reason import Reason
from verifier.core.result import ConfirmationResult, ProofTask
from verifier.provers.base import Run
from verifier.provers.deaths import LIMIT_REASONS
from verifier.provers.rocq import commands, policy, recursion, statements, units
from verifier.provers.rocq.faults import Guard

_CLOSED: Final = "Closed under the global context"
_LEAST_SECONDS: Final = 60.0
_TIMES_UNIT: Final = (
    20.0  # as long as the unit took when it was built: its own sentences and the checks, on a busy host
)
_PROMPT: Final = re.compile(r"^(?:Coq|Rocq) < ?", re.MULTILINE)
_AXIOM: Final = re.compile(r"^([^\W\d][\w.']*)(?:\s*:|$)")
_LOCATED: Final = re.compile(r"^(?:Constant|Inductive|Constructor|Variable) (\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Bench:
    """What every step of one confirmation shares."""

    tools: Mapping[str, str]
    images: Mapping[str, bytes]  # compiled files of the units before this one
    own: bytes  # that of this one
    unit_seconds: float  # that compiling it took when the environment was built
    library: commands.Library
    pack: Pack
    unit: units.Unit
    guards: frozenset[Guard]  # of the release that checks
    given: frozenset[str]  # lemmas whose proofs the edition for teams leaves out
    limits: Limits
    run: Run

    def seconds(self, proofs: int) -> float:
        """How long a step may take: over what the proofs may need, what the unit's own sentences and the checks do."""
        own = max(_LEAST_SECONDS, _TIMES_UNIT * self.unit_seconds)
        return own + 2 * self.limits.wall_seconds * proofs

    @property
    def module(self) -> str:
        """The unit's full name."""
        return self.library.module(self.unit.place)


@dataclass(frozen=True, slots=True)
class _Piece:
    """One proof in the joint file, under the name `fresh`, reachable from outside as `qualified`."""

    task: ProofTask
    problem: ProblemSpec
    fresh: str
    qualified: str


def confirm(bench: Bench, tasks: Sequence[ProofTask]) -> list[ConfirmationResult]:
    """One result for each task, in their order."""
    found: dict[tuple[str, int], ConfirmationResult] = {}
    pieces: list[_Piece] = []
    tactics = policy.tactic_names(bench.unit.source)
    for task in tasks:
        problem = bench.pack.problem(task.problem)
        if problem is None:
            found[task.problem, task.attempt] = _said(task, None, "The pack has no such problem any more.")
        elif bench.unit.lemma_of(problem).modules is None:
            found[task.problem, task.attempt] = _said(task, None, units.SHUT)
        elif policy.findings(task.text, tactics, bench.guards):
            found[task.problem, task.attempt] = _said(task, False, "Policy refuses this proof.")
        else:
            pieces.append(_piece(bench, problem, task))
    for result in _joint(bench, pieces):
        found[result.problem, result.attempt] = result
    return [found[task.problem, task.attempt] for task in tasks]


def _said(task: ProofTask, agreed: bool | None, message: str, axioms: tuple[str, ...] = ()) -> ConfirmationResult:
    return ConfirmationResult(task.problem, task.attempt, agreed, message, axioms)


def _piece(bench: Bench, problem: ProblemSpec, task: ProofTask) -> _Piece:
    lemma = bench.unit.lemma_of(problem)
    fresh = f"sx_{secrets.token_hex(8)}"
    assert lemma.modules is not None
    return _Piece(task, problem, fresh, ".".join((bench.module, *lemma.modules, fresh)))


def _source(bench: Bench, pieces: Sequence[_Piece]) -> str:
    """The judge's file: the unit with every piece in its own place."""
    source, at, parts = bench.unit.source, 0, []
    by_lemma: dict[int, list[_Piece]] = {}
    for piece in pieces:
        by_lemma.setdefault(bench.unit.lemma_of(piece.problem).index, []).append(piece)
    for index in sorted(by_lemma):
        lemma = bench.unit.lemmas[index]
        parts.append(source[at : lemma.start])
        parts += [_before(piece) for piece in by_lemma[index]]
        parts.append(source[lemma.start : lemma.end])
        parts += [_after(piece) for piece in by_lemma[index]]
        at = lemma.end
    return "".join([*parts, source[at:]])


def _before(piece: _Piece) -> str:
    owned, name = piece.problem.statement, piece.problem.lemma
    closed = statements.proposition(owned, name)
    stated = statements.renamed(owned, name, piece.fresh)
    lines = [] if closed is None else [f"Definition {piece.fresh}_s : Type := {closed}."]
    lines += [stated, piece.task.text]
    if closed is not None:
        lines.append(f"Definition {piece.fresh}_c : {piece.fresh}_s := @{piece.fresh}.")
    return "\n" + "\n".join(lines) + "\n"


def _after(piece: _Piece) -> str:
    original = f"ltac:(let t := type of (@{piece.problem.lemma}) in exact t)"
    return f"\nDefinition {piece.fresh}_o : {original} := @{piece.fresh}.\n"


def _joint(bench: Bench, pieces: Sequence[_Piece]) -> list[ConfirmationResult]:
    if not pieces:
        return []
    seconds = bench.seconds(len(pieces))
    outcome = bench.run(
        commands.compile_unit(
            bench.tools,
            bench.images,
            bench.library,
            bench.unit.place,
            _source(bench, pieces),
            wall_seconds=seconds,
            memory_bytes=bench.limits.memory_bytes,
        )
    )
    if outcome.exit_code == 0 and outcome.limit is None and outcome.stdout:
        images = {**bench.images, f"{bench.unit.place}.vo": outcome.stdout}
        return _inspected(bench, pieces, images, seconds)
    if len(pieces) > 1:
        return _halves(bench, pieces)
    return [_stopped(pieces[0].task, outcome, _last_words(outcome))]


def _stopped(task: ProofTask, outcome: Outcome, message: str) -> ConfirmationResult:
    """What it means for one proof, alone in the file, that a step ended without success."""
    if outcome.limit is None:
        return _said(task, False, message)
    return replace(_said(task, None, message), reason=LIMIT_REASONS[outcome.limit])


def _halves(bench: Bench, pieces: Sequence[_Piece]) -> list[ConfirmationResult]:
    middle = len(pieces) // 2
    return [*_joint(bench, pieces[:middle]), *_joint(bench, pieces[middle:])]


def _last_words(outcome: Outcome) -> str:
    if outcome.limit is not None:
        return f"The compiler was ended by the limit on {outcome.limit}."
    return outcome.stderr.decode(errors="replace").strip()[-2000:]


def _inspected(
    bench: Bench, pieces: Sequence[_Piece], images: Mapping[str, bytes], seconds: float
) -> list[ConfirmationResult]:
    """All steps after the first on a compiled joint file."""
    if Guard.RECURSION in bench.guards and (refused := _recursive(bench, pieces, images[f"{bench.unit.place}.vo"])):
        if len(pieces) > 1 and len(refused) == len(pieces):
            return _halves(bench, pieces)  # what cannot be told apart
        rest = [piece for piece in pieces if piece.fresh not in refused]
        return [*refused.values(), *_joint(bench, rest)]
    checked = bench.run(
        commands.checker(
            bench.tools,
            images,
            bench.library,
            bench.unit.place,
            wall_seconds=seconds,
            memory_bytes=bench.limits.memory_bytes,
        )
    )
    if checked.exit_code != 0 or checked.limit is not None:
        if len(pieces) > 1:
            return _halves(bench, pieces)
        verb = "refuses it" if checked.limit is None else "did not come to an end"
        return [_stopped(pieces[0].task, checked, f"The separate checker {verb}. {_last_words(checked)}")]
    if len(pieces) > 1 and _all_closed(bench, pieces, images, seconds):
        return [_said(piece.task, True, "") for piece in pieces]
    return [_judged(bench, piece, images, seconds) for piece in pieces]


def _recursive(bench: Bench, pieces: Sequence[_Piece], compiled: bytes) -> dict[str, ConfirmationResult]:
    """Refusals of the proofs whose term holds a recursion, by fresh name; of all where it may be anybody's."""
    theorems = frozenset(piece.fresh for piece in pieces)
    message = f"{recursion.MESSAGE} {recursion.REMEDY}"
    guilty: Sequence[_Piece]
    try:
        names = recursion.in_compiled(compiled, [*bench.images.values(), bench.own], theorems)
        of_one = {name: [piece for piece in pieces if name.startswith(piece.fresh)] for name in names}
        guilty = [piece for owners in of_one.values() for piece in owners] if all(of_one.values()) else pieces
    except recursion.TooLargeError:
        guilty, message = pieces, f"{recursion.TOO_LARGE} {recursion.TOO_LARGE_REMEDY}"
    return {
        piece.fresh: replace(_said(piece.task, False, message), reason=Reason.KERNEL_FAULT_GUARD) for piece in guilty
    }


def _all_closed(bench: Bench, pieces: Sequence[_Piece], images: Mapping[str, bytes], seconds: float) -> bool:
    """Whether none rests on anything; False also where they cannot be asked about together, as one in SProp cannot."""
    try:
        return _assumptions(bench, images, [piece.qualified for piece in pieces], seconds) == ()
    except PlatformFault:
        return False


def _judged(bench: Bench, piece: _Piece, images: Mapping[str, bytes], seconds: float) -> ConfirmationResult:
    """What one proof rests on, held against what its problem permits; undecided where the prover does not tell."""
    permitted = piece.problem.permitted_axioms
    try:
        used = _assumptions(bench, images, [piece.qualified], seconds)
        if used is None:
            return _said(piece.task, False, "Its assumptions are more than axioms with a name.")
        known = _kernel_names(bench, images, [*used, *permitted], seconds) if used else {}
    except PlatformFault as fault:
        return _said(piece.task, None, str(fault))
    allowed = {known.get(name, name) for name in permitted}
    names = tuple(known.get(name, name) for name in used)
    extra = [name for name in names if name not in allowed]
    message = f"It rests on {', '.join(extra)}, which this problem does not permit." if extra else ""
    return _said(piece.task, not extra, message, names)


def _assumptions(
    bench: Bench, images: Mapping[str, bytes], names: Sequence[str], seconds: float
) -> tuple[str, ...] | None:
    """Axioms that the named theorems rest on, together; None when the prover reports anything but axioms."""
    mark = f"sx_{secrets.token_hex(8)}"
    terms = ", ".join(f"@{name}" for name in names)
    term = f"({terms})" if len(names) > 1 else terms
    script = f"Require {bench.module}.\nDefinition {mark} := {term}.\nPrint Assumptions {mark}.\nCheck {mark}_end.\n"
    said = _script(bench, images, script, seconds, f" {mark}_end was not")
    if said.count(_CLOSED) == 1 and "Axioms:" not in said:
        return ()
    block = said.partition("Axioms:")[2]
    found = []
    for line in block.splitlines():
        if not line.strip() or line.startswith((" ", "\t")) or _PROMPT.match(line):
            continue
        match = _AXIOM.match(line)
        if match is None or "assumed" in line or "relies on" in line:
            return None
        found.append(match.group(1))
    return tuple(name for name in found if name.rpartition(".")[2] not in bench.given) if found else None


def _kernel_names(bench: Bench, images: Mapping[str, bytes], names: Sequence[str], seconds: float) -> dict[str, str]:
    """Full names behind the short ones that a message or a pack gives."""
    known: dict[str, str] = {}
    for name in dict.fromkeys(names):
        mark = f"sx_{secrets.token_hex(8)}"
        script = f"Require {bench.module}.\nLocate {name}.\nCheck {mark}.\n"
        match = _LOCATED.search(_script(bench, images, script, seconds, f" {mark} was not"))
        if match:
            known[name] = match.group(1)
    return known


def _script(bench: Bench, images: Mapping[str, bytes], script: str, seconds: float, end: str) -> str:
    """What a fresh process prints on a judge's script; PlatformFault when it does not get to its end."""
    outcome = bench.run(
        commands.top_level(
            bench.tools, images, bench.library, script, wall_seconds=seconds, memory_bytes=bench.limits.memory_bytes
        )
    )
    errors = " ".join(outcome.stderr.decode(errors="replace").split())
    if outcome.exit_code != 0 or outcome.limit is not None or end not in errors or errors.count("Error:") != 1:
        raise PlatformFault(f"The judge's check file did not run to its end: {errors[-300:]}")
    return _PROMPT.sub("", outcome.stdout.decode(errors="replace"))
