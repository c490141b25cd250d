"""Slices under leases: what is written, what is refused, what waits again, what is given up."""

import pytest

from submissions.models import Result, Run, Slice, Trial
from submissions.selectors.results import result_detail, run_table
from submissions.services import results
from submissions.services.judging import slice_judge
from submissions.services.leases import lease_renew
from submissions.services.results import result_record
from submissions.services.runs import run_cancel, slice_finish
from tests.submissions.world import TextJudge, all_proofs, answer, claim, expire, proofs_of, run_of, submit, work_all
from verifier.core.errors import PlatformFault
from verifier.core.reason import Reason
from verifier.core.result import ProofResult, ProofTask
from verifier.core.verdict import Verdict

pytestmark = pytest.mark.django_db


def test_a_run_goes_from_queued_over_confirming_to_done(world, bells):
    run = run_of(submit(world, {**all_proofs(world), ("lemma_0", 1): "fail here", ("lemma_1", 1): "slow one"}))
    judge = TextJudge()
    for _ in range(2):
        slice_judge(claim=claim(world), judge=judge, stopped=lambda: False)
    run.refresh_from_db()
    assert run.state == Run.State.CONFIRMING
    assert run.summary.counts["pending"] == 8
    work_all(world, judge)
    run.refresh_from_db()
    assert run.state == Run.State.DONE
    assert run.summary.counts["verdicts"] == {"failed": 1, "proved": 8, "timeout": 1}
    assert run.summary.counts["confirmed"] == 8
    assert run.summary.vectors["error"] == "lo--------"


def test_the_log_and_the_table_show_what_the_judge_said(world, bells):
    run = run_of(submit(world, {("lemma_0", 1): "fail here"}))
    work_all(world)
    detail = result_detail(run, "lemma_0", 1)
    assert detail.log["message"] == "It failed.\nMore."
    assert (detail.cell.headline, detail.cell.line, detail.column) == ("It failed.", 2, 3)
    assert [cell.verdict for line in run_table(run) for cell in line.cells].count("missing") == 9


def test_the_table_shows_what_is_wrong_and_not_the_hypotheses_before_it(world, bells):
    run = run_of(submit(world, {("lemma_0", 1): "fail here"}))
    message = "In environment\nn : nat\nUnable to unify\n  n with 0.\nMore."
    found = ProofResult("lemma_0", 1, Verdict.FAILED, Reason.UNCLASSIFIED, message=message)
    results.results_write(run_id=run.pk, found=[(run.submission.proofs.get().pk, found)])
    assert run.results.get().headline == "Unable to unify n with 0."


def test_no_answer_about_a_cancelled_run_is_written(world, bells):
    run = run_of(submit(world, all_proofs(world)))
    judge = TextJudge()
    judge.before = lambda _task: (
        run_cancel(run=Run.objects.get(), actor=world.member) if len(judge.asked) == 3 else None
    )
    slice_judge(claim=claim(world), judge=judge, stopped=lambda: False)
    assert Result.objects.count() == 2
    run.refresh_from_db()
    assert run.state == Run.State.CANCELLED
    assert claim(world) is None


def test_nothing_further_is_begun_once_the_lease_is_gone(world, bells):
    run_of(submit(world, all_proofs(world)))
    judge = TextJudge()
    judge.before = lambda _task: expire() if len(judge.asked) == 2 else None
    assert slice_judge(claim=claim(world), judge=judge, stopped=lambda: False) is True
    assert len(judge.asked) == 2
    assert judge.groups == [5]
    assert Result.objects.count() == 1


def test_a_sandbox_that_broke_is_told_also_when_the_lease_went_with_it(world, bells):
    submit(world, all_proofs(world))

    class BrokenJudge(TextJudge):
        def check(self, tasks, on_start, stopped):
            yield from list(super().check(tasks[:1], on_start, stopped))
            expire()
            raise PlatformFault("no bubblewrap")

    assert slice_judge(claim=claim(world), judge=BrokenJudge(), stopped=lambda: False) is False


def test_two_workers_never_hold_the_same_slice(world, bells):
    submit(world, all_proofs(world))
    first, second, third = claim(world, "w1"), claim(world, "w2"), claim(world, "w3")
    assert first.slice_id != second.slice_id
    assert third is None


