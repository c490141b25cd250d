"""Rows mirrored from packs and environments, so that foreign keys exist. Written by `verifier.services` alone."""

from django.db import models


class Pack(models.Model):
    """A benchmark. The folder is the truth; `stamp` is bumped whenever a board of it may have changed."""

    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=200)
    summary = models.TextField(blank=True)
    prover = models.CharField(max_length=20)
    digest = models.CharField(max_length=64)
    manifest = models.JSONField(default=dict)  # licence, citation, limits, categories, k values, metric, homepage
    proofs = models.CharField(max_length=10)  # ProofVisibility
    daily_quota = models.PositiveIntegerField(default=10)
    opens = models.DateTimeField(null=True, blank=True)
    closes = models.DateTimeField(null=True, blank=True)
    stamp = models.PositiveBigIntegerField(default=1)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug


class Problem(models.Model):
    """One revision of one problem."""

    pack = models.ForeignKey(Pack, on_delete=models.PROTECT, related_name="problems")
    ident = models.CharField(max_length=100)
    revision = models.PositiveIntegerField()
    category = models.CharField(max_length=20)
    unit = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    lemma = models.CharField(max_length=200)
    statement = models.TextField()
    statement_digest = models.CharField(max_length=64)
    scope = models.JSONField(default=list)
    status = models.CharField(max_length=10)
    split = models.CharField(max_length=15)
    bundle = models.CharField(max_length=100, blank=True)
    permitted_axioms = models.JSONField(default=list)
    tags = models.JSONField(default=list)

    class Meta:
        ordering = ["unit", "position"]
        constraints = [models.UniqueConstraint(fields=["pack", "ident", "revision"], name="one_row_per_revision")]

    def __str__(self) -> str:
        return f"{self.ident}@{self.revision}"


class ProblemSet(models.Model):
    """A frozen list of problem revisions that a leaderboard is computed on."""

    pack = models.ForeignKey(Pack, on_delete=models.PROTECT, related_name="sets")
    name = models.SlugField()
    title = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    current = models.BooleanField(default=True)  # the set that new submissions go to

    class Meta:
        ordering = ["pack", "name"]
        constraints = [models.UniqueConstraint(fields=["pack", "name"], name="one_set_per_name")]

    def __str__(self) -> str:
        return self.name


class SetMember(models.Model):
    """Place of a problem in a set; `index` is its place in the vectors of run summaries."""

    problem_set = models.ForeignKey(ProblemSet, on_delete=models.CASCADE, related_name="members")
    problem = models.ForeignKey(Problem, on_delete=models.PROTECT, related_name="+")
    index = models.PositiveIntegerField()

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["problem_set", "index"], name="one_member_per_index"),
            models.UniqueConstraint(fields=["problem_set", "problem"], name="member_once"),
        ]


class Environment(models.Model):
    """What proofs were checked in; identity is the digest of the recipe (design, section 1)."""

    pack = models.ForeignKey(Pack, on_delete=models.PROTECT, related_name="environments")
    digest = models.CharField(max_length=64, unique=True)
    prover = models.CharField(max_length=20)
    version = models.CharField(max_length=200)
    recipe = models.JSONField(default=dict)
    faults = models.JSONField(default=list)
    refused = models.JSONField(default=dict)
    remarks = models.JSONField(default=list)
    current = models.BooleanField(default=True)  # the one that new runs of the pack are checked in
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.digest[:8]


class Image(models.Model):
    """One built copy of an environment on one host; its digest is recorded and never part of the identity."""

    environment = models.ForeignKey(Environment, on_delete=models.CASCADE, related_name="images")
    host = models.CharField(max_length=200)
    digests = models.JSONField(default=dict)
    log = models.TextField(blank=True)
    seconds = models.FloatField(default=0)
    built = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["environment", "host"], name="one_image_per_host")]
