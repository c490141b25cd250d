"""Packs mirrored into tables, so that submissions and results have something to point at."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import F

from verifier.core.digest import digest_text
from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding
from verifier.core.problem import Pack, ProblemSpec
from verifier.models import Pack as PackRow
from verifier.models import Problem, ProblemSet, SetMember
from verifier.services.frozen import refusals

# Organisers may change these in the admin; such a value stays until the pack's own one changes.
ADMIN_FIELDS: Final = ("daily_quota", "opens", "closes")
_BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did, in sentences for whoever ran it; no note means that nothing had to be done."""

    slug: str
    notes: tuple[str, ...]


@transaction.atomic
def pack_sync(*, pack: Pack) -> SyncReport:
    """Mirror a pack into the tables, all or nothing; a second time in a row changes nothing.

    Raises InputFault with every refusal: a frozen set with other members, a revision lower than a known one, a
    problem of a frozen set that changed or vanished, an edition for teams.
    """
    if pack.for_teams:
        remedy = "Sync the host's pack; this one is what its teams judge with at home."
        raise InputFault([Finding(Consequence.REFUSED, "an edition for teams", remedy, member="pack.toml")])
    row, created = PackRow.objects.get_or_create(slug=pack.slug, defaults=_columns(pack) | _admin_values(pack))
    row = PackRow.objects.select_for_update(no_key=True).get(pk=row.pk)
    if refused := refusals(row, pack):
        raise InputFault(refused)
    notes = ["new pack"] if created else _pack_write(row, pack)
    notes += _problems_write(row, pack)
    notes += _sets_write(row, pack)
    if notes and not created:
        stamp_bump(pack=row)
    return SyncReport(pack.slug, tuple(notes))


def stamp_bump(*, pack: PackRow) -> None:
    """Say that boards of this pack may have changed, so that no cached page of it is shown again."""
    PackRow.objects.filter(pk=pack.pk).update(stamp=F("stamp") + 1)


def _columns(pack: Pack) -> dict[str, Any]:
    return {
        "title": pack.title,
        "summary": pack.summary,
        "prover": pack.prover,
        "digest": pack.digest,
        "proofs": str(pack.proofs),
        "manifest": {
            "licence": pack.licence,
            "citation": pack.citation,
            "homepage": pack.homepage,
            "toolchain": pack.toolchain,
            "limits": asdict(pack.limits),
            "categories": [asdict(category) for category in pack.categories],
            "k_values": list(pack.k_values),
            "primary_metric": pack.primary_metric,
            "units": list(pack.units),
            "reported_only": pack.reported_only,
            "baselines": [asdict(b) | {"augmentations": list(b.augmentations)} for b in pack.baselines],
            "admin": {name: _plain(value) for name, value in _admin_values(pack).items()},
        },
    }


def _admin_values(pack: Pack) -> dict[str, Any]:
    return {name: getattr(pack, name) for name in ADMIN_FIELDS}


def _plain(value: Any) -> Any:
    """A value as JSON keeps it."""
    return value.isoformat() if hasattr(value, "isoformat") else value


def _pack_write(row: PackRow, pack: Pack) -> list[str]:
    """Write the pack's own row; a date or quota is taken over only when the pack itself says something new."""
    said_before = row.manifest.get("admin", {})
    columns = _columns(pack)
    columns |= {name: value for name, value in _admin_values(pack).items() if _plain(value) != said_before.get(name)}
    changed = [name for name, value in columns.items() if getattr(row, name) != value]
    for name in changed:
        setattr(row, name, columns[name])
    if changed:
        row.save(update_fields=changed)
    notes = [f"{name} is {_plain(columns[name])} now" for name in changed if name in ADMIN_FIELDS]
    others = [name for name in changed if name not in ADMIN_FIELDS]
    return notes + ([f"{', '.join(others)} changed"] if others else [])


def _fields(spec: ProblemSpec) -> dict[str, Any]:
    return {
        "category": spec.category,
        "unit": spec.unit,
        "position": spec.position,
        "lemma": spec.lemma,
        "statement": spec.statement,
        "statement_digest": digest_text(spec.statement),
        "scope": list(spec.scope),
        "status": str(spec.status),
        "split": str(spec.split),
        "bundle": spec.bundle,
        "permitted_axioms": list(spec.permitted_axioms),
        "tags": list(spec.tags),
    }


def _problems_write(row: PackRow, pack: Pack) -> list[str]:
    known = {(problem.ident, problem.revision): problem for problem in row.problems.all()}
    fresh: list[Problem] = []
    changed: list[Problem] = []
    for spec in pack.problems:
        fields = _fields(spec)
        problem = known.get((spec.id, spec.revision))
        if problem is None:
            fresh.append(Problem(pack=row, ident=spec.id, revision=spec.revision, **fields))
        elif any(getattr(problem, name) != value for name, value in fields.items()):
            for name, value in fields.items():
                setattr(problem, name, value)
            changed.append(problem)
    # What no set ever froze can go; everything else stays, because results point at it.
    present = {(spec.id, spec.revision) for spec in pack.problems}
    frozen = set(SetMember.objects.filter(problem__pack=row).values_list("problem_id", flat=True))
    gone = [problem.pk for key, problem in known.items() if key not in present and problem.pk not in frozen]
    Problem.objects.bulk_create(fresh, batch_size=_BATCH)
    if changed:
        Problem.objects.bulk_update(changed, list(_fields(pack.problems[0])), batch_size=_BATCH)
    for start in range(0, len(gone), _BATCH):
        Problem.objects.filter(pk__in=gone[start : start + _BATCH]).delete()
    numbers = {"new": len(fresh), "changed": len(changed), "taken away": len(gone)}
    return [f"{number} problem{'s' if number > 1 else ''} {what}" for what, number in numbers.items() if number]


def _sets_write(row: PackRow, pack: Pack) -> list[str]:
    notes: list[str] = []
    known = {one.name: one for one in row.sets.all()}
    problems = {(problem.ident, problem.revision): problem for problem in row.problems.all()}
    for spec in pack.sets:
        current = spec.name == pack.current_set
        if spec.name in known:
            notes += _set_update(known[spec.name], spec.title, current=current)
        elif missing := [f"`{name}@{revision}`" for name, revision in spec.members if (name, revision) not in problems]:
            notes.append(f"set {spec.name} is left out: {missing[0]} is older than anything known here")
        else:
            created = ProblemSet.objects.create(
                pack=row, name=spec.name, title=spec.title, digest=spec.digest, current=current
            )
            _members_create(created, (problems[member] for member in spec.members))
            notes.append(f"set {spec.name} frozen with {len(spec.members)} problems")
    absent = [one for name, one in known.items() if name not in {spec.name for spec in pack.sets}]
    for one in absent:
        notes += _set_update(one, one.title, current=False)
    return notes


def _set_update(row: ProblemSet, title: str, *, current: bool) -> list[str]:
    if (row.title, row.current) == (title, current):
        return []
    ProblemSet.objects.filter(pk=row.pk).update(title=title, current=current)
    return [f"set {row.name} is {'the current one' if current else 'kept for old scores'}"]


def _members_create(row: ProblemSet, problems: Iterable[Problem]) -> None:
    members = [SetMember(problem_set=row, problem=problem, index=index) for index, problem in enumerate(problems)]
    SetMember.objects.bulk_create(members, batch_size=_BATCH)
