"""The log of one proof and its raw text."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from submissions.models import Proof, Run
from submissions.selectors.logs import counts_words, log_page
from submissions.selectors.results import AttemptCell, RunFilter, result_detail, run_table
from submissions.selectors.submissions import rights_on
from submissions.views.answers import plain_text, uncached
from submissions.views.runs import submission_shown
from verifier.core.metrics import scoring_attempt
from verifier.core.verdict import Verdict


def _cells(run: Run, problem: str) -> dict[int, AttemptCell]:
    """What is known of each attempt at a problem, in their order."""
    lines = run_table(run, RunFilter(text=problem))
    line = next((line for line in lines if line.problem == problem), None)
    if line is None:
        raise Http404
    return {cell.attempt: cell for cell in line.cells}


@require_GET
@uncached
def log(request: HttpRequest, submission_id: str, problem: str, attempt: int) -> HttpResponse:
    """What happened to one proof, and where."""
    row, run = submission_shown(request, submission_id)
    cells = _cells(run, problem)
    if attempt not in cells:
        raise Http404
    detail = result_detail(run, problem, attempt)
    pack = row.problem_set.pack
    proved = [number for number, cell in cells.items() if cell.verdict == Verdict.PROVED]
    context = {
        "submission": row,
        "pack": pack,
        "run": run,
        "problem": detail.problem if detail else row.problem_set.members.get(problem__ident=problem).problem,
        "attempt": attempt,
        "cell": cells[attempt],
        "cells": tuple(cells.values()),
        "proved": proved,
        "counts": counts_words(proved, scoring_attempt(cells), pack.manifest.get("k_values", [1])),
        "detail": detail,
        "page": log_page(detail) if detail else None,
        "rights": rights_on(request.user, row),
    }
    return render(request, "submissions/log.html", context)


@require_GET
@uncached
def raw(request: HttpRequest, submission_id: str, problem: str, attempt: int) -> HttpResponse:
    """The submitted text as it is."""
    row, _ = submission_shown(request, submission_id)
    if not rights_on(request.user, row).proofs:
        raise Http404
    proof = get_object_or_404(Proof, submission=row, problem__ident=problem, attempt=attempt)
    return plain_text(proof.text, f"{problem}-{attempt}.txt")
