"""The compact numbers of a run that boards are computed from, written again whenever its results changed."""

from django.db.models import F
from django.utils import timezone

from submissions.models import BoardEntry, Proof, Result, Run, RunSummary
from verifier.core.metrics import Member, ResultRow, summarise
from verifier.core.verdict import Audit
from verifier.models import Pack
from verifier.selectors import problems_of_set


def run_summarise(*, run: Run) -> RunSummary:
    """Write the RunSummary of a run; boards that count the run, or once did, are told by the stamp of their change."""
    problems = problems_of_set(run.submission.problem_set)
    places = {problem.pk: place for place, problem in enumerate(problems)}
    uploaded = Proof.objects.filter(submission_id=run.submission_id).values_list("problem_id", "attempt")
    columns = ("proof__problem_id", "proof__attempt", "verdict", "reason", "error_class", "wall_ms", "confirmation")
    rows = Result.objects.filter(run=run).values_list(*columns)
    summary = summarise(
        [Member(problem.ident, problem.category) for problem in problems],
        [ResultRow(places[row[0]], *row[1:]) for row in rows if row[0] in places],
        [(places[problem], attempt) for problem, attempt in uploaded if problem in places],
    )
    before = RunSummary.objects.filter(run=run).values_list("counts", flat=True).first() or {}
    counts = summary.counts | {name: before[name] for name in ("originality",) if name in before}
    counts["audited"] = Result.objects.filter(run=run, audit=Audit.AGREED).count()
    made = {"counts": counts, "vectors": summary.vectors, "made": timezone.now()}
    row, _ = RunSummary.objects.update_or_create(run=run, defaults=made)
    if BoardEntry.objects.filter(run=run).exists():
        stamp_bump(pack_id=run.submission.problem_set.pack_id)
    return row


def stamp_bump(*, pack_id: int) -> None:
    """Say that every cached board of the benchmark is out of date."""
    Pack.objects.filter(pk=pack_id).update(stamp=F("stamp") + 1)
