"""Facts of an Isabelle theory as the packs read them: where they stand, what their proof is, in which blocks."""

import pytest

from verifier.core.isar import named, stated

THEORY = r"""theory T
  imports Main
begin

text \<open>lemma in_text: "True" by simp\<close>
(* lemma in_comment: "True" by simp *)

lemma one: "x = x" by simp

lemma "unnamed \<longrightarrow> unnamed"
  by simp

locale l = fixes f :: "nat \<Rightarrow> nat" assumes "f 0 = 0"
begin

lemma two [simp]:
  assumes "A"
  shows "A"
  using assms

  (* a remark
     over two lines *)
  apply simp
  done

context
  fixes g :: nat
begin
theorem three: "g = g" and more: "f = f"
proof -
  have "g = g" by simp
  show "g = g" and "f = f" by simp_all
qed
end

private lemma four: "f 0 = f 0" ..

end

lemma (in l) five: obtains x where "x = f 0"
  by blast

lemma six: "False"
  oops

lemma seven: "P \<Longrightarrow> P" for P
  subgoal premises p
    using p by simp
  done

end
"""


def facts():
    return {fact.name: fact for fact in stated(THEORY)}


def test_facts_come_in_the_order_of_the_text():
    found = stated(THEORY)
    names = ["one", "lemma#6ea2b871", "two", "three", "four", "five", "six", "seven"]
    assert [fact.name for fact in found] == names
    assert [fact.index for fact in found] == list(range(len(found)))


def test_statement_and_proof_are_the_text_as_it_stands():
    for fact in stated(THEORY):
        assert THEORY[fact.start :].startswith(fact.statement)
        assert THEORY[fact.proof_start : fact.end] == fact.proof
    found = facts()
    assert (found["one"].statement, found["one"].proof) == ('lemma one: "x = x"', "by simp")
    assert found["two"].statement == 'lemma two [simp]:\n  assumes "A"\n  shows "A"'
    assert found["four"].statement == 'private lemma four: "f 0 = f 0"'
    assert found["five"].statement == 'lemma (in l) five: obtains x where "x = f 0"'
    assert found["seven"].statement.endswith("for P")


def test_lines_are_those_of_the_statements_first_word():
    lines = THEORY.splitlines()
    for name, fact in facts().items():
        if name:
            assert fact.statement.splitlines()[0] in lines[fact.line - 1]


def test_scopes_are_the_open_blocks():
    scopes = {name: fact.scope for name, fact in facts().items()}
    assert (scopes["one"], scopes["two"], scopes["three"]) == ((), ("l",), ("l", "context"))
    assert (scopes["four"], scopes["five"], scopes["seven"]) == (("l",), (), ())


def test_proof_lines_leave_out_blanks_and_comments():
    found = facts()
    assert {name: found[name].proof_lines for name in ("one", "two", "three", "four", "seven")} == (
        {"one": 1, "two": 3, "three": 4, "four": 1, "seven": 3}
    )


def test_only_structured_proofs_are_declarative_and_given_up_ones_unfinished():
    assert [name for name, fact in facts().items() if fact.declarative] == ["three"]
    assert [name for name, fact in facts().items() if not fact.finished] == ["six"]


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("lemma ", 'notes [[linarith_split_limit = 3]] shows "x = x"'),
        ("lemma ", 'assumes [simp]: "x = x" shows "x = x"'),
        ("lemma (in l) ", 'notes [simp] = refl shows "x = x"'),
        ("lemma %important ", '"x = x"'),
        ("private lemma%important %visible (in l) ", 'fixes x shows "x = x"'),
        (r"lemma \<^marker>\<open>tag important\<close> ", '"x = x"'),
        (r"lemma %a \<^marker>\<open>tag important\<close> ", '"x = x"'),
    ],
)
def test_an_unnamed_statement_is_named_behind_its_tags_and_before_its_elements(before: str, behind: str) -> None:
    text = f"theory T imports Main begin\n{before}{behind} by simp\nend\n"
    (fact,) = stated(text)
    assert fact.name.startswith("lemma#")
    assert fact.naming is not None
    assert fact.statement[: fact.naming[0]] == before
    assert named(text) == []


@pytest.mark.parametrize("tag", ["%important", r"\<^marker>\<open>tag important\<close>", "%a (in l)"])
def test_tags_hide_no_name(tag: str) -> None:
    lemmas = f'lemma {tag} one [simp]: "x = x" by simp\nlemma {tag} "notes": "x = x" by simp\n'
    text = f'theory T imports Main begin\n{lemmas}definition {tag} two where "two = 1"\nend\n'
    assert [(fact.name, fact.naming) for fact in stated(text)] == [("one", None), ("notes", None)]
    assert [name for name, _, _ in named(text)] == ["one", "notes", "two"]
