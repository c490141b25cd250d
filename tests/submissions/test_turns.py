"""In which order slices are served, and who serves what nobody heard of."""

from datetime import timedelta

import pytest
from django.utils import timezone

from submissions.models import Result, Run, Slice
from submissions.services.keeper import keeper_sweep
from submissions.services.results import result_record
from submissions.services.runs import run_rejudge
from tests.submissions.world import all_proofs, answer, claim, expire, run_of, submit, work_all
from verifier.core.result import ProofTask

pytestmark = pytest.mark.django_db


def test_judging_again_checks_everything_anew_behind_first_runs(world, bells):
    submission = submit(world, {("lemma_0", 1): "prove x"})
    judge = work_all(world)
    again = run_rejudge(submission=submission)
    fresh = submit(world, {("lemma_1", 1): "prove y"})
    assert claim(world).run_id == run_of(fresh).pk
    assert claim(world).run_id == again.pk
    expire()
    work_all(world, judge)
    assert judge.asked.count(("lemma_0", 1)) == 2
    assert Result.objects.filter(run=again, reused=False).count() == 1


def test_teams_with_fewer_running_slices_go_first_and_served_runs_go_back(world, bells, settings):
    settings.SLICE_PROOFS = 2
    big = run_of(submit(world, all_proofs(world)))
    user, system = world.another("Team B")
    small = run_of(submit(world, {("lemma_0", 1): "prove b", ("lemma_5", 1): "prove b"}, system, user))
    order = [claim(world, f"w{number}").run_id for number in range(4)]
    assert order == [big.pk, small.pk, big.pk, small.pk]


def test_the_keeper_rings_for_what_waited_and_only_once_a_minute(world, bells):
    submit(world, all_proofs(world))
    Slice.objects.update(waiting_since=timezone.now() - timedelta(seconds=61))
    del bells[:]
    assert keeper_sweep().bells == 2
    assert keeper_sweep().bells == 0
    assert bells == [world.environment.digest] * 2


def test_a_run_that_nobody_moved_on_is_moved_by_the_keeper(world, bells):
    run = run_of(submit(world, {("lemma_0", 1): "fail x"}))
    Run.objects.update(created=timezone.now() - timedelta(minutes=5))
    lease = claim(world)
    proof = run.submission.proofs.get()
    result_record(claim=lease, proof_id=proof.pk, result=answer(ProofTask("lemma_0", 1, proof.text)))
    Slice.objects.update(state=Slice.State.DONE)
    keeper_sweep()
    run.refresh_from_db()
    assert run.state == Run.State.DONE
