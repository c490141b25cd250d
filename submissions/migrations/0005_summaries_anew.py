"""Summaries gain what is owed and the evidence of each sample; those of older runs are made again from their results."""

from django.db import migrations

from verifier.core.metrics import Member, ResultRow, summarise

COLUMNS = ("proof__problem_id", "proof__attempt", "verdict", "reason", "error_class", "wall_ms", "confirmation")


def summaries_anew(apps, schema_editor):
    summaries = apps.get_model("submissions", "RunSummary").objects
    proofs, results = (apps.get_model("submissions", name).objects for name in ("Proof", "Result"))
    members = apps.get_model("verifier", "SetMember").objects
    for row in summaries.select_related("run__submission").iterator():
        listed = members.filter(problem_set_id=row.run.submission.problem_set_id).order_by("index")
        kept = list(listed.values_list("problem_id", "problem__ident", "problem__category"))
        places = {problem: place for place, (problem, _, _) in enumerate(kept)}
        judged = results.filter(run_id=row.run_id).values_list(*COLUMNS)
        sent = proofs.filter(submission_id=row.run.submission_id).values_list("problem_id", "attempt")
        made = summarise(
            [Member(ident, category) for _, ident, category in kept],
            [ResultRow(places[each[0]], *each[1:]) for each in judged if each[0] in places],
            [(places[problem], attempt) for problem, attempt in sent if problem in places],
        )
        summaries.filter(pk=row.pk).update(counts=made.counts, vectors=made.vectors)


class Migration(migrations.Migration):
    dependencies = [("submissions", "0004_reading_under_leases"), ("verifier", "0001_initial")]

    operations = [migrations.RunPython(summaries_anew, migrations.RunPython.noop)]
