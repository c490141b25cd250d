"""The life of a run: queued, checking, confirming, done, or cancelled on the way.

Every step locks the run's row first, so that of two workers that end the last two slices at the same moment one sees
the other's. Nothing here talks to a prover.
"""

from collections.abc import Iterable
from dataclasses import fields
from functools import partial
from itertools import groupby

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from submissions import queue
from submissions.models import Proof, Result, Run, Slice, Submission, User
from submissions.models.runs import MOVING, OPEN, UNCHECKED
from submissions.services.audits import audit_sample
from submissions.services.leases import Claim, held, slice_proofs, slices_back, slices_rung
from submissions.services.locks import locked
from submissions.services.mail import run_mail
from submissions.services.originality import run_originality
from submissions.services.quota import quota_give_back
from submissions.services.refusal import Refusal, Why
from submissions.services.results import rejection_result, results_reuse, results_write
from submissions.services.standing import member_required
from submissions.services.summaries import run_summarise
from verifier import engine
from verifier.core.digest import digest_mapping
from verifier.core.limits import Limits
from verifier.core.verdict import Confirmation, Verdict
from verifier.models import Environment, Pack
from verifier.selectors import environment_current

MOST_BELLS = 16  # rung for one run; each worker that hears one goes on until nothing waits


def environment_required(*, pack: Pack) -> Environment:
    """The environment that new runs of a benchmark are checked in. Raises Refusal when none is built."""
    environment = environment_current(pack)
    if environment is None:
        raise Refusal(
            Why.NO_ENVIRONMENT,
            f"{pack.title} has no environment to check proofs in.",
            "Nothing is lost: your draft stays. Ask the organisers to build one, then confirm again.",
        )
    return environment


def run_create(*, submission: Submission, environment: Environment, kind: str = Run.Kind.FIRST) -> Run:
    """A run of a submission with everything that needs no prover decided and the rest cut into slices.

    The caller is inside a transaction. Bells ring after its commit.
    """
    stated = environment.pack.manifest.get("limits", {})
    limits = {field.name: stated.get(field.name) for field in fields(Limits)}
    run = Run.objects.create(
        submission=submission,
        environment=environment,
        kind=kind,
        total=submission.proofs.count(),
        limits=limits,
        limits_digest=digest_mapping({name: str(value) for name, value in limits.items()}),
    )
    proofs = list(submission.proofs.select_related("problem"))
    results_write(run_id=run.pk, found=[(proof.pk, rejection_result(proof)) for proof in proofs if proof.reason])
    to_judge = [proof for proof in proofs if not proof.reason]
    known = results_reuse(run=run, proofs=to_judge)
    _slices_create(run, Slice.Kind.CHECK, [proof for proof in to_judge if proof.pk not in known])
    run_advance(run_id=run.pk)
    return run


def _slices_create(run: Run, kind: str, proofs: Iterable[Proof]) -> int:
    """Bounded slices that one process can check each, in the order of the theories; how many there are."""
    number = 0
    ordered = sorted(proofs, key=lambda proof: (proof.problem.unit, proof.problem.position, proof.attempt))
    for unit, members in groupby(
        ordered, key=lambda proof: engine.session_unit(run.environment.prover, proof.problem.unit)
    ):
        group = list(members)
        for start in range(0, len(group), settings.SLICE_PROOFS):
            row = Slice.objects.create(
                run=run,
                environment_id=run.environment_id,
                kind=kind,
                number=number,
                unit=unit,
                waiting_since=timezone.now(),
            )
            part = group[start : start + settings.SLICE_PROOFS]
            links = [Slice.proofs.through(slice_id=row.pk, proof_id=proof.pk) for proof in part]
            Slice.proofs.through.objects.bulk_create(links)
            number += 1
    _ring_after_commit(run, number)
    return number


def _ring_after_commit(run: Run, slices: int) -> None:
    digest = run.environment.digest

    def ring() -> None:
        for _ in range(min(slices, MOST_BELLS)):
            if not queue.ring(digest):
                return
        if slices:
            slices_rung(Slice.objects.filter(run=run, state=Slice.State.WAITING))

    transaction.on_commit(ring, robust=True)


