"""What a sync must not change, because scores rest on it: members of sets, and problems while a set holds them."""

from typing import Final

from verifier.core.digest import digest_text
from verifier.core.finding import Consequence, Finding
from verifier.core.problem import Pack, ProblemSpec
from verifier.models import Pack as PackRow
from verifier.models import Problem, SetMember

MANIFEST_OF_PROBLEMS: Final = "problems/{}.toml"


def refusals(row: PackRow, pack: Pack) -> list[Finding]:
    """Every reason why this state of the pack cannot follow the mirrored one; empty when it can."""
    return _set_refusals(row, pack) + _problem_refusals(row, pack)


def _refused(member: str, message: str, remedy: str, problem: str = "") -> Finding:
    return Finding(Consequence.REFUSED, message, remedy, member=member, problem=problem)


def _set_refusals(row: PackRow, pack: Pack) -> list[Finding]:
    known = dict(row.sets.values_list("name", "digest"))
    return [
        _refused(
            f"sets/{spec.name}.toml",
            f"set {spec.name} is frozen and has other members here",
            "Restore its members; write the new list as a set of a new name and point `current_set` at it.",
        )
        for spec in pack.sets
        if known.get(spec.name, spec.digest) != spec.digest
    ]


def _problem_refusals(row: PackRow, pack: Pack) -> list[Finding]:
    highest: dict[str, int] = {}
    for ident, revision in row.problems.values_list("ident", "revision"):
        highest[ident] = max(revision, highest.get(ident, 0))
    frozen: dict[str, list[Problem]] = {}
    held = SetMember.objects.filter(problem_set__pack=row).values("problem_id")
    for problem in Problem.objects.filter(pk__in=held):
        frozen.setdefault(problem.ident, []).append(problem)
    found: list[Finding] = []
    for spec in pack.problems:
        member = MANIFEST_OF_PROBLEMS.format(spec.unit)
        if spec.revision < highest.get(spec.id, 0):
            message = f"`{spec.id}` has revision {spec.revision}, and {highest[spec.id]} is known already"
            remedy = f"Write `revision = {highest[spec.id]}`, or {highest[spec.id] + 1} if it changed."
            found.append(_refused(member, message, remedy, spec.id))
        for problem in frozen.get(spec.id, []):
            if problem.revision == spec.revision and (parts := _changed(problem, spec)):
                message = (
                    f"`{spec.id}` changed its {', '.join(parts)} while a frozen set holds revision {spec.revision}"
                )
                remedy = f"Undo the change, or write `revision = {spec.revision + 1}` and a new set with it."
                found.append(_refused(member, message, remedy, spec.id))
    present = {spec.id for spec in pack.problems}
    for ident in sorted(frozen.keys() - present):
        unit = frozen[ident][-1].unit
        remedy = 'Bring it back with `status = "withdrawn"`.'
        found.append(
            _refused(MANIFEST_OF_PROBLEMS.format(unit), f"`{ident}` is gone, and a frozen set holds it", remedy, ident)
        )
    return found


def _changed(problem: Problem, spec: ProblemSpec) -> list[str]:
    """What of a problem decides its score, where row and pack differ."""
    pairs = {
        "statement": (problem.statement_digest, digest_text(spec.statement)),
        "category": (problem.category, spec.category),
        "permitted axioms": (sorted(problem.permitted_axioms), sorted(spec.permitted_axioms)),
        "bundle": (problem.bundle, spec.bundle),
        "split": (problem.split, str(spec.split)),
    }
    return [name for name, (before, now) in pairs.items() if before != now]
