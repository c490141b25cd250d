"""What is known already is copied, for the very same proof alone."""

from unittest.mock import patch

import pytest

from submissions.models import Result, Run
from submissions.selectors.runs import run_progress
from submissions.services import results
from tests.submissions.world import run_of, submit, work_all
from verifier.models import Environment

pytestmark = pytest.mark.django_db


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


@pytest.mark.parametrize("changed", ["limits", "environment"])
def test_a_result_is_not_reused_under_other_limits_or_in_another_environment(world, bells, changed):
    submit(world, {("lemma_0", 1): "fail x"})
    judge = work_all(world)
    if changed == "limits":
        world.pack.manifest = {"limits": {"wall_seconds": 20.0}}
        world.pack.save()
    else:
        Environment.objects.update(current=False)
        world.environment = Environment.objects.create(
            pack=world.pack, digest="f" * 64, prover="rocq", version="8.16.1"
        )
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
