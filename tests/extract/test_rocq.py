"""Which lemmas a Rocq project states, and that the pack of them loads."""

import shutil
import subprocess
import time
from pathlib import Path

import pytest
from django.core.management import call_command

from verifier.core.errors import InputFault
from verifier.extract.facts import Rules
from verifier.extract.pack import write
from verifier.extract.rocq import extract_rocq, extract_rocq_pack
from verifier.extract.rocq_project import project_read
from verifier.packs import load_pack

BASE = """(* Lemma in_comment : True. Proof. auto. Qed. *)
Definition twice n := n + n.
Lemma one_line : True. Proof. exact I. Qed.
Theorem two_lines : forall n, twice n = n + n.
Proof.
  intro n.
  reflexivity.
Qed.
Lemma stated : True /\\ True.
Proof.
  assert (H : True) by exact I.
  split; exact H.
Qed.
Lemma given_up : False.
Proof. Admitted.
"""
UPPER = """From P Require Import Base.
Section S.
  Variable n : nat.
  Lemma inside : n = n.
  Proof.
    reflexivity.
  Qed.
End S.
"""


def _project(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.v").write_text(text)
    return folder


def _names(found) -> set[str]:
    return {fact.name for one in found.sessions for fact in one.kept}


def test_strict_counts_lemmas_outside_sections_and_full_all(tmp_path):
    _project(tmp_path, Base=BASE, Upper=UPPER)
    strict = extract_rocq(tmp_path, Rules.STRICT)
    assert _names(strict) == {"one_line", "two_lines", "stated"}
    assert strict.sessions[0].categories == {"P1": 1, "P2": 1, "D": 1}
    assert _names(extract_rocq(tmp_path, Rules.FULL)) == {"one_line", "two_lines", "stated", "inside"}


def test_a_project_file_says_which_files_count(tmp_path):
    _project(tmp_path, Base=BASE, Other="Lemma other : True. Proof. exact I. Qed.\n")
    (tmp_path / "_CoqProject").write_text("-Q . P # name\n-arg -noinit\nBase.v\n")
    assert "other" not in _names(extract_rocq(tmp_path, Rules.FULL))


def _refused(sources: Path) -> list[tuple[str, int | None, str]]:
    with pytest.raises(InputFault) as raised:
        extract_rocq_pack(sources, Rules.FULL)
    assert all(one.remedy for one in raised.value.findings)
    return [(one.member, one.line, one.message) for one in raised.value.findings]


def test_listed_files_and_mapped_folders_outside_the_sources_or_behind_links_are_refused(tmp_path):
    sources, other = tmp_path / "p", tmp_path / "x"
    for folder in (sources / "deep", other):
        folder.mkdir(parents=True)
        _project(folder, Base=BASE)
    (sources / "Host.v").symlink_to(other / "Base.v")
    (sources / "Twin.v").symlink_to("deep/Base.v")
    (sources / "linked").symlink_to(other)
    (sources / "near").symlink_to("deep")
    written = f"-Q . Lib # the library\n-Q ../x Lib\n-R {other} Lib -Q linked Lib\n\n-Q near Lib\n"
    (sources / "_CoqProject").write_text(
        f"{written}Host.v\n'Twin.v' deep/Base.v\n../x/Base.v linked/Base.v\nnear/Base.v"
    )
    outside, link = "leads outside the sources", "is a link or lies behind one"
    assert _refused(sources) == [
        ("_CoqProject", 2, f"the folder ../x {outside}"),
        ("_CoqProject", 3, f"the folder {other} {outside}"),
        ("_CoqProject", 3, f"the folder linked {outside}"),
        ("_CoqProject", 5, f"the folder near {link}"),
        ("_CoqProject", 6, f"the file Host.v {outside}"),
        ("_CoqProject", 7, f"the file Twin.v {link}"),
        ("_CoqProject", 8, f"the file ../x/Base.v {outside}"),
        ("_CoqProject", 8, f"the file linked/Base.v {outside}"),
        ("_CoqProject", 9, f"the file near/Base.v {link}"),
    ]


def test_a_project_file_from_elsewhere_is_refused_and_links_that_nothing_lists_are_left_out(tmp_path):
    sources = tmp_path / "p"
    sources.mkdir()
    _project(sources, Base=BASE)
    (tmp_path / "x.v").write_text(UPPER)
    (sources / "Host.v").symlink_to(tmp_path / "x.v")
    assert "theories/Host.v" not in extract_rocq_pack(sources, Rules.FULL)[1].files
    (tmp_path / "options").write_text("-Q . P\n")
    (sources / "_CoqProject").symlink_to(tmp_path / "options")
    assert _refused(sources) == [("_CoqProject", 1, "leads outside the sources")]


def test_the_sources_themselves_may_be_named_through_a_link_and_folders_by_any_path_inside(tmp_path):
    (tmp_path / "p" / "deep").mkdir(parents=True)
    _project(tmp_path / "p" / "deep", Base=BASE)
    (tmp_path / "p" / "_CoqProject").write_text("-Q deep/../deep P\n./deep/Base.v\n")
    (tmp_path / "q").symlink_to("p")
    assert "theories/Base.v" in extract_rocq_pack(tmp_path / "q", Rules.FULL)[1].files


def test_the_pack_keeps_building_order_names_and_loads(tmp_path):
    sources = tmp_path / "sources"
    sources.mkdir()
    _project(sources, Zero="Definition zero := 0.\n", Base="Require Import Zero.\n" + BASE, Alter=UPPER)
    (sources / "_CoqProject").write_text("-R . P\nAlter.v\nBase.v\nZero.v\n")
    _, written = extract_rocq_pack(sources, Rules.FULL)
    assert written.files == extract_rocq_pack(sources, Rules.FULL)[1].files
    write(written, tmp_path / "packs" / "small")
    pack = load_pack(tmp_path / "packs" / "small", tmp_path)
    assert pack.units == ("Zero", "Base", "Alter")
    assert {problem.id for problem in pack.problems} == {"one_line", "two_lines", "stated", "inside"}
    assert (pack.root / "theories" / "_CoqProject").read_text() == "-R . P\n"


@pytest.mark.parametrize(
    "required",
    [
        "Require (* b *) Import\n  Zero Base.",
        "From P Require Export Zero Base.",
        "From P Require Import -(notations) Zero(zero)\n  Base (one_line, two_lines).",
        "From P Require P.Zero Base.",
    ],
)
def test_every_form_of_require_puts_a_file_behind_what_it_names(tmp_path, required):
    lemma = "\nLemma a : True.\nProof. exact I. Qed.\n"
    _project(tmp_path, Alter=required + lemma, Base="From P Require Zero.\n" + BASE, Zero="Definition zero := 0.\n")
    (tmp_path / "_CoqProject").write_text("-R . P\n")
    files = extract_rocq_pack(tmp_path, Rules.FULL)[1].files
    assert b'units = ["Zero", "Base", "Alter"]' in files["pack.toml"]


def test_words_about_a_require_require_nothing(tmp_path):
    said = '(* Require Upper. *)\nDefinition (Require) := "Require Upper. ".\n'
    _project(tmp_path, Base=f"{said}{BASE}Require Upper", Upper=UPPER)
    assert b'units = ["Base", "Upper"]' in extract_rocq_pack(tmp_path, Rules.FULL)[1].files["pack.toml"]


@pytest.mark.parametrize(
    "text", ["Require" + " " * 300_000 + "(.", "Require " * 40_000 + ".", "Require (" * 33_000 + "."]
)
def test_300_kilobytes_of_what_may_be_a_require_are_read_in_linear_time(tmp_path, text):
    (file,) = project_read(_project(tmp_path, Base=text)).files
    assert file.module == "Base"


def test_without_a_project_file_the_name_is_that_by_which_files_require_each_other(tmp_path):
    _project(tmp_path, Base="From Coq Require Import List.\n" + BASE, Upper=UPPER)
    files = extract_rocq_pack(tmp_path, Rules.FULL)[1].files
    assert files["theories/_CoqProject"] == b"-Q . P\n"


def test_what_cannot_be_read_is_named_with_file_and_line(tmp_path):
    _project(tmp_path, Open="Definition a := 0.\n(* never\n")
    with pytest.raises(InputFault) as raised:
        extract_rocq(tmp_path, Rules.FULL)
    (finding,) = raised.value.findings
    assert (finding.member, finding.line) == ("Open.v", 2)
    assert "never ends" in finding.message


def test_files_that_require_each_other_are_shown_as_a_chain(tmp_path):
    lemma = "Lemma a{0} : True. Proof. exact I. Qed.\n"
    _project(tmp_path, A="Require Import B.\n" + lemma.format(1), B="Require Import A.\n" + lemma.format(2))
    with pytest.raises(InputFault, match=r"A\.v → B\.v → A\.v|B\.v → A\.v → B\.v"):
        extract_rocq_pack(tmp_path, Rules.FULL)


def test_rules_that_are_isabelles_and_an_empty_folder_are_refused(tmp_path):
    with pytest.raises(InputFault, match="Isabelle alone"):
        extract_rocq(_project(tmp_path, Base=BASE), Rules.PAPER)
    with pytest.raises(InputFault, match=r"no \.v file"):
        extract_rocq(tmp_path / "nowhere", Rules.FULL)


def test_files_keep_their_folders_in_the_pack(tmp_path):
    (tmp_path / "p" / "deep").mkdir(parents=True)
    _project(tmp_path / "p", Base=BASE)
    _project(tmp_path / "p" / "deep", Upper=UPPER)
    found, written = extract_rocq_pack(tmp_path / "p", Rules.FULL)
    assert [one.session for one in found.sessions] == [".", "deep"]
    write(written, tmp_path / "packs" / "small")
    pack = load_pack(tmp_path / "packs" / "small", tmp_path)
    assert (pack.units, pack.files) == (("Base", "Upper"), {"Upper": "deep/Upper.v"})


def test_folders_with_names_of_one_library_become_its_folders(tmp_path):
    for name in ("one", "two"):
        (tmp_path / "p" / name).mkdir(parents=True)
    _project(tmp_path / "p" / "one", Base=BASE)
    _project(tmp_path / "p" / "two", Upper=UPPER)
    project = tmp_path / "p" / "_CoqProject"
    project.write_text("-Q one P\n-Q two P.more\n-arg -noinit\n")
    files = extract_rocq_pack(tmp_path / "p", Rules.FULL)[1].files
    assert {"theories/Base.v", "theories/more/Upper.v"} <= files.keys()
    assert files["theories/_CoqProject"] == b"-Q . P\n-arg -noinit\n"
    project.write_text("-Q one P\n-Q two R\n")
    with pytest.raises(InputFault, match=r"common beginning: P, R"):
        extract_rocq_pack(tmp_path / "p", Rules.FULL)


def test_files_of_one_name_are_told_apart_or_refused(tmp_path):
    (tmp_path / "deep").mkdir()
    _project(tmp_path, Base=BASE)
    _project(tmp_path / "deep", base=BASE)
    with pytest.raises(InputFault, match="2 files of this name"):
        extract_rocq_pack(tmp_path, Rules.FULL)


def test_last_names_alone_are_enough_where_files_require_each_other_so(tmp_path):
    sources = tmp_path / "my-project"
    sources.mkdir()
    _project(sources, Base=BASE, Alter="Require Import Base.\nLemma a : True.\nProof. exact I. Qed.\n")
    files = extract_rocq_pack(sources, Rules.FULL)[1].files
    assert files["theories/_CoqProject"] == b"-R . MyProject\n"
    assert b'units = ["Base", "Alter"]' in files["pack.toml"]


def test_the_provers_own_library_becomes_one_under_another_name(tmp_path):
    home = tmp_path / "coq" / "theories"
    for name in ("Init", "Lists"):
        (home / name).mkdir(parents=True)
    _project(home / "Init", Prelude="Require Export Logic.\n", Logic=BASE)
    _project(home / "Lists", List=BASE, Sorted="Require Import List.\nLemma a : True.\nProof. exact I. Qed.\n")
    files = extract_rocq_pack(home / "Lists", Rules.FULL)[1].files
    assert files["theories/_CoqProject"] == b"-Q . CoqLists\n"
    assert b"-noinit" in extract_rocq_pack(home / "Init", Rules.FULL)[1].files["theories/_CoqProject"]


def test_the_command_prints_folders_without_the_papers_figures(tmp_path, capsys):
    _project(tmp_path, Base=BASE)
    call_command("extract", "rocq", "--sources", str(tmp_path), "--rules", "full", "--stats")
    printed = capsys.readouterr().out
    assert "folder" in printed
    assert "Table 1" not in printed


@pytest.mark.rocq
@pytest.mark.integration
def test_the_standard_library_is_read_within_half_a_minute():
    coqc = shutil.which("coqc")
    if coqc is None:
        pytest.skip("coqc is not on PATH")
    where = subprocess.run([coqc, "-where"], capture_output=True, text=True, check=True).stdout.strip()
    began = time.process_time()
    found = extract_rocq(Path(where) / "theories", Rules.FULL)
    assert time.process_time() - began < 30
    by_folder = {one.session: one.categories.total() for one in found.sessions}
    assert sum(by_folder.values()) > 2000
    assert by_folder["Lists"] > 300


def test_what_no_team_could_send_is_never_a_demonstration(tmp_path):
    term = "(fix go (n : nat) := match n with 0 => I | S m => go m end)"
    text = "".join(f"Lemma recursive{at} : nat -> True.\nProof. exact {term}. Qed.\n" for at in range(6))
    _project(tmp_path, Base=text + "Lemma plain : True.\nProof. exact I. Qed.\n")
    problems = extract_rocq_pack(tmp_path, Rules.FULL)[1].problems
    assert [problem.lemma for problem in problems if problem.split == "demonstration"] == ["plain"]


def test_lemmas_stated_together_are_no_problem_of_their_own(tmp_path):
    text = "Lemma a : forall n : nat, n = n\nwith b : forall n : nat, match n with 0 => 0 | S m => S m end = n.\n"
    proof = "Proof. - reflexivity. - now destruct n. Qed.\n"
    alone = "Lemma c : forall n, match n with 0 => 0 | S m => S m end = n.\nProof. now destruct n. Qed.\n"
    _project(tmp_path, Base=text + proof + alone)
    assert _names(extract_rocq(tmp_path, Rules.FULL)) == _names(extract_rocq(tmp_path, Rules.STRICT)) == {"c"}


def test_what_later_proofs_can_read_is_given_away_and_never_evaluated(tmp_path):
    source = _project(tmp_path, A=f"{BASE}Lemma shown : exists n, n = 2. Proof. exists 2. reflexivity. Defined.\n")
    split = {problem.id: problem.split for problem in extract_rocq_pack(source, Rules.FULL, "p")[1].problems}
    assert split["shown"] == "demonstration"
    assert "evaluation" in split.values()


def test_a_project_all_of_which_later_proofs_can_read_makes_no_pack(tmp_path):
    source = _project(tmp_path, A="Lemma shown : True. Proof. exact I. Defined.\n")
    with pytest.raises(InputFault, match="later proofs can read every proof that counts"):
        extract_rocq_pack(source, Rules.FULL, "p")
