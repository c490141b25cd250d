"""Every lemma of a Rocq project is tried where it stands: what is there counts, what comes later does not."""

import io
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from verifier.core.errors import PlatformFault
from verifier.extract.checked import FolderChecked, Refusal, check_rocq
from verifier.extract.facts import Rules
from verifier.management.commands import extract as command
from verifier.management.tables import checked_object, checked_tables
from verifier.sandbox.bubblewrap import Bubblewrap

live = [pytest.mark.rocq, pytest.mark.integration]
SANDBOX_UID = 61930

BASE = """From Coq Require Import ZArith.
Module Type Counted.
  Parameter t : Set.
  Parameter zero : t.
End Counted.
Module Facts (C : Counted).
  Lemma inside_a_functor : C.zero = C.zero.
  Proof.
    reflexivity.
  Qed.
End Facts.
Module Own <: Counted.
  Definition t := nat.
  Definition zero := 0.
  Include Facts.
  Lemma behind_an_include : zero = 0.
  Proof. exact (inside_a_functor). Qed.
End Own.
Section Scoped.
  Variable n : nat.
  Hypothesis positive : 0 < n.
  Local Notation "'half'" := (Nat.div2 n).
  Lemma uses_what_the_section_holds : half + n = half + n /\\ 0 < n.
  Proof.
    split.
    - reflexivity.
    - exact positive.
  Qed.
End Scoped.
Lemma opens_a_scope : forall x : Z, x = x.
Proof.
  Open Scope Z_scope.
  intro x; replace x with (x + 0) by ring.
  reflexivity.
  Close Scope Z_scope.
Qed.
Lemma names_its_own_file : 0 < 1 -> 0 + 1 = 0 + 1 /\\ 0 < 1.
Proof.
  intro h; exact (P.Base.uses_what_the_section_holds 1 h).
Qed.
"""
UPPER = """From P Require Import Base.
Lemma even_together : forall n : nat, n = n
with odd_together : forall n : nat, n = n.
Proof.
  - reflexivity.
  - reflexivity.
Qed.
Create HintDb mine.
Definition behind (n : nat) := n = n.
Lemma not_hinted_yet : behind 1.
Proof.
  Fail solve [auto 1 with mine nocore].
  Fail exact (hint 1).
  reflexivity.
Qed.
Lemma hint : forall n, behind n.
Proof. reflexivity. Qed.
#[export] Hint Resolve hint : mine.
Lemma hinted : behind 1.
Proof. solve [auto 1 with mine nocore]. Qed.
"""


class Counting(Bubblewrap):
    """Counts the dialogues that were opened."""

    opened = 0

    def open(self, command):
        self.opened += 1
        return super().open(command)


def _checked(folder: Path, sandbox: Bubblewrap) -> dict[str, FolderChecked]:
    return {one.folder: one for one in check_rocq(folder, Rules.FULL, sandbox, lambda _: None)}


def test_what_became_of_lemmas_is_added_up_by_folder_and_by_reason():
    refusal = Refusal("b/B.v", 7, "late", "goals_left", "The proof ends while goals are left.")
    folders = [
        FolderChecked("a", 2, found=5, verified=4, refused=(), proof_ms=40, wall_ms=100),
        FolderChecked("b", 1, found=2, verified=1, refused=(refusal,), proof_ms=20, wall_ms=50),
    ]
    shown = checked_object(folders, "full")
    assert shown["total"] == {
        "files": 3, "found": 7, "checked": 6, "verified": 5, "refused": 1, "proof_ms": 12.0, "lemma_ms": 25.0,
    }  # fmt: skip
    assert shown["folders"]["a"]["lemma_ms"] == 25.0
    assert [one["lemma"] for one in shown["refused"]] == ["late"]
    by_folder, by_reason = checked_tables(folders, "full")
    assert (by_folder.row_count, by_reason.row_count) == (3, 1)
    assert len(checked_tables(folders[:1], "full")) == 1


@pytest.mark.parametrize(("stop", "status"), [(KeyboardInterrupt, 130), (PlatformFault, 3)])
def test_folders_that_were_finished_before_the_end_are_counted(tmp_path, monkeypatch, capsys, stop, status):
    def stopping(*_):
        yield FolderChecked("Reals", 2, found=5, verified=4, refused=(), proof_ms=40, wall_ms=100)
        raise stop("no prover")

    monkeypatch.setattr(command, "check_rocq", stopping)
    with pytest.raises(CommandError) as raised:
        call_command("extract", "rocq", "--sources", str(tmp_path), "--rules", "full", "--check", "--json")
    assert raised.value.returncode == status
    assert json.loads(capsys.readouterr().out)["folders"]["Reals"]["verified"] == 4


def test_isabelle_is_checked_where_it_is_built(tmp_path):
    with pytest.raises(CommandError, match="packs build"):
        call_command("extract", "isabelle", "--sources", str(tmp_path), "--rules", "full", "--check")


class TestLive:
    pytestmark = live

    def test_each_lemma_of_a_project_in_folders_is_proved_in_its_place_by_one_process_a_file(self, tmp_path):
        (tmp_path / "deep").mkdir()
        (tmp_path / "Base.v").write_text(BASE)
        (tmp_path / "deep" / "Upper.v").write_text(UPPER)
        (tmp_path / "_CoqProject").write_text("-Q . P\n")
        sandbox = Counting(SANDBOX_UID)
        said = []
        found = {one.folder: one for one in check_rocq(tmp_path, Rules.FULL, sandbox, said.append)}
        assert [line.partition(",")[0] for line in said[-2:]] == [".: 5 of 5 verified", "deep: 3 of 3 verified"]
        assert found["."].refused == found["deep"].refused == ()
        assert (found["."].verified, found["."].found) == (5, 5)
        assert (found["deep"].verified, found["deep"].found) == (3, 3)
        assert sandbox.opened == 2

    def test_what_the_judge_cannot_take_as_the_proof_of_one_lemma_is_refused_with_its_place(self, tmp_path, capsys):
        renamed = "Lemma said : True.\nProof. exact I. Save under_another_name.\n"
        (tmp_path / "Late.v").write_text(f"Lemma good : True.\nProof. exact I. Qed.\n{renamed}")
        told = io.StringIO()
        call_command("extract", "rocq", "--sources", str(tmp_path), "--rules", "full", "--check", "--json", stderr=told)
        assert "refused Late.v:3 said: " in told.getvalue()
        shown = json.loads(capsys.readouterr().out)
        assert (shown["total"]["found"], shown["total"]["verified"]) == (2, 1)
        assert [(one["member"], one["line"], one["lemma"]) for one in shown["refused"]] == [("Late.v", 3, "said")]

    def test_the_standard_librarys_arithmetic_is_verified_where_it_is_installed(self):
        coqc = shutil.which("coqc")
        if coqc is None:
            pytest.skip("coqc is not on PATH")
        where = subprocess.run([coqc, "-where"], capture_output=True, text=True, check=True).stdout.strip()
        sandbox = Counting(SANDBOX_UID)
        (found,) = _checked(Path(where) / "theories" / "Arith", sandbox).values()
        assert found.refused == ()
        assert found.verified == found.found > 150  # PeanoNat's hundred stand in module functors
        assert sandbox.opened < found.files
