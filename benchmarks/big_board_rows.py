# ruff: noqa: PLC0415, ANN001, ANN201, SLF001 (Django is set up by whoever calls; rows are plain values)
"""Rows of a big board: submissions, proofs, results with logs and summaries, made from a seed in whole columns.

Everything is written through plain INSERTs (COPY on PostgreSQL); summaries are those of the product's own service.
"""

import json
import time
import zlib
from collections.abc import Iterable, Sequence
from datetime import timedelta

SIZES = (139, 104, 59, 38)  # the paper's set of 340
SAMPLES = 5
ATTEMPTS = tuple(range(1, SAMPLES + 1))
TEAMS = 50


def board_make(submissions: int) -> dict[str, float]:
    """A published board of so many submissions; seconds that its rows took, and milliseconds that one summary did."""
    from django.db import connection, transaction

    from submissions.models import BoardEntry, Run
    from submissions.services.summaries import run_summarise
    from tests.leaderboard.seed import START, pack_make

    start = time.perf_counter()
    with transaction.atomic():
        problem_set, environment = pack_make(sizes=SIZES)
        runs = [submission_make(problem_set, environment, number, submissions) for number in range(submissions)]
    rows = time.perf_counter() - start
    spent = []
    for number, run in enumerate(runs):
        begun = time.perf_counter()
        with transaction.atomic():
            run_summarise(run=run)
        spent.append((time.perf_counter() - begun) * 1000)
        valid_from = START + timedelta(hours=number)
        BoardEntry.objects.create(run=run, problem_set=problem_set, system=run.submission.system, valid_from=valid_from)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    done = Run.objects.count()
    assert done == submissions
    ordered = sorted(spent)
    return {"rows": rows, "median": ordered[len(ordered) // 2], "p95": ordered[int(0.95 * len(ordered))]}


def wide_make(sizes: Sequence[int], systems: int) -> None:
    """A second benchmark, `wide`, for its atlas: so many problems by category, and systems with their summaries."""
    from tests.leaderboard.seed import Method, pack_make, publish

    target = pack_make(slug="wide", sizes=sizes)
    for number in range(systems):
        level = (number + 1) / systems
        skill = (level, level / 2, level / 3, level / 4)
        publish(*target, Method(f"wide {number}", f"team {number % TEAMS}", skill, attempts=(1, 2)), day=number)


def submission_make(problem_set, environment, number: int, of: int, *, finished: bool = True):
    """One submission with its proofs, run, results and logs, and no summary yet.

    A finished one is published; one that is not has its last result and waits for somebody to say that checking ended.
    """
    from submissions.models import Membership, Run, Submission, System, Team, User
    from tests.leaderboard.seed import START, Method, results_make
    from verifier.core.metrics import Member

    level = (number % of + 1) / of
    name = f"team {number % TEAMS}"
    user, _ = User.objects.get_or_create(email=f"{name.replace(' ', '.')}@example.org")
    team, _ = Team.objects.get_or_create(name=name)
    Membership.objects.get_or_create(team=team, user=user, defaults={"role": Membership.Role.OWNER})
    system = System.objects.create(team=team, name=f"system {number}", model=f"model {number % TEAMS}")
    when = START + timedelta(hours=number)
    submission = Submission.objects.create(
        team=team, system=system, problem_set=problem_set, user=user, sha256="0" * 64, size=1,
        visibility="published" if finished else "private", published=when if finished else None,
        proofs_public=finished and number % 2 == 0,
    )  # fmt: skip
    state = "done" if finished else "checking"
    run = Run.objects.create(submission=submission, environment=environment, state=state, total=sum(SIZES) * SAMPLES)
    problems = list(
        problem_set.members.order_by("index").values_list("problem_id", "problem__ident", "problem__category")
    )
    method = Method(f"system {number}", name, (level, level / 2, level / 3, level / 4), attempts=ATTEMPTS)
    rows, _ = results_make([Member(ident, category) for _, ident, category in problems], method)
    _rows_write(submission, run, [problem for problem, _, _ in problems], rows, when)
    return run


def _rows_write(submission, run, problems: Sequence[int], rows, when) -> None:
    from submissions.models import Proof, Result, ResultLog

    first = (Proof.objects.order_by("-pk").values_list("pk", flat=True).first() or 0) + 1
    proofs, results, logs = [], [], []
    for offset, row in enumerate(rows):
        pk = first + offset
        text = f"Proof.\n  intros; induction n as [|n IH]; simpl; [reflexivity | rewrite IH; auto {pk}].\nQed.\n"
        message = "" if row.verdict == "proved" else f'The reference "lemma_{pk % 97}" was not found.'
        proofs.append((pk, submission.pk, problems[row.index], row.attempt, text, f"{pk:064x}", 40, None, "", "{}"))
        results.append(
            (pk, run.pk, pk, row.verdict, row.reason, row.error_class, message, 2, 3, row.wall_ms, row.wall_ms,
             row.confirmation, "not_sampled", False, "worker-1", 1, when)
        )  # fmt: skip
        logs.append((pk, zlib.compress(json.dumps({"message": message, "goals": ["n + 0 = n"]}).encode())))
    proof = "id submission_id problem_id attempt text digest tokens seconds reason finding"
    result = "id run_id proof_id verdict reason error_class headline line column wall_ms cpu_ms confirmation audit"
    _insert(Proof, proof.split(), proofs)
    _insert(Result, [*result.split(), "reused", "worker", "tries", "checked"], results)
    _insert(ResultLog, ["result_id", "data"], logs)


def _insert(model, columns: Sequence[str], rows: Iterable[tuple]) -> None:
    from django.db import connection

    quoted = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f'COPY "{model._meta.db_table}" ({quoted}) FROM STDIN') as copy:
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join(["%s"] * len(columns))
        cursor.executemany(f'INSERT INTO "{model._meta.db_table}" ({quoted}) VALUES ({marks})', list(rows))
