"""The log of one proof and its raw text."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from submissions.models import Proof, Run, Submission
from submissions.selectors.logs import counts_words, log_page
from submissions.selectors.results import AttemptCell, RunFilter, result_detail, run_table
from submissions.selectors.runs import run_latest
from submissions.selectors.submissions import rights_on, submissions_visible_to
from submissions.views.answers import plain_text, uncached
from verifier.core.metrics import scoring_attempt


def _found(request: HttpRequest, submission_id: str) -> tuple[Submission, Run]:
    row = get_object_or_404(submissions_visible_to(request.user), public_id=submission_id)
    run = run_latest(row.pk)
    if run is None:
        raise Http404
    return row, run


def _cells(run: Run, problem: str) -> tuple[AttemptCell, ...]:
    lines = run_table(run, RunFilter(text=problem))
    line = next((line for line in lines if line.problem == problem), None)
    if line is None:
        raise Http404
    return line.cells


@require_GET
@uncached
def log(request: HttpRequest, submission_id: str, problem: str, attempt: int) -> HttpResponse:
    """What happened to one proof, and where."""
    row, run = _found(request, submission_id)
    cells = _cells(run, problem)
    cell = next((cell for cell in cells if cell.attempt == attempt), None)
    if cell is None:
        raise Http404
    detail = result_detail(run, problem, attempt)
    pack = row.problem_set.pack
    scoring = scoring_attempt(c.attempt for c in cells)
    proved = [c.attempt for c in cells if c.verdict == "proved"]
    context = {
        "submission": row,
        "pack": pack,
        "run": run,
        "problem": detail.problem if detail else row.problem_set.members.get(problem__ident=problem).problem,
        "attempt": attempt,
        "cell": cell,
        "cells": cells,
        "proved": proved,
        "counts": counts_words(proved, scoring, pack.manifest.get("k_values", [1])),
        "detail": detail,
        "page": log_page(detail) if detail else None,
        "rights": rights_on(request.user, row),
    }
    return render(request, "submissions/log.html", context)


@require_GET
@uncached
def raw(request: HttpRequest, submission_id: str, problem: str, attempt: int) -> HttpResponse:
    """The submitted text as it is."""
    row, _ = _found(request, submission_id)
    if not rights_on(request.user, row).proofs:
        raise Http404
    proof = get_object_or_404(Proof, submission=row, problem__ident=problem, attempt=attempt)
    return plain_text(proof.text, f"{problem}-{attempt}.txt")
