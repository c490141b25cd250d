"""Reads of the verifier's rows that more than one place needs."""

from verifier.models import Environment, Pack, Problem, ProblemSet


def problems_of_set(problem_set: ProblemSet) -> list[Problem]:
    """Problems in the order of the set, which is the order of the vectors of run summaries. One query."""
    return [member.problem for member in problem_set.members.select_related("problem").order_by("index")]


def environment_current(pack: Pack) -> Environment | None:
    """The environment that new runs are checked in; None before the first build."""
    return Environment.objects.filter(pack=pack, current=True).first()
