"""A submission: its live run, its table, what its team may do with it, and its files."""

from datetime import timedelta
from typing import Any

from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HTMX_STOP_POLLING

from selen_site.htmx import render_page
from submissions.forms import PublishForm
from submissions.models import Run, Slice, Submission
from submissions.selectors.results import MISSING, WAITING, ProblemLine, RunFilter, run_table
from submissions.selectors.runs import reasons_counted, run_progress, runs_shown
from submissions.selectors.submissions import (
    drafts_open,
    rights_on,
    submission_gone,
    submission_lines,
    submissions_of_my_teams,
    submissions_visible_to,
)
from submissions.selectors.tallies import tallies
from submissions.services.publishing import submission_publish, submission_withdraw
from submissions.services.runs import run_cancel
from submissions.views.answers import PersonalRequest, attempt, personal, table_file, uncached
from submissions.views.drawings import bar_of
from verifier.core.metrics import scoring_attempt
from verifier.core.problem import ProofVisibility
from verifier.core.verdict import Verdict

PER_PAGE = 50
VERDICTS = (*map(str, Verdict), MISSING, WAITING)
COLUMNS = (
    "problem", "revision", "category", "attempt", "verdict", "reason", "class", "message", "line", "seconds",
    "confirmation", "reused",
)  # fmt: skip
SORTS = {
    "lemma": lambda line: line.problem,
    "category": lambda line: (line.category, line.problem),
    "verdict": lambda line: (line.cells[0].verdict, line.cells[0].reason) if line.cells else ("", ""),
    "seconds": lambda line: line.cells[0].wall_ms if line.cells else 0,
}


def submission_shown(request: HttpRequest, submission_id: str) -> tuple[Submission, Run]:
    """A submission that the reader may open, and the run that its pages show."""
    row = get_object_or_404(submissions_visible_to(request.user), public_id=submission_id)
    run = runs_shown([row.pk]).get(row.pk)
    if run is None:
        raise Http404
    return row, run


@require_GET
@personal
def submission_list(request: PersonalRequest) -> HttpResponse:
    """Drafts and submissions of the reader's teams."""
    page = Paginator(submissions_of_my_teams(request.user), PER_PAGE).get_page(request.GET.get("page"))
    context = {"lines": submission_lines(list(page)), "page": page, "drafts": drafts_open(request.user)}
    return render(request, "submissions/list.html", context)


@require_GET
@uncached
def submission(request: HttpRequest, submission_id: str) -> HttpResponse:
    """A submission with its run; for HTMX its table alone. One that was withdrawn is said to be gone."""
    try:
        row, run = submission_shown(request, submission_id)
    except Http404:
        gone = submission_gone(submission_id)
        if gone is None:
            raise
        return render(request, "submissions/withdrawn.html", {"pack": gone.problem_set.pack}, status=410)
    context = {**_live_context(request, row, run), **_table_context(request, run)}
    status = 200 if context["progress"].moving else HTMX_STOP_POLLING
    page, part = "submissions/submission.html", "submissions/_lemmas.html"
    return render_page(request, page, part, context, part_status=status)


@require_GET
@uncached
def progress(request: HttpRequest, submission_id: str) -> HttpResponse:
    """The live part of a submission, for polling; ends with 286."""
    row, run = submission_shown(request, submission_id)
    context = {**_live_context(request, row, run), "partial": True}
    status = 200 if context["progress"].moving else HTMX_STOP_POLLING
    return render(request, "submissions/_live.html", context, status=status)


def _live_context(request: HttpRequest, row: Submission, run: Run) -> dict[str, Any]:
    known = run_progress(run)
    lines = run_table(run)
    named = [category["name"] for category in row.problem_set.pack.manifest.get("categories", [])]
    categories, whole = tallies(lines, named)
    attempts = [cell.attempt for cell in lines[0].cells] if lines else []
    return {
        "submission": row,
        "pack": row.problem_set.pack,
        "run": run,
        "progress": known,
        "bar": bar_of(known),
        "rights": rights_on(request.user, row),
        "tallies": categories,
        "whole": whole,
        "covered": sum(any(cell.verdict != MISSING for cell in line.cells) for line in lines),
        "attempts": attempts,
        "scoring": scoring_attempt(attempts),
        "last": max(attempts, default=0),
        "choice": row.problem_set.pack.proofs == ProofVisibility.CHOICE,
        "slices": [part for part in known.slices if part.kind == Slice.Kind.CHECK],
        "now": timezone.now(),
        "verdicts": [(name, n) for name in VERDICTS if (n := getattr(known.counts, name))],
        "done_percent": f"{100 * known.counts.judged / known.total:.1f}" if known.total else "0",
        "ends": [timezone.now() + timedelta(seconds=s) for s in known.remaining] if known.remaining else None,
    }


