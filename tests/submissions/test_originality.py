"""Originality is computed where the ground truth lives, and nothing but figures is stored."""

import json

import pytest
from django.conf import settings

from submissions.models import Proof, Result, Run, RunSummary, Submission, System, Team, User
from submissions.services.originality import run_originality
from submissions.services.summaries import run_summarise
from verifier.models import Environment, Pack, Problem, ProblemSet, SetMember
from verifier.packs.loader import load_pack

pytestmark = pytest.mark.django_db
SLUG = "minikernel-rocq"


@pytest.fixture(scope="module")
def loaded():
    return load_pack(SLUG, settings.PACKS_DIR)


@pytest.fixture
def run(loaded):
    """Four proved problems: the host's own proof, the same in other clothes, another one, and one sample beside."""
    pack = Pack.objects.create(slug=SLUG, title="Mini", prover="rocq", digest=loaded.digest, proofs="choice")
    problem_set = ProblemSet.objects.create(pack=pack, name="v1", title="v1", digest="e" * 64)
    environment = Environment.objects.create(pack=pack, digest="a" * 64, prover="rocq", version="8.16.1")
    user, team = User.objects.create_user("a@example.org"), Team.objects.create(name="Lab")
    system = System.objects.create(team=team, name="System")
    submission = Submission.objects.create(
        team=team, system=system, problem_set=problem_set, user=user, sha256="0" * 64, size=1
    )
    made = Run.objects.create(submission=submission, environment=environment, total=4)
    specs = [spec for spec in loaded.problems if spec.ground_truth][:3]
    texts = (specs[0].ground_truth, "(* mine *) " + specs[1].ground_truth.replace(" ", "\n  "), "Proof. auto. Qed.")
    for index, (spec, text) in enumerate(zip(specs, texts, strict=True)):
        problem = Problem.objects.create(
            pack=pack, ident=spec.id, revision=1, category=spec.category, unit="U", position=index, lemma=spec.id,
            statement=spec.statement, statement_digest="f" * 64, status="active", split="evaluation",
        )  # fmt: skip
        SetMember.objects.create(problem_set=problem_set, problem=problem, index=index)
        for attempt in (0, 1):
            proof = Proof.objects.create(submission=submission, problem=problem, attempt=attempt, text=text, digest="d")
            Result.objects.create(run=made, proof=proof, verdict="proved", confirmation="confirmed")
    run_summarise(run=made)
    return made


def test_the_host_s_own_proofs_are_told_from_others_whatever_their_clothes(run):
    assert run_originality(run_id=run.pk)
    figures = RunSummary.objects.get(run=run).counts["originality"][""]
    assert (figures["proofs"], figures["same"]) == (3, 2)


def test_no_word_of_the_ground_truth_is_stored(run, loaded):
    run_originality(run_id=run.pk)
    stored = json.dumps(RunSummary.objects.get(run=run).counts["originality"])
    assert set(json.loads(stored)) <= {"", *(spec.category for spec in loaded.problems)}
    for spec in loaded.problems:
        assert not spec.ground_truth or spec.ground_truth not in stored


def test_figures_stay_when_the_summary_is_written_again(run):
    run_originality(run_id=run.pk)
    before = RunSummary.objects.get(run=run).counts["originality"]
    run_summarise(run=run)
    assert RunSummary.objects.get(run=run).counts["originality"] == before


def test_a_host_without_the_folder_or_with_another_one_computes_nothing(run):
    Pack.objects.update(digest="0" * 64)
    assert not run_originality(run_id=run.pk)
    assert "originality" not in RunSummary.objects.get(run=run).counts
