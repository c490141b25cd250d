"""Reads of the verifier's rows."""

from django.db.models import QuerySet

from verifier.models import Environment, Pack, Problem, ProblemSet


def packs_all() -> QuerySet[Pack]:
    """Every pack, by slug."""
    return Pack.objects.order_by("slug")


def pack_by_slug(slug: str) -> Pack | None:
    """The pack, or None."""
    return Pack.objects.filter(slug=slug).first()


def set_current(pack: Pack) -> ProblemSet | None:
    """The set that new submissions go to; None before the first sync."""
    return pack.sets.filter(current=True).first()


def set_by_name(pack: Pack, name: str) -> ProblemSet | None:
    """A set of the pack, current or not."""
    return pack.sets.filter(name=name).first()


def problems_of_set(problem_set: ProblemSet) -> list[Problem]:
    """Problems in the order of the set, which is the order of the vectors of run summaries. One query."""
    return [member.problem for member in problem_set.members.select_related("problem").order_by("index")]


def demonstrations(pack: Pack) -> QuerySet[Problem]:
    """Active problems that are given out with their proofs, in the order of their theories."""
    return pack.problems.filter(split="demonstration", status="active")


def environment_current(pack: Pack) -> Environment | None:
    """The environment that new runs are checked in; None before the first build."""
    return pack.environments.filter(current=True).first()


def environment_by_digest(digest: str) -> Environment | None:
    """An environment by the digest of its recipe."""
    return Environment.objects.filter(digest=digest).select_related("pack").first()
