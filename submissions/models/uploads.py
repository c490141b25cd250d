"""What was uploaded: drafts that wait for a word, submissions that were confirmed, their proofs."""

from django.db import models

from submissions.models.people import System, Team, User, public_id
from verifier.models import Problem, ProblemSet


class Draft(models.Model):
    """An upload that preflight accepted: private to the team, an hour, at most three per team."""

    class State(models.TextChoices):
        READING = "reading"  # a large upload whose report is still being made
        OPEN = "open"
        REFUSED = "refused"  # read in the background and refused: the report stays to be shown, the archive is gone
        CONFIRMED = "confirmed"
        DISCARDED = "discarded"

    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="drafts")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="drafts")
    problem_set = models.ForeignKey(ProblemSet, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    file_name = models.CharField(max_length=200)
    archive = models.FileField(upload_to="drafts/")
    proofs = models.FileField(upload_to="drafts/", blank=True)  # read out of it, compressed; gone after the word
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    report = models.JSONField(default=dict)
    # While READING: bytes read, bytes in all (0 until reading began), and who reads, like a slice under its lease.
    progress = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    token = models.CharField(max_length=32, blank=True)
    leased = models.DateTimeField(null=True, blank=True)  # until when; without it the draft waits for a reader
    tries = models.PositiveSmallIntegerField(default=0)
    rung = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()

    class Meta:
        ordering = ["-created"]


UNDECIDED = (Draft.State.READING, Draft.State.OPEN)  # waits for its report or for the team's word


class Submission(models.Model):
    """One confirmed upload by a system for a problem set."""

    class Visibility(models.TextChoices):
        PRIVATE = "private"
        PUBLISHED = "published"
        WITHDRAWN = "withdrawn"

    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="submissions")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="submissions")
    problem_set = models.ForeignKey(ProblemSet, on_delete=models.PROTECT, related_name="submissions")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="submissions")
    draft = models.OneToOneField(Draft, on_delete=models.SET_NULL, null=True, related_name="submission")
    label = models.CharField(max_length=80, blank=True)
    archive = models.FileField(upload_to="submissions/")
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    report = models.JSONField(default=dict)
    system_facts = models.JSONField(default=dict)  # name, model, augmentations, open_source as they were then
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PRIVATE)
    proofs_public = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)
    published = models.DateTimeField(null=True, blank=True)
    withdrawn = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.public_id


class Proof(models.Model):
    """Text of one attempt at one problem. `digest` is of the canonical text; `finding` says why lint rejected it."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="proofs")
    problem = models.ForeignKey(Problem, on_delete=models.PROTECT, related_name="proofs")
    attempt = models.PositiveSmallIntegerField()
    text = models.TextField()
    digest = models.CharField(max_length=64, db_index=True)
    tokens = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(null=True, blank=True)  # what the team says its system needed
    reason = models.CharField(max_length=30, blank=True)  # why preflight rejected it, empty when it goes to the prover
    finding = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["submission", "problem", "attempt"], name="one_text_per_attempt")
        ]


class QuotaUse(models.Model):
    """Confirmed submissions of a team for a benchmark on one day (UTC); raised by conditional UPDATE only."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    pack = models.ForeignKey("verifier.Pack", on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    used = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "pack", "day"], name="one_quota_row_per_day")]
