"""The independent look: who gets it, when, and what a disagreement does."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from submissions.models import BoardEntry, Result, Run, Slice
from submissions.selectors.results import log_unpack
from submissions.services import audits
from submissions.services.judging import slice_judge
from submissions.services.keeper import leases_reap
from submissions.services.leases import slice_claim
from submissions.services.publishing import submission_publish
from submissions.services.submissions import draft_confirm
from tests.submissions.world import TextJudge, all_proofs, run_of
from verifier.core.result import ProofTask
from verifier.core.verdict import Audit, Verdict

pytestmark = pytest.mark.django_db


@pytest.fixture
def isabelle(world):
    """The same rows, checked by the prover that has an independent look."""
    world.environment.prover = "isabelle"
    world.environment.save()
    return world


def work(world, judge, kinds):
    """Work through slices while the next one is of these kinds."""
    while True:
        claim = slice_claim(environment_id=world.environment.pk, worker="w1")
        if claim is None:
            return
        if claim.kind not in kinds:
            Slice.objects.filter(pk=claim.slice_id).update(state=Slice.State.WAITING, token="", expires=None)
            return
        slice_judge(claim=claim, judge=judge, stopped=lambda: False)


BEFORE = (Slice.Kind.CHECK, Slice.Kind.CONFIRM)


class Telling(TextJudge):
    """Says what it found, in words that may quote proofs."""

    def audit(self, tasks):
        return [replace(look, message="It rests on an oracle.\nIn full.") for look in super().audit(tasks)]


def test_a_prover_without_an_independent_look_leaves_no_audit(world, bells):
    run = run_of(draft_confirm(draft=world.draft(all_proofs(world)), actor=world.owner))
    judge = TextJudge()
    work(world, judge, (*BEFORE, Slice.Kind.AUDIT))
    assert judge.audited == []
    assert set(run.results.values_list("audit", flat=True)) == {Audit.NOT_SAMPLED}


def test_a_small_set_is_looked_at_whole_once_the_run_is_done(isabelle, bells):
    proofs = {**all_proofs(isabelle), ("lemma_0", 1): "fail here"}
    run = run_of(draft_confirm(draft=isabelle.draft(proofs), actor=isabelle.owner))
    judge = TextJudge()
    work(isabelle, judge, BEFORE)
    run.refresh_from_db()
    assert run.state == Run.State.DONE
    assert run.summary.counts["audited"] == 0
    work(isabelle, judge, (Slice.Kind.AUDIT,))
    assert judge.audited == [9]
    run.refresh_from_db()
    assert run.summary.counts["audited"] == 9
    assert run.results.filter(audit=Audit.AGREED).count() == 9


def test_checking_goes_before_auditing(isabelle, bells):
    draft_confirm(draft=isabelle.draft(all_proofs(isabelle)), actor=isabelle.owner)
    judge = TextJudge()
    work(isabelle, judge, BEFORE)
    draft_confirm(draft=isabelle.draft(all_proofs(isabelle, "prove again")), actor=isabelle.owner)
    claim = slice_claim(environment_id=isabelle.environment.pk, worker="w1")
    assert claim is not None
    assert claim.kind == Slice.Kind.CHECK


def test_a_disagreement_takes_the_verdict_back_raises_an_alarm_and_reaches_the_board(isabelle, bells, caplog):
    proofs = {**all_proofs(isabelle), ("lemma_3", 1): "prove unsound"}
    submission = draft_confirm(draft=isabelle.draft(proofs), actor=isabelle.owner)
    run, judge = run_of(submission), TextJudge()
    work(isabelle, judge, BEFORE)
    submission_publish(submission=submission, actor=isabelle.owner)
    isabelle.pack.refresh_from_db()
    stamp = isabelle.pack.stamp
    work(isabelle, judge, (Slice.Kind.AUDIT,))
    bad = Result.objects.get(run=run, proof__problem__ident="lemma_3")
    assert (bad.verdict, bad.audit) == (Verdict.INTERNAL, Audit.DISAGREED)
    run.refresh_from_db()
    assert run.summary.counts["verdicts"] == {"internal": 1, "proved": 9}
    isabelle.pack.refresh_from_db()
    assert isabelle.pack.stamp > stamp
    assert BoardEntry.objects.filter(run=run, valid_to=None).exists()
    assert any("Two looks disagree" in record.message for record in caplog.records if record.levelname == "CRITICAL")


def test_a_disagreement_reaches_the_copies_of_the_proof_in_other_runs_without_its_words(isabelle, bells):
    proofs = {**all_proofs(isabelle), ("lemma_3", 1): "prove unsound"}
    run, judge = run_of(draft_confirm(draft=isabelle.draft(proofs), actor=isabelle.owner)), Telling()
    work(isabelle, judge, BEFORE)
    copied = {**all_proofs(isabelle, "prove otherwise"), ("lemma_3", 1): "prove unsound"}
    other = run_of(draft_confirm(draft=isabelle.draft(copied), actor=isabelle.owner))
    work(isabelle, judge, BEFORE)
    copy = Result.objects.get(run=other, proof__problem__ident="lemma_3")
    assert copy.reused
    work(isabelle, judge, (Slice.Kind.AUDIT,))
    copy.refresh_from_db()
    assert (copy.verdict, copy.audit) == (Verdict.INTERNAL, Audit.DISAGREED)
    assert "oracle" not in copy.headline + log_unpack(copy.log.data)["message"]
    other.refresh_from_db()
    assert other.summary.counts["verdicts"] == {"internal": 1, "proved": 9}
    assert run.results.get(proof__problem__ident="lemma_3").verdict == Verdict.INTERNAL


def test_a_worker_killed_before_it_summed_up_late_copies_leaves_that_to_the_keeper(isabelle, bells, monkeypatch):
    proofs, judge = {**all_proofs(isabelle), ("lemma_3", 1): "prove unsound"}, Telling()
    run = run_of(draft_confirm(draft=isabelle.draft(proofs), actor=isabelle.owner))
    work(isabelle, judge, BEFORE)
    claim = slice_claim(environment_id=isabelle.environment.pk, worker="w2")
    copied = {**all_proofs(isabelle, "prove otherwise"), ("lemma_3", 1): "prove unsound"}
    other = run_of(draft_confirm(draft=isabelle.draft(copied), actor=isabelle.owner))
    work(isabelle, judge, BEFORE)
    monkeypatch.setattr(audits, "_runs_told", lambda claim, disagreed: [])  # as if all copies came while it waited
    rows = run.results.filter(proof__problem__ident="lemma_3").select_related("proof")
    found = [(row.proof_id, look) for row in rows for look in judge.audit([ProofTask("lemma_3", 1, row.proof.text)])]
    assert audits.audits_record(claim=claim, found=found)  # what follows the commit is never run here
    for one in (run, other):
        one.summary.refresh_from_db()
        assert one.summary.counts["verdicts"] == {"proved": 10}
    Slice.objects.filter(pk=claim.slice_id).update(expires=timezone.now() - timedelta(seconds=1))
    assert leases_reap(now=timezone.now()) == 1
    for one in (run, other):
        one.summary.refresh_from_db()
        assert one.summary.counts["verdicts"] == {"internal": 1, "proved": 9}
    assert Slice.objects.get(pk=claim.slice_id).state == Slice.State.WAITING


def test_what_takes_a_verdict_back_is_said_in_the_log_instead_of_the_evidence(isabelle, bells):
    proofs = {**all_proofs(isabelle), ("lemma_3", 1): "prove unsound"}
    run = run_of(draft_confirm(draft=isabelle.draft(proofs), actor=isabelle.owner))
    work(isabelle, Telling(), (*BEFORE, Slice.Kind.AUDIT))
    logs = {row.proof.problem.ident: log_unpack(row.log.data) for row in run.results.all()}
    assert (logs["lemma_3"]["message"], logs["lemma_3"]["evidence"]) == ("It rests on an oracle.\nIn full.", {})
    assert logs["lemma_2"]["evidence"]
    assert run.results.get(proof__problem__ident="lemma_3").headline == "It rests on an oracle."


def test_what_could_not_be_looked_at_stays_pending_and_counts(isabelle, bells):
    proofs = {**all_proofs(isabelle), ("lemma_2", 1): "prove dark"}
    run = run_of(draft_confirm(draft=isabelle.draft(proofs), actor=isabelle.owner))
    work(isabelle, TextJudge(), (*BEFORE, Slice.Kind.AUDIT))
    dark = Result.objects.get(run=run, proof__problem__ident="lemma_2")
    assert (dark.verdict, dark.audit) == (Verdict.PROVED, Audit.PENDING)
    run.refresh_from_db()
    assert run.summary.counts["audited"] == 9


def test_of_a_large_set_a_share_is_looked_at_and_the_same_one_every_time(isabelle, bells, monkeypatch, settings):
    monkeypatch.setattr(audits, "ALL_UP_TO", 5)
    settings.AUDIT_PERCENT = 25
    run = run_of(draft_confirm(draft=isabelle.draft(all_proofs(isabelle)), actor=isabelle.owner))
    judge = TextJudge()
    work(isabelle, judge, BEFORE)
    first = set(run.results.filter(audit=Audit.PENDING).values_list("proof_id", flat=True))
    assert len(first) == 3
    run.results.update(audit=Audit.NOT_SAMPLED)
    again = {proof.pk for proof in audits.audit_sample(run=run)}
    assert again == first


def test_a_second_audit_waits_so_that_a_worker_is_left_for_checking(isabelle, bells):
    for text in ("prove one", "prove two"):
        draft_confirm(draft=isabelle.draft(all_proofs(isabelle, text)), actor=isabelle.owner)
    work(isabelle, TextJudge(), BEFORE)
    first = slice_claim(environment_id=isabelle.environment.pk, worker="w1")
    assert first is not None
    assert first.kind == Slice.Kind.AUDIT
    assert slice_claim(environment_id=isabelle.environment.pk, worker="w2") is None
    slice_judge(claim=first, judge=TextJudge(), stopped=lambda: False)
    second = slice_claim(environment_id=isabelle.environment.pk, worker="w2")
    assert second is not None
    assert second.kind == Slice.Kind.AUDIT