def test_a_writer_with_an_old_token_is_refused_everywhere(world, bells):
    submission = submit(world, {("lemma_0", 1): "prove x"})
    old = claim(world)
    assert expire() == 1
    new = claim(world, "w2")
    proof = proofs_of(submission)[0]
    result = answer(ProofTask("lemma_0", 1, proof.text))
    assert not result_record(claim=old, proof_id=proof.pk, result=result)
    assert not lease_renew(claim=old)
    assert not slice_finish(claim=old)
    assert Result.objects.count() == 0
    assert result_record(claim=new, proof_id=proof.pk, result=result)
    assert result_record(claim=new, proof_id=proof.pk, result=result)
    assert Result.objects.count() == 1


def test_a_lost_worker_loses_no_written_result_and_doubles_none(world, bells):
    run = run_of(submit(world, all_proofs(world)))
    judge = TextJudge()

    class Killed(BaseException):
        pass

    def die(task):
        if len(judge.asked) == 3:
            raise Killed

    judge.before = die
    with pytest.raises(Killed):
        slice_judge(claim=claim(world), judge=judge, stopped=lambda: False)
    assert Result.objects.count() == 2
    assert expire() == 1
    assert Trial.objects.get().deaths == 1
    judge.before = lambda _task: None
    work_all(world, judge)
    assert Result.objects.filter(run=run, verdict="proved").count() == 10
    assert judge.asked.count(judge.asked[0]) == 1


def test_a_proof_that_kills_its_worker_twice_is_given_up_and_the_rest_goes_on(world, bells):
    run = run_of(submit(world, all_proofs(world)))
    judge = TextJudge()

    class Killed(BaseException):
        pass

    def die(task):
        if task.problem in {"lemma_1", "lemma_2"}:
            raise Killed

    judge.before = die
    for _ in range(8):
        lease = claim(world)
        if lease is None:
            break
        try:
            slice_judge(claim=lease, judge=judge, stopped=lambda: False)
        except Killed:
            expire()
    run.refresh_from_db()
    lost = Result.objects.filter(run=run, verdict="internal").values_list("proof__problem__ident", "reason")
    assert sorted(lost) == [("lemma_1", "worker_lost"), ("lemma_2", "worker_lost")]
    assert Result.objects.filter(run=run, verdict="proved").count() == 8
    assert judge.asked.count(("lemma_1", 1)) == 2


def test_three_leases_lost_between_proofs_give_up_what_has_no_verdict(world, bells):
    submission = submit(world, {("lemma_0", 1): "prove a", ("lemma_1", 1): "prove b"})
    for lost in range(3):
        assert Result.objects.count() == 0
        assert claim(world).tries == lost
        assert expire() == 1
    assert set(Result.objects.values_list("verdict", "reason")) == {("internal", "worker_lost")}
    assert run_of(submission).state == Run.State.DONE


def test_an_internal_answer_is_asked_again_and_written_the_third_time(world, bells):
    run = run_of(submit(world, {("lemma_0", 1): "broken x", ("lemma_1", 1): "prove x"}))
    judge = work_all(world)
    assert judge.asked.count(("lemma_0", 1)) == 3
    assert judge.asked.count(("lemma_1", 1)) == 1
    assert Result.objects.get(run=run, verdict="internal").reason == "prover_broken"


def test_a_judge_that_says_nothing_is_no_evidence(world, bells):
    submit(world, {("lemma_0", 1): "lost x"})
    work_all(world)
    assert Result.objects.get().reason == "no_evidence"


def test_a_platform_fault_is_said_to_the_worker_and_never_a_failed_proof(world, bells):
    submit(world, {("lemma_0", 1): "prove x"})
    judge = TextJudge(fault=True)
    assert slice_judge(claim=claim(world), judge=judge, stopped=lambda: False) is False
    assert (Result.objects.count(), Slice.objects.get().state) == (0, Slice.State.WAITING)
    work_all(world, judge)
    assert Result.objects.get().reason == "sandbox_failed"


def test_a_worker_told_to_stop_puts_its_slice_back_without_blame(world, bells):
    submit(world, all_proofs(world))
    judge = TextJudge()
    slice_judge(claim=claim(world), judge=judge, stopped=lambda: len(judge.asked) >= 2)
    assert Result.objects.count() == 2
    assert Slice.objects.filter(state=Slice.State.WAITING).count() == 2
    assert not Trial.objects.exists()
