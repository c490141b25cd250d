"""Pages about single problems: what is stated, who proved it, and the proofs that are given away."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from leaderboard import problems, selectors
from leaderboard.atlas import nearest_solved
from leaderboard.cache import answer, late_since, once
from leaderboard.grid import grid_at
from leaderboard.handout_views import given_proof
from leaderboard.public_proofs import proofs_still_public, public_proofs
from leaderboard.selectors import Benchmark
from verifier.models import Problem

PROOFS = 12  # distinct public proofs shown of one problem
UNKNOWN = "?"  # whatever is no category is one page, so that made-up names fill no cache


@require_safe
def problem_list(request: HttpRequest, slug: str) -> HttpResponse:
    """All problems of a benchmark by theory, with how many systems prove each."""
    found = selectors.benchmark_get(slug)
    asked = request.GET.get("category", "")
    category = asked if asked in {"", *(each.name for each in found.categories)} else UNKNOWN
    state = f"{found.state}|{found.pack.digest}"

    def make() -> str:
        return render_to_string("leaderboard/_problem_list.html", _list_context(found, category))

    def response() -> HttpResponse:
        last = f"problems|{slug}|{found.problem_set.digest}|{category}"
        body = once(f"problems|{state}|{category}", make, last=last)
        shown = {"benchmark": found, "body": body, "late": late_since()}
        return render(request, "leaderboard/problem_list.html", shown)

    return answer(request, state, response)


@require_safe
def problem(request: HttpRequest, slug: str, ident: str) -> HttpResponse:
    """One problem: statement, place, who proves it, its neighbours; proofs where they are public."""
    found = selectors.benchmark_get(slug)
    row = selectors.problem_get(found.pack, ident)
    state = f"{found.state}|{found.pack.digest}"

    def make() -> tuple[str, set[str]]:
        made = _context(found, row)
        quoted = {proof.submission for proof in made.get("proofs", ())}
        return render_to_string("leaderboard/_problem.html", made), quoted

    def still_public(page: tuple[str, set[str]]) -> bool:
        return proofs_still_public(found, page[1])

    def response() -> HttpResponse:
        last = f"problem|{slug}|{found.problem_set.digest}|{found.pack.digest}|{row.ident}"
        body, _ = once(f"problem|{state}|{row.ident}", make, last=last, shows=still_public)
        return render(request, "leaderboard/problem.html", {"problem": row, "body": body, "late": late_since()})

    return answer(request, state, response)


def _list_context(found: Benchmark, category: str) -> dict[str, Any]:
    lines = problems.lines(grid_at(found, None), list(selectors.problems_of(found.pack)), selectors.places_of(found))
    return {
        "benchmark": found,
        "category": category,
        "lines": [line for line in lines if category in {"", line.problem.category}],
        "systems": max((line.systems for line in lines), default=0),
    }


def _context(found: Benchmark, row: Problem) -> dict[str, Any]:
    index = selectors.places_of(found).get(row.pk)
    context: dict[str, Any] = {
        "benchmark": found,
        "problem": row,
        "meaning": next((each.meaning for each in found.categories if each.name == row.category), ""),
        "index": index,
        "proof": given_proof(found.pack, row),
    }
    if index is None:
        return context
    grid, idents = grid_at(found, None), found.listed.idents
    solvers = problems.solvers(grid, index)
    near = nearest_solved(grid, found.listed.units, index)
    proofs, distinct = public_proofs(found, row, PROOFS)
    return context | {
        "solvers": solvers,
        "proved_by": problems.proved_by(grid, index),
        "systems": sum(not solver.reference for solver in solvers),
        "near": [(idents[place], found.listed.categories[place], problems.proved_by(grid, place)) for place in near],
        "proofs": proofs,
        "distinct": distinct,
    }
