"""Slices under leases: what is written, what is refused, what waits again, what is given up."""

from dataclasses import replace
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.utils import timezone

from submissions.models import Result, Run, Slice, Trial
from submissions.selectors.results import result_detail, run_table
from submissions.selectors.runs import run_progress
from submissions.services import results
from submissions.services.judging import slice_judge
from submissions.services.keeper import keeper_sweep, leases_reap
from submissions.services.leases import lease_renew, slice_claim
from submissions.services.results import result_record
from submissions.services.runs import run_cancel, run_rejudge, slice_finish
from submissions.services.submissions import draft_confirm
from tests.submissions.world import TextJudge, all_proofs, answer, proofs_of, run_of
from verifier.core.errors import PlatformFault
from verifier.core.reason import Reason
from verifier.core.result import ConfirmationResult, ProofResult, ProofTask
from verifier.core.verdict import Verdict

pytestmark = pytest.mark.django_db


def submit(world, proofs, system=None, user=None):
    return draft_confirm(draft=world.draft(proofs, system=system), actor=user or world.owner)


def claim(world, worker="w1"):
    return slice_claim(environment_id=world.environment.pk, worker=worker)


def work_all(world, judge=None, rounds=20):
    judge = judge or TextJudge()
    for _ in range(rounds):
        lease = claim(world)
        if lease is None:
            return judge
        slice_judge(claim=lease, judge=judge, stopped=lambda: False)
    raise AssertionError("the queue never runs dry")


def expire():
    Slice.objects.filter(state=Slice.State.LEASED).update(expires=timezone.now() - timedelta(seconds=1))
    return leases_reap(now=timezone.now())


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


def test_a_disagreed_confirmation_takes_the_verdict_back(world, bells):
    run = run_of(submit(world, {("lemma_0", 1): "prove cheat", ("lemma_1", 1): "prove x"}))
    work_all(world)
    result = Result.objects.get(run=run, proof__problem__ident="lemma_0")
    assert (result.verdict, result.confirmation) == ("internal", "disagreed")
    assert result.reason == "confirmation_disagreed"
    run.refresh_from_db()
    assert (run.summary.counts["proved"], run.summary.vectors["error"][:2]) == (1, "i-")


def test_a_second_look_that_finds_a_fault_of_the_proof_itself_gives_it_its_verdict(world, bells):
    run = run_of(submit(world, {("lemma_0", 1): "prove unsafe", ("lemma_1", 1): "prove x"}))
    work_all(world)
    result = Result.objects.get(run=run, proof__problem__ident="lemma_0")
    assert (result.verdict, result.reason) == ("rejected", "kernel_fault_guard")
    assert (result.error_class, result.confirmation) == ("other", "not_needed")
    run.refresh_from_db()
    assert (run.summary.counts["proved"], run.summary.vectors["error"][:2]) == (1, "o-")


def test_a_second_look_without_an_answer_is_tried_alone_and_then_ends_in_a_verdict_with_its_reason(world, bells):
    proofs = {("lemma_0", 1): "prove unsure", ("lemma_1", 1): "prove unsure-endless", ("lemma_2", 1): "prove x"}
    run = run_of(submit(world, proofs))
    judge = TextJudge()
    with patch.object(judge, "confirm", side_effect=judge.confirm) as looked:
        work_all(world, judge)
    asked = [[task.text for task in call.args[0]] for call in looked.call_args_list]
    assert sorted(map(len, asked)) == [1, 1, 1, 3], "what ends by a limit has two looks, what ends without a word three"
    rows = Result.objects.filter(run=run).order_by("proof__problem__ident").values_list("verdict", "reason")
    assert list(rows) == [("internal", "no_evidence"), ("timeout", "wall_time"), ("proved", "")]
    assert all("second look" in row.headline for row in Result.objects.exclude(verdict="proved"))
    run.refresh_from_db()
    counts = run.summary.counts
    assert (run.state, counts["proved"], counts["confirmed"], counts["pending"]) == (Run.State.DONE, 1, 1, 0)