def _filter(request: HttpRequest, run: Run) -> RunFilter:
    named = {name: request.GET.get(name, "")[:60] for name in ("category", "verdict", "reason")}
    k = request.GET.get("k", "")
    asked = next((each for each in _k_values(run) if str(each) == k), 0)
    return RunFilter(**named, text=request.GET.get("q", "")[:100], k=asked)


def _k_values(run: Run) -> list[int]:
    """The k for which the benchmark scores, and for which this page can show what a score counts."""
    return [int(k) for k in run.submission.problem_set.pack.manifest.get("k_values", [1])]


def _table_context(request: HttpRequest, run: Run) -> dict[str, Any]:
    wanted = _filter(request, run)
    sort = request.GET.get("sort", "")
    lines = list(run_table(run, wanted))
    if sort.lstrip("-") in SORTS:
        lines.sort(key=SORTS[sort.lstrip("-")], reverse=sort.startswith("-"))
    first = lines[0].cells[0].attempt if lines and lines[0].cells else 0
    size = max(len(lines), 1) if request.GET.get("page") == "all" else PER_PAGE
    return {
        "lines": Paginator(lines, size).get_page(request.GET.get("page")),
        "wanted": wanted,
        "sort": sort,
        "reasons": reasons_counted(run),
        "ks": _k_values(run),
        "heads": (
            ("lemma", "Lemma", ""),
            ("category", "Cat.", ""),
            ("attempts", "", ""),
            ("verdict", f"Attempt {first}", ""),
            ("seconds", "Seconds", "num"),
        ),
    }


@require_POST
@personal
def cancel(request: PersonalRequest, submission_id: str) -> HttpResponse:
    """Stop checking; members alone."""
    row, run = submission_shown(request, submission_id)
    attempt(
        request, lambda: run_cancel(run=run, actor=request.user), "The run is cancelled. What was found stays readable."
    )
    return redirect("submission", row.public_id)


@require_POST
@personal
def publish(request: PersonalRequest, submission_id: str) -> HttpResponse:
    """Put the submission on the board; owners alone."""
    row = get_object_or_404(submissions_visible_to(request.user), public_id=submission_id)
    form = PublishForm(request.POST)
    public = form.is_valid() and form.cleaned_data["proofs_public"]
    attempt(
        request,
        lambda: submission_publish(submission=row, actor=request.user, proofs_public=public),
        "Published. The leaderboard counts it from now on.",
    )
    return redirect("submission", row.public_id)


@require_POST
@personal
def withdraw(request: PersonalRequest, submission_id: str) -> HttpResponse:
    """Take it off the board; owners alone."""
    row = get_object_or_404(submissions_visible_to(request.user), public_id=submission_id)
    attempt(
        request,
        lambda: submission_withdraw(submission=row, actor=request.user),
        "Withdrawn. Only the team and organisers open it now. Past states of the board keep its row, marked withdrawn.",
    )
    return redirect("submission", row.public_id)


def _rows(lines: tuple[ProblemLine, ...]) -> list[tuple[Any, ...]]:
    return [
        (
            line.problem, line.revision, line.category, cell.attempt, cell.verdict, cell.reason, cell.error_class,
            cell.headline, cell.line, cell.wall_ms / 1000, cell.confirmation, int(cell.reused),
        )
        for line in lines
        for cell in line.cells
    ]  # fmt: skip


def _result_rows(request: HttpRequest, row: Submission, run: Run) -> list[tuple[Any, ...]]:
    rows = _rows(run_table(run, _filter(request, run)))
    if not rights_on(request.user, row).proofs:
        rows = [(*values[:7], "", *values[8:]) for values in rows]  # messages quote the proof
    return rows


@require_GET
@uncached
def results_csv(request: HttpRequest, submission_id: str) -> HttpResponse:
    """Results of the present selection as CSV."""
    row, run = submission_shown(request, submission_id)
    rows = _result_rows(request, row, run)
    return table_file(COLUMNS, rows, f"results-{row.public_id}.csv")


@require_GET
@uncached
def results_json(request: HttpRequest, submission_id: str) -> HttpResponse:
    """Results of the present selection as JSON."""
    row, run = submission_shown(request, submission_id)
    rows = _result_rows(request, row, run)
    results = [dict(zip(COLUMNS, values, strict=True)) for values in rows]
    head = {
        "submission": row.public_id,
        "benchmark": row.problem_set.pack.slug,
        "set": row.problem_set.name,
        "environment": run.environment.digest,
        "state": run.state,
    }
    return JsonResponse({**head, "results": results}, json_dumps_params={"indent": 1})


@require_GET
@uncached
def archive(request: HttpRequest, submission_id: str) -> HttpResponse | FileResponse:
    """The uploaded archive; members alone."""
    row, _ = submission_shown(request, submission_id)
    if not rights_on(request.user, row).inside or not row.archive:
        raise Http404
    ending = "jsonl" if row.report.get("bare") else "zip"
    name = f"proofs-{row.public_id}.{ending}"
    return FileResponse(
        row.archive.open("rb"), as_attachment=True, filename=name, content_type="application/octet-stream"
    )
