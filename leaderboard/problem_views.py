"""Pages about single problems: what is stated, who proved it, and the proofs that are given away."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard import problems, selectors
from leaderboard.grid import grid_at
from leaderboard.handouts import given_proof


@require_safe
def problem_list(request: HttpRequest, slug: str) -> HttpResponse:
    """All problems of a benchmark by theory, with how many systems prove each."""
    found = selectors.benchmark_get(slug)
    category = request.GET.get("category", "")
    lines = problems.lines(grid_at(found, None), list(selectors.problems_of(found.pack)), selectors.places_of(found))
    context = {
        "benchmark": found,
        "category": category,
        "lines": [line for line in lines if category in {"", line.problem.category}],
        "systems": max((line.systems for line in lines), default=0),
    }
    return render(request, "leaderboard/problem_list.html", context)


@require_safe
def problem(request: HttpRequest, slug: str, ident: str) -> HttpResponse:
    """One problem: statement, place, who proves it; for a demonstration also its proof."""
    found = selectors.benchmark_get(slug)
    row = selectors.problem_get(found.pack, ident)
    index = selectors.places_of(found).get(row.pk)
    solvers = [] if index is None else problems.solvers(grid_at(found, None), index)
    context = {
        "benchmark": found,
        "problem": row,
        "meaning": next((each.meaning for each in found.categories if each.name == row.category), ""),
        "index": index,
        "solvers": solvers,
        "proved_by": sum(solver.solved for solver in solvers),
        "proof": given_proof(found.pack, row),
    }
    return render(request, "leaderboard/problem.html", context)