def slice_finish(*, claim: Claim, ring: bool = True) -> bool:
    """End a lease: the slice is done, or waits again when proofs of it have no verdict yet; False when it was gone.

    Without `ring` a slice that waits again is left to the keeper, so that a worker whose sandbox broke is not the one
    that takes it at once.
    """
    with transaction.atomic():
        run = locked(Run.objects.select_related("environment")).get(pk=claim.run_id)
        if not held(claim).exists():
            return False
        if claim.kind == Slice.Kind.CHECK and proofs_unjudged(slice_id=claim.slice_id, run_id=run.pk):
            slices_back(held(claim), timezone.now())
            _ring_after_commit(run, int(ring))
        else:
            held(claim).update(state=Slice.State.DONE, running=None, expires=None)
            run_advance(run_id=run.pk)
    return True


def proofs_unjudged(*, slice_id: int, run_id: int) -> list[int]:
    """Primary keys of the slice's proofs that have no result yet."""
    judged = Result.objects.filter(run_id=run_id).values("proof_id")
    return list(slice_proofs(slice_id).exclude(pk__in=judged).values_list("pk", flat=True))


def run_advance(*, run_id: int) -> None:
    """Move a run on when no slice of its present stage is open; safe to call at any time, by anybody."""
    with transaction.atomic():
        run = locked(Run.objects.select_related("environment", "submission__problem_set")).get(pk=run_id)
        open_kinds = set(run.slices.filter(state__in=OPEN).values_list("kind", flat=True))
        if run.state in UNCHECKED and Slice.Kind.CHECK not in open_kinds:
            _run_checked(run)
        elif run.state == Run.State.CONFIRMING:
            run_summarise(run=run)
            if not open_kinds:
                _run_finish(run)
        elif run.state == Run.State.DONE:
            run_summarise(run=run)


def _run_checked(run: Run) -> None:
    """Every proof has a verdict: the run may be published, and what was proved gets its second look."""
    moved = Run.objects.filter(pk=run.pk, state__in=UNCHECKED).update(
        state=Run.State.CONFIRMING, checked=timezone.now()
    )
    if not moved:
        return
    run_summarise(run=run)
    pending = Result.objects.filter(run=run, verdict=Verdict.PROVED, confirmation=Confirmation.PENDING)
    proofs = Proof.objects.filter(results__in=pending).select_related("problem")
    if not _slices_create(run, Slice.Kind.CONFIRM, proofs):
        _run_finish(run)


def _run_finish(run: Run) -> None:
    ending = Run.objects.filter(pk=run.pk, state=Run.State.CONFIRMING)
    if ending.update(state=Run.State.DONE, finished=timezone.now()):
        transaction.on_commit(partial(run_mail, run_id=run.pk), robust=True)
        transaction.on_commit(partial(run_originality, run_id=run.pk), robust=True)
        _slices_create(run, Slice.Kind.AUDIT, audit_sample(run=run))


def run_cancel(*, run: Run, actor: User) -> None:
    """Stop checking, by a member. What was found stays readable and never scores.

    Raises Refusal for others and once every proof has a verdict. The day's submission is given back when no prover had
    looked at it.
    """
    member_required(actor=actor, team=run.submission.team)
    now = timezone.now()
    with transaction.atomic():
        stopped = Run.objects.filter(pk=run.pk, state__in=UNCHECKED).update(state=Run.State.CANCELLED, cancelled=now)
        if not stopped:
            raise Refusal(Why.WRONG_STATE, "This run has ended already.", "There is nothing left to cancel.")
        still_open = list(locked(Slice.objects.filter(run=run, state__in=OPEN)).values_list("pk", flat=True))
        Slice.objects.filter(pk__in=still_open).update(
            state=Slice.State.CANCELLED, token="", expires=None, running=None
        )
        if run.kind == Run.Kind.FIRST and Run.objects.filter(pk=run.pk, started=None).exists():
            submission = run.submission
            quota_give_back(team=submission.team, pack=submission.problem_set.pack, day=submission.created)


def run_rejudge(*, submission: Submission) -> Run:
    """Check a submission again in the present environment; raises Refusal while an earlier run goes on."""
    with transaction.atomic():
        locked(Submission.objects.all()).get(pk=submission.pk)
        if submission.runs.filter(state__in=MOVING).exists():
            raise Refusal(
                Why.WRONG_STATE, "This submission is being checked.", "Wait until its run ends, or cancel it."
            )
        environment = environment_required(pack=submission.problem_set.pack)
        return run_create(submission=submission, environment=environment, kind=Run.Kind.REJUDGE)
