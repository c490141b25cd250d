"""What a proof names: its commands, its methods, and the facts that it takes from elsewhere."""

import json
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import call_command

from verifier.extract.facts import Rules
from verifier.extract.isabelle import extract
from verifier.extract.used import Used

HEAD = "theory A imports Main begin\n"
STRUCTURED = """proof (cases x)
  case (Some y)
  have l: "P" using Some a by (simp add: Some.IH)
  from l this show ?thesis by (rule b)
next
  case None
  then show ?thesis by blast
qed"""
CASES = [
    ("by simp", ["by"], ["simp"], []),
    ("by (simp add: a b_def[symmetric] del: c.d)", ["by"], ["simp"], ["a", "b_def", "c.d"]),
    ("by (auto intro!: a elim?: b simp add: c simp del: d split: e.split)", ["by"], ["auto"],
     ["a", "b", "c", "d", "e.split"]),
    ("by (rule a[OF b, THEN c], erule (1) d, simp only: e)+", ["by"], ["rule", "erule", "simp"],
     ["a", "b", "c", "d", "e"]),
    ("by (induct xs arbitrary: ys rule: my.induct) auto", ["by"], ["induct", "auto"], ["my.induct"]),
    ('by (rule_tac x=y and z="f x" in exI; clarsimp | fastforce)[1]', ["by"],
     ["rule_tac", "clarsimp", "fastforce"], ["exI"]),
    ("by (subst (asm) (2) a, (simp (no_asm) add: b)?)", ["by"], ["subst", "simp"], ["a", "b"]),
    ("using a[where x = y] b(2) assms unfolding c[of z, unfolded d] by - (metis e)", ["using", "unfolding", "by"],
     ["-", "metis"], ["a", "b", "c", "d", "e"]),
    ("supply a[simp] b = c\n  apply (insert d)\n  apply assumption+\n  done", ["supply", "apply", "done"],
     ["insert", "assumption"], ["a", "c", "d"]),
    (STRUCTURED,
     ["proof", "case", "have", "using", "by", "from", "show", "next", "then", "qed"],
     ["cases", "simp", "rule", "blast"], ["a", "b"]),
]  # fmt: skip


def _found(folder, text):
    (folder / "ROOT").write_text("session S = HOL +\n  theories A\n")
    (folder / "A.thy").write_text(f"{HEAD}{text}\nend\n")
    (session,) = extract(folder, [], Rules.FULL, "ARM").sessions
    return session.seen


@pytest.mark.parametrize(("proof", "commands", "methods", "facts"), CASES)
def test_names_are_told_apart_by_where_they_stand(tmp_path, proof, commands, methods, facts):
    (fact,) = _found(tmp_path, f'lemma here:\n  assumes h: "P"\n  shows "Q"\n  {proof}')
    assert fact.used == Used(tuple(commands), tuple(methods), tuple(facts))


def test_labels_of_the_statement_are_no_facts_from_elsewhere(tmp_path):
    (fact,) = _found(tmp_path, 'lemma here:\n  assumes h: "P"\n  shows "P"\n  by (rule h[THEN a])')
    assert fact.used == Used(("by",), ("rule",), ("a",))


def test_the_command_lists_every_fact_with_its_place_and_what_its_proof_names(tmp_path, capsys):
    _found(tmp_path, 'lemma one: "True"\n  by (rule TrueI)\nlemma (in l) two: "True" oops')
    call_command("extract", "isabelle", "--sources", str(tmp_path), "--rules", "strict", "--list")
    one, two = map(json.loads, capsys.readouterr().out.splitlines())
    assert one == {
        "session": "S", "theory": "A", "file": "A.thy", "line": 2, "keyword": "lemma", "name": "one", "target": "",
        "in_block": False, "ending": "proved", "lines": 1, "declarative": False, "category": "P1", "kept": True,
        "commands": ["by"], "methods": ["rule"], "facts": ["TrueI"],
    }  # fmt: skip
    assert (two["name"], two["target"], two["ending"], two["category"], two["kept"]) == (
        "two", "l", "given up", None, False,
    )  # fmt: skip


@pytest.mark.integration  # a process of its own
def test_a_reader_of_the_list_may_have_enough(tmp_path):
    _found(tmp_path, "".join(f'lemma a{number}: "True"\n  by simp\n' for number in range(2000)))
    command = [
        sys.executable,
        "manage.py",
        "extract",
        "isabelle",
        "--sources",
        str(tmp_path),
        "--rules",
        "full",
        "--list",
    ]
    with subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert json.loads(process.stdout.readline())["name"] == "a0"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
