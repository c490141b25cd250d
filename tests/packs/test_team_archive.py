"""The archive for teams: everything that a system needs, the same bytes each time, and no proof that the host keeps."""

import io
import json
import os
import time
import zipfile
from dataclasses import replace

import pytest

from tests.packs.good_pack import GoodPack
from verifier.core.rocq import lemmas
from verifier.intake import UploadLimits, examine
from verifier.packs import load_pack
from verifier.packs.export import current_set, problem_ids, team_archive
from verifier.provers import REGISTRY

# One mark in the ground truth of every problem of the pack, written where only that proof is.
MARKS = {
    "up_is_S": ("theories/Count.v", "  destruct n; reflexivity.", "  destruct n; (* MARK-up_is_S *) reflexivity."),
    "twice_grows": ("theories/Count.v", "(* a comment is no line *)", "(* MARK-twice_grows *)"),
    "up_up": ("theories/Count.v", "  rewrite H.", "  rewrite H. (* MARK-up_up *)"),
    "demo_zero": ("theories/Count.v", "Proof. reflexivity. Qed.", "Proof. reflexivity. (* MARK-demo_zero *) Qed."),
    "left_step": ("theories/More.v", "    exact up_is_S.", "    exact up_is_S. (* MARK-left_step *)"),
    "right_step": ("theories/More.v", "    symmetry.", "    symmetry. (* MARK-right_step *)"),
}


@pytest.fixture
def good(tmp_path):
    pack = GoodPack(tmp_path)
    for edit in MARKS.values():
        pack.edit(*edit)
    return pack


def members(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name.partition("/")[2]: archive.read(name).decode() for name in archive.namelist()}


def records(data):
    return {record["id"]: record for record in map(json.loads, members(data)["problems.jsonl"].splitlines())}


def test_no_proof_of_an_evaluation_problem_is_anywhere_in_the_archive(good):
    texts = members(team_archive(good.load()))
    for name, text in texts.items():
        found = [mark for mark in MARKS if f"MARK-{mark}" in text and mark != "demo_zero"]
        assert not found, f"{name} holds the ground truth of {found}"
        assert "destruct n;" not in text


@pytest.mark.parametrize("status", ["draft", "withdrawn"])
def test_proofs_of_problems_outside_the_set_are_kept_too(good, status):
    good.edit("problems/More.toml", 'id = "left_step"', f'id = "left_step"\nstatus = "{status}"')
    assert "MARK-left_step" not in "".join(members(team_archive(good.load())).values())


def test_demonstrations_come_with_their_proofs_and_outside_the_set(good):
    found = records(team_archive(good.load()))
    assert {name for name, record in found.items() if "proof" in record} == {"demo_zero"}
    assert "MARK-demo_zero" in found["demo_zero"]["proof"]
    assert found["demo_zero"]["split"] == "demonstration"
    assert list(found)[:4] == problem_ids(good.load()) == ["up_is_S", "up_up", "twice_grows", "right_step"]


def test_the_preamble_is_what_stands_before_the_lemma_with_other_lemmas_still_stated(good):
    found = records(team_archive(good.load()))
    preamble = found["up_up"]["preamble"]
    assert preamble.endswith("End Twice.\n\n")
    assert "Lemma up_is_S : forall n, up n = S n." in preamble
    assert "up_up" not in preamble
    assert [lemma.ending for lemma in lemmas(preamble)] == ["Admitted", "Admitted"]
    assert found["up_is_S"]["preamble"].endswith("Fixpoint up (n : nat) : nat := S n.\n\n")


def test_the_preamble_and_the_statement_stand_one_after_the_other_in_the_theory(good):
    data = team_archive(good.load())
    texts = members(data)
    for record in records(data).values():
        assert (record["preamble"] + record["statement"]) in texts[f"theories/{record['theory']}.v"]


def test_the_same_pack_gives_the_same_bytes_wherever_and_whenever(good, tmp_path):
    first = team_archive(good.load())
    for path in good.root.rglob("*"):
        os.utime(path, (time.time() - 10_000_000, 1))
    good.root.rename(tmp_path / "moved")
    (tmp_path / "moved").rename(good.root)
    assert team_archive(good.load()) == first


def test_the_sample_holds_one_text_for_every_problem_of_the_set(good):
    lines = [json.loads(line) for line in members(team_archive(good.load()))["proofs.jsonl"].splitlines()]
    assert [(line["problem"], line["attempt"]) for line in lines] == [(name, 1) for name in problem_ids(good.load())]
    assert all(line["proof"].startswith("Proof.") for line in lines)


def test_the_sample_uploads_without_a_finding_and_covers_the_set(good):
    pack = good.load()
    sample = members(team_archive(pack))["proofs.jsonl"].encode()
    report = examine(pack, REGISTRY["rocq"], current_set(pack), sample, "proofs.jsonl", UploadLimits())
    assert (report.accepted, report.findings, report.missing) == (True, (), ())
    assert {proof.problem for proof in report.proofs if proof.reason is None} == set(problem_ids(pack))


def test_the_readme_has_ten_rules_the_licence_and_the_citation(good):
    readme = members(team_archive(good.load()))["README.md"]
    rules = [line for line in readme.splitlines() if line.partition(".")[0].isdigit()]
    assert len(rules) == 10
    assert "CC0-1.0" in readme
    assert "Small counters, the test pack." in readme
    assert "2048 tokens" in readme
    assert "10 seconds" in readme


def unpacked(pack, folder):
    with zipfile.ZipFile(io.BytesIO(team_archive(pack))) as archive:
        archive.extractall(folder)
    return folder / pack.slug


def test_the_archive_is_a_pack_with_the_same_problems_and_without_their_proofs(good, tmp_path):
    host = good.load()
    team = load_pack(str(unpacked(host, tmp_path / "home")), good.root.parent)
    assert team.for_teams
    assert team.slug == host.slug
    assert current_set(team) == current_set(host)
    for problem in team.problems:
        theirs = host.problem(problem.id)
        proof = theirs.ground_truth if problem.id == "demo_zero" else ""
        assert problem == replace(theirs, ground_truth=proof)
    assert [problem.id for problem in team.problems] == [p.id for p in host.problems if p.id != "left_step"]


def test_a_relative_folder_is_taken_even_if_a_pack_of_that_name_is_installed(good, tmp_path, monkeypatch):
    unpacked(good.load(), tmp_path / "home")
    monkeypatch.chdir(tmp_path / "home")
    assert load_pack(f"./{good.root.name}", good.root.parent).for_teams
    assert not load_pack(good.root.name, good.root.parent).for_teams


def test_what_a_lemma_takes_from_its_section_is_still_said_where_its_proof_is_left_out(good):
    good.edit("theories/More.v", "  Proof.", "  Proof using Type.")
    masked = members(team_archive(good.load()))["theories/More.v"]
    assert "  Proof using Type.\n  (* The host keeps this proof. *)\nAdmitted." in masked
