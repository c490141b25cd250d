"""Runs, slices, results and what boards are made of. Every transition is a conditional UPDATE on the expected state."""

from datetime import timedelta

from django.db import models

from submissions.models.people import System, public_id
from submissions.models.uploads import Proof, Submission
from verifier.models import Environment, ProblemSet

WORKER_DEAD_AFTER = timedelta(seconds=60)  # without a heartbeat


class Run(models.Model):
    """One pass of checking a submission; judging again makes a new Run and never edits an old one."""

    class State(models.TextChoices):
        QUEUED = "queued"
        CHECKING = "checking"
        CONFIRMING = "confirming"  # every proof has a verdict; may be published
        DONE = "done"
        CANCELLED = "cancelled"

    class Kind(models.TextChoices):
        FIRST = "first"
        REJUDGE = "rejudge"

    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="runs")
    environment = models.ForeignKey(Environment, on_delete=models.PROTECT, related_name="runs")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.FIRST)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    total = models.PositiveIntegerField()  # proofs to judge, rejected ones included
    limits = models.JSONField(default=dict)  # wall_seconds, memory_bytes, … that every proof of it was held to
    limits_digest = models.CharField(max_length=64, blank=True)
    served = models.DateTimeField(null=True, blank=True)  # when a slice of it was last claimed: fairness
    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    checked = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)
    cancelled = models.DateTimeField(null=True, blank=True)
    mailed = models.DateTimeField(null=True, blank=True)  # when a mail server took the mail that it ended
    mail_tries = models.PositiveSmallIntegerField(default=0)
    mail_after = models.DateTimeField(null=True, blank=True)  # not to be tried before

    class Meta:
        ordering = ["-created"]
        indexes = [models.Index(fields=["state"])]


UNCHECKED = (Run.State.QUEUED, Run.State.CHECKING)  # a verdict may still be missing; may be cancelled
CHECKED = (Run.State.CONFIRMING, Run.State.DONE)  # every proof has a verdict; may be published
MOVING = (*UNCHECKED, Run.State.CONFIRMING)  # workers have something to do for it


class Slice(models.Model):
    """A bounded part of a Run in one unit, the thing that a worker leases."""

    class State(models.TextChoices):
        WAITING = "waiting"
        LEASED = "leased"
        DONE = "done"
        CANCELLED = "cancelled"

    class Kind(models.TextChoices):
        CHECK = "check"
        CONFIRM = "confirm"
        AUDIT = "audit"  # after the run has ended

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="slices")
    environment = models.ForeignKey(Environment, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.CHECK)
    number = models.PositiveIntegerField()
    unit = models.CharField(max_length=200)
    proofs = models.ManyToManyField(Proof, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    token = models.CharField(max_length=32, blank=True)  # of the lease; a writer with another one is refused
    worker = models.CharField(max_length=200, blank=True)
    expires = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)  # lost while no proof ran, or looks that the platform failed
    waiting_since = models.DateTimeField()
    rung = models.DateTimeField(null=True, blank=True)
    running = models.ForeignKey(Proof, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["number"]
        indexes = [models.Index(fields=["environment", "state", "kind"]), models.Index(fields=["state", "expires"])]
        constraints = [models.UniqueConstraint(fields=["run", "kind", "number"], name="slice_number_once")]


OPEN = (Slice.State.WAITING, Slice.State.LEASED)  # its run cannot move on before it has ended


class Trial(models.Model):
    """Looks at one proof of one run that ended without a verdict: the worker was lost, or the answer was `internal`."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="trials")
    proof = models.ForeignKey(Proof, on_delete=models.CASCADE, related_name="+")
    deaths = models.PositiveSmallIntegerField(default=0)
    unknowns = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "proof"], name="one_trial_per_proof")]


class Result(models.Model):
    """Verdict of one proof in one run. Written once; later looks change `confirmation` and `audit`.

    A look that disagrees takes the verdict back: it becomes `internal`, and reason, class and headline say why.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="results")
    proof = models.ForeignKey(Proof, on_delete=models.CASCADE, related_name="results")
    verdict = models.CharField(max_length=10)
    reason = models.CharField(max_length=30, blank=True)
    error_class = models.CharField(max_length=10, blank=True)
    headline = models.CharField(max_length=300, blank=True)  # first sentence of the prover's message, for tables
    line = models.PositiveIntegerField(null=True)
    column = models.PositiveIntegerField(null=True)
    wall_ms = models.PositiveIntegerField(default=0)
    cpu_ms = models.PositiveIntegerField(default=0)
    confirmation = models.CharField(max_length=12, default="not_needed")
    audit = models.CharField(max_length=12, default="not_sampled")
    reused = models.BooleanField(default=False)
    worker = models.CharField(max_length=200, blank=True)
    tries = models.PositiveSmallIntegerField(default=1)
    checked = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "proof"], name="one_result_per_proof")]
        indexes = [models.Index(fields=["run", "verdict"])]


class ResultLog(models.Model):
    """Everything a log page shows beyond the row, as zlib-compressed JSON in a table of its own."""

    result = models.OneToOneField(Result, on_delete=models.CASCADE, primary_key=True, related_name="log")
    data = models.BinaryField()


class RunSummary(models.Model):
    """Counts and compact vectors that every board, interval and comparison is computed from.

    `vectors` holds, in the order of the set's members: `first` = first attempt in 1..k that was proved (0 for
    none), `greedy` = 1 where attempt 0 was proved, `count` = proved samples, `samples` = uploaded samples,
    `withheld` = lowest sample without a verdict (0 for none), `error` = error class of the scoring attempt (u, l, o,
    '-' where proved, 'm' missing, 'i' internal). `counts` holds totals by verdict, by category and by reason,
    confirmed and proved, and times per category; and `originality`, figures of proofs beside the host's own.
    """

    run = models.OneToOneField(Run, on_delete=models.CASCADE, primary_key=True, related_name="summary")
    counts = models.JSONField(default=dict)
    vectors = models.JSONField(default=dict)
    made = models.DateTimeField(auto_now=True)


class BoardEntry(models.Model):
    """What a leaderboard counts, with its time of validity, so that any past state can be shown."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="entries")
    problem_set = models.ForeignKey(ProblemSet, on_delete=models.PROTECT, related_name="entries")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="entries")
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["problem_set", "valid_to"])]
        constraints = [
            models.UniqueConstraint(
                fields=["problem_set", "system"], condition=models.Q(valid_to=None), name="one_open_entry_per_system"
            )
        ]


class WorkerRow(models.Model):
    """An RQ worker that announced which environments it can check."""

    name = models.CharField(max_length=200, unique=True)
    host = models.CharField(max_length=200)
    pid = models.PositiveIntegerField()
    environments = models.JSONField(default=list)  # digests
    sandbox = models.JSONField(default=dict)  # self-test: wall -> "holds" or what got through
    judging = models.BooleanField(default=False)  # False: refuses, and `why` says so
    why = models.CharField(max_length=300, blank=True)
    started = models.DateTimeField()
    heartbeat = models.DateTimeField(db_index=True)
    dead = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]
