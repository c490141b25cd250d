"""What a second look changes: the verdict of a proof, once, or nothing."""

from dataclasses import replace
from unittest.mock import patch

import pytest

from submissions.models import Result, Run, Slice
from submissions.services.judging import slice_judge
from tests.submissions.world import TextJudge, claim, expire, run_of, submit, work_all
from verifier.core.reason import Reason
from verifier.core.result import ConfirmationResult

pytestmark = pytest.mark.django_db


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