def test_a_platform_that_cannot_look_again_is_left_to_others_three_times_and_then_said(world, bells):
    run = run_of(submit(world, {("lemma_0", 1): "prove x"}))
    judge = TextJudge()
    slice_judge(claim=claim(world), judge=judge, stopped=lambda: False)

    def broken(tasks):
        look = ConfirmationResult("", 0, None, "no user namespaces", reason=Reason.SANDBOX_FAILED)
        return [replace(look, problem=one.problem, attempt=one.attempt) for one in tasks]

    with patch.object(judge, "confirm", side_effect=broken):
        for tries in (1, 2, 3):
            assert not slice_judge(claim=claim(world), judge=judge, stopped=lambda: False)
            assert Slice.objects.get(kind=Slice.Kind.CONFIRM).tries == tries
    result = Result.objects.get(run=run)
    assert (result.verdict, result.reason, result.confirmation) == ("internal", "sandbox_failed", "not_needed")
    run.refresh_from_db()
    assert run.state == Run.State.DONE


def test_a_worker_lost_three_times_over_second_looks_leaves_none_pending(world, bells):
    run = run_of(submit(world, {("lemma_0", 1): "prove x"}))
    slice_judge(claim=claim(world), judge=TextJudge(), stopped=lambda: False)
    for _ in range(3):
        claim(world)
        expire()
    result = Result.objects.get(run=run)
    assert (result.verdict, result.reason) == ("internal", "worker_lost")
    run.refresh_from_db()
    assert run.state == Run.State.DONE


def test_identical_proofs_are_not_checked_again_and_name_nobody(world, bells):
    submit(world, {("lemma_0", 1): "prove x", ("lemma_1", 1): "fail x", ("lemma_2", 1): "slow x"})
    judge = work_all(world)
    user, system = world.another("Team B")
    second = submit(
        world, {("lemma_0", 1): "prove x", ("lemma_1", 1): "fail x", ("lemma_2", 1): "slow x"}, system, user
    )
    reused = Result.objects.filter(run=run_of(second))
    assert sorted(reused.values_list("verdict", "reused", "worker")) == [
        ("failed", True, ""),
        ("proved", True, ""),
    ]
    work_all(world, judge)
    assert judge.asked.count(("lemma_0", 1)) == 1
    assert judge.asked.count(("lemma_2", 1)) == 2
    assert run_progress(run_of(second)).reused == 2


def test_every_attempt_with_a_known_text_is_reused_not_only_the_last(world, bells):
    submit(world, {("lemma_0", 1): "fail x", ("lemma_1", 1): "prove x"})
    judge = work_all(world)
    second = submit(world, {(lemma, attempt): text for attempt in range(6) for lemma, text in
                            (("lemma_0", "fail x"), ("lemma_1", "prove x"))})  # fmt: skip
    reused = Result.objects.filter(run=run_of(second), reused=True)
    assert sorted(reused.values_list("proof__attempt", "verdict")) == [
        (attempt, verdict) for attempt in range(6) for verdict in ("failed", "proved")
    ]
    assert run_of(second).state == Run.State.DONE
    assert len(judge.asked) == 2


def test_a_result_is_not_reused_under_other_limits_or_in_another_environment(world, bells):
    submit(world, {("lemma_0", 1): "fail x"})
    judge = work_all(world)
    world.pack.manifest = {"limits": {"wall_seconds": 20.0}}
    world.pack.save()
    submit(world, {("lemma_0", 1): "fail x"})
    work_all(world, judge)
    assert judge.asked.count(("lemma_0", 1)) == 2


def test_a_verdict_taken_back_while_a_copy_is_made_is_not_copied(world, bells):
    submit(world, {("lemma_0", 1): "prove x"})
    work_all(world)
    chosen = results.locked

    def late(rows):
        Result.objects.update(verdict="internal", reason="confirmation_disagreed")
        return chosen(rows)

    with patch.object(results, "locked", side_effect=late):
        again = submit(world, {("lemma_0", 1): "prove x"})
    assert not Result.objects.filter(run=run_of(again)).exists()


def test_an_unconfirmed_proof_is_not_reused(world, bells):
    submit(world, {("lemma_0", 1): "prove unsure"})
    judge = work_all(world)
    submit(world, {("lemma_0", 1): "prove unsure"})
    work_all(world, judge)
    assert judge.asked.count(("lemma_0", 1)) == 2


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
