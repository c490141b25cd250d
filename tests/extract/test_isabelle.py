import os
import resource
import time
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from verifier.core.errors import InputFault
from verifier.extract.differences import differences
from verifier.extract.facts import Rules
from verifier.extract.isabelle import Extraction, extract

PROJECT = Path(__file__).parents[1] / "corpora" / "isabelle-project"
SESSIONS = [
    "AInvs",
    "Refine",
    "InfoFlow",
    "Access",
    "DSpecProofs",
    "SepDSpec",
    "DRefine",
    "Bisim",
    "CRefine",
    "InfoFlowC",
    "CBaseRefine",
]


def _project(folder: Path, **theories: str) -> Path:
    (folder / "ROOT").write_text("session S = HOL +\n  theories A\n")
    for name, text in theories.items():
        (folder / f"{name}.thy").write_text(text)
    return folder


def _refusal(folder: Path, *sessions: str) -> tuple[str, int | None, str]:
    with pytest.raises(InputFault) as raised:
        extract(folder, sessions, Rules.STRICT, "ARM")
    first = raised.value.findings[0]
    return first.member, first.line, first.message


def test_strict_counts_what_tokens_state_outside_blocks():
    (small,) = extract(PROJECT, [], Rules.STRICT, "ARM").sessions
    assert small.categories == {"P1": 7, "P2": 2, "P3": 1, "D": 1}
    names = "in_words one_line two_dots one_dot same_line using_by scripted seven declared", "never_closed"
    assert [fact.name for fact in small.kept] == [*names[0].split(), "", names[1]]
    assert (small.theories, len(small.seen)) == (2, 20)


def test_a_comment_behind_a_proof_is_no_line_of_it_and_one_inside_is(tmp_path):
    inside = "  by (simp\n     \\<comment> \\<open>two\n     lines\\<close>\n     add: refl)\n"
    behind = "  by simp\n\n\\<comment> \\<open>on what\n  comes next\\<close>\n"
    text = f'theory A imports Main begin\nlemma a: "True"\n{behind}lemma b: "True"\n{inside}end\n'
    (found,) = extract(_project(tmp_path, A=text), [], Rules.STRICT, "ARM").sessions
    assert [(fact.name, fact.proof_lines) for fact in found.kept] == [("a", 1), ("b", 4)]


def test_a_tag_hides_neither_name_nor_target_and_no_element_is_a_name(tmp_path):
    one = 'lemma %important one: "x = x" by simp\n'
    two = 'lemma%important (in l) two: "x = x" by simp\n'
    three = 'lemma notes [simp] = refl shows "x = x" by simp\n'
    _project(tmp_path, A=f"theory A imports Main begin\n{one}{two}{three}end\n")
    (found,) = extract(tmp_path, [], Rules.STRICT, "ARM").sessions
    assert [(fact.name, fact.target) for fact in found.seen] == [("one", ""), ("two", "l"), ("", "")]


def test_full_counts_what_blocks_hold_and_instances_prove_too():
    (small,) = extract(PROJECT, [], Rules.FULL, "ARM").sessions
    (strict,) = extract(PROJECT, [], Rules.STRICT, "ARM").sessions
    assert small.categories == {"P1": 12, "P2": 2, "P3": 1, "D": 1}
    added = [(fact.keyword, fact.name) for fact in small.kept if fact not in strict.kept]
    assert added == [
        ("claim", "other_word"),
        ("lemma", "in_locale"),
        ("lemma", "targeted"),
        ("lemma", "in_context"),
        ("instance", ""),
    ]
    left = {fact.keyword for fact in small.seen if fact not in small.kept}
    assert left == {"lemma", "sublocale"}


def test_paper_counts_what_lines_seem_to_say():
    (small,) = extract(PROJECT, [], Rules.PAPER, "ARM").sessions
    assert small.categories == {"P1": 8, "P2": 2, "P3": 1, "D": 1}
    assert {"only_in_text", "targeted"} <= {fact.name for fact in small.kept}


def test_the_architecture_chooses_the_folder():
    found = extract(PROJECT, [], Rules.STRICT, "X64")
    assert found.sessions[0].theories == 0
    assert [(one.member, one.line) for one in found.findings] == [("ROOT", 5)]


def test_an_import_that_leads_nowhere_is_a_finding(tmp_path):
    found = extract(_project(tmp_path, A="theory A\nimports Gone\nbegin\nend\n"), [], Rules.STRICT, "ARM")
    assert [(one.member, one.line) for one in found.findings] == [("A.thy", 2)]
    assert "Gone" in found.findings[0].message


def test_an_unclosed_comment_is_named_with_its_line(tmp_path):
    _project(tmp_path, A="theory A imports Main\nbegin\n\n(* open\nend\n")
    member, line, message = _refusal(tmp_path)
    assert (member, line) == ("A.thy", 4)
    assert "never ends" in message


def test_imports_in_a_circle_are_shown_as_a_chain(tmp_path):
    _project(tmp_path, A="theory A imports B begin end\n", B="theory B\nimports A begin end\n")
    member, line, message = _refusal(tmp_path)
    assert (member, line) == ("B.thy", 2)
    assert "A.thy → B.thy → A.thy" in message


def test_a_missing_session_is_named():
    assert "Nowhere" in _refusal(PROJECT, "Nowhere")[2]


def test_bytes_that_are_not_utf8_are_named_with_their_line(tmp_path):
    _project(tmp_path)
    (tmp_path / "A.thy").write_bytes(b"theory A imports Main begin\n\xff\nend\n")
    assert _refusal(tmp_path)[:2] == ("A.thy", 2)


def test_a_theory_of_a_hundred_thousand_lines_is_refused(tmp_path):
    _project(tmp_path, A="theory A imports Main begin\n" + "\n" * 100_000 + "end\n")
    assert "lines" in _refusal(tmp_path)[2]


def test_links_in_a_circle_are_refused(tmp_path):
    _project(tmp_path)
    (tmp_path / "A.thy").symlink_to("A.thy")
    assert _refusal(tmp_path)[:2] == ("A.thy", 1)


def test_sessions_folders_inside_the_sources_may_be_named_by_any_path(tmp_path):
    for name in ("spec", "machine/ARM"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "ROOTS").write_text("spec\n")
    body = '  directories "../machine" "../machine/$L4V_ARCH"\n  theories A "../machine/C"\n'
    (tmp_path / "spec" / "ROOT").write_text(f'session S in "../spec" = HOL +\n{body}')
    (tmp_path / "spec" / "A.thy").write_text('theory A imports B "../machine/ARM/D" begin end\n')
    for name in ("machine/ARM/B", "machine/C", "machine/ARM/D"):
        (tmp_path / f"{name}.thy").write_text(f"theory {name[-1]} imports Main begin end\n")
    found = extract(tmp_path, [], Rules.STRICT, "ARM")
    assert (found.sessions[0].theories, found.findings) == (4, ())


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ({"ROOT": 'session S\n  in "../x" = HOL +\n  theories A\n'}, ("ROOT", 2)),
        ({"ROOT": 'session S\n  in "/x" = HOL +\n  theories A\n'}, ("ROOT", 2)),
        ({"ROOT": 'session S = HOL +\n  directories "linked"\n  theories A\n'}, ("ROOT", 2)),
        ({"ROOT": 'session S = HOL +\n  theories\n    "../x/B"\n'}, ("ROOT", 3)),
        ({"ROOT": "session S = HOL +\n  theories\n    Host\n"}, ("ROOT", 3)),
        ({"ROOTS": "# far\n../x\n"}, ("ROOTS", 2)),
        ({"ROOTS": "linked\n"}, ("ROOTS", 1)),
        ({"A.thy": 'theory A\nimports "../x/B"\nbegin end\n'}, ("A.thy", 2)),
        ({"A.thy": "theory A\nimports Main\n  Host\nbegin end\n"}, ("A.thy", 3)),
        ({"A.thy": 'theory A\nimports "linked/B"\nbegin end\n'}, ("A.thy", 2)),
    ],
)
def test_nothing_is_read_from_outside_the_sources(tmp_path, written, place):
    sources, other = tmp_path / "p", tmp_path / "x"
    other.mkdir()
    sources.mkdir()
    _project(other, B="theory B imports Main begin end\n")
    (other / "Host.thy").write_text("theory Host imports Main begin end\n")
    _project(sources, A="theory A imports Main begin end\n")
    (sources / "linked").symlink_to(other)
    (sources / "Host.thy").symlink_to(other / "Host.thy")
    for name, text in written.items():
        (sources / name).write_text(text)
    member, line, message = _refusal(sources)
    assert (member, line) == place
    assert "leads outside the sources" in message


def test_a_root_that_is_a_link_to_elsewhere_is_refused(tmp_path):
    (tmp_path / "p").mkdir()
    _project(tmp_path, A="theory A imports Main begin end\n")
    (tmp_path / "p" / "ROOT").symlink_to(tmp_path / "ROOT")
    assert _refusal(tmp_path / "p") == ("ROOT", 1, "leads outside the sources")


def test_folders_whose_links_lead_in_a_circle_are_told_and_passed_over(tmp_path):
    _project(tmp_path, A="theory A imports Main begin end\n")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "again").symlink_to(tmp_path)
    (tmp_path / "ROOTS").write_text("again\nloop\n")
    (found,) = extract(tmp_path, [], Rules.STRICT, "ARM").findings
    assert (found.member, found.line) == ("ROOTS", 2)
    assert "circle" in found.message


def test_the_command_says_what_cannot_be_read_and_ends_with_two(tmp_path):
    _project(tmp_path, A="theory A imports Main\nbegin\n\n(* open\nend\n")
    with pytest.raises(CommandError, match=r"^A.thy:4: .* Close it\.$") as raised:
        call_command("extract", "isabelle", "--sources", str(tmp_path), "--rules", "full", "--stats")
    assert raised.value.returncode == 2


def _total(found: Extraction) -> tuple[int, ...]:
    total = sum((one.categories for one in found.sessions), Counter())
    return tuple(total[name] for name in ("P1", "P2", "P3", "D"))


@pytest.mark.integration
def test_l4v_of_december_2023_is_read_within_a_minute():
    sources = os.environ.get("SELEN_L4V_SOURCES")
    if not sources:
        pytest.skip("SELEN_L4V_SOURCES does not name the sources of l4v of December 2023")
    began = time.process_time()
    found = extract(Path(sources), SESSIONS, Rules.STRICT, "ARM")
    assert time.process_time() - began < 60
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2**20  # KiB
    assert _total(found) == (2155, 2487, 999, 61)
    assert _total(extract(Path(sources), SESSIONS, Rules.PAPER, "ARM")) == (1983, 2413, 1009, 55)


def test_every_difference_between_lines_and_tokens_has_a_rule():
    sides = []
    for rules in (Rules.PAPER, Rules.STRICT):
        (small,) = extract(PROJECT, [], rules, "ARM").sessions
        sides.append([(fact, fact in small.kept) for fact in small.seen])
    found = differences(*sides)
    assert sum(counts for _, counts in sides[0]) - sum(counts for _, counts in sides[1]) == sum(
        count * (1 if "lines alone" in rule else -1) for rule, count in found.items() if "alone" in rule
    )
    assert found["counted by lines alone: stated with (in …)"] == 1


def _by_lines(folder: Path, text: str) -> list[tuple[str, int, bool]]:
    _project(folder, A=f"theory A imports Main\nbegin\n{text}\nend\n")
    (small,) = extract(folder, [], Rules.PAPER, "ARM").sessions
    return [(fact.name, fact.proof_lines, fact.declarative) for fact in small.kept]


def test_lines_end_a_structured_proof_at_its_first_qed(tmp_path):
    inner = '  have "Q"\n  proof(induct x)\n    show R\n      by simp\n  qed\n'
    proof = f'lemma deep: "P"\nproof -\n{inner}  show P by simp\nqed\n'
    after = 'lemma after: "P"\n  by simp\n'
    assert _by_lines(tmp_path, f"{proof}\n{after}") == [("deep", 6, True), ("after", 1, False)]


def test_lines_give_up_a_lemma_whose_end_they_miss_before_the_next(tmp_path):
    missed = 'lemma missed: "P"\n  using x by simp\n'
    after = 'lemma after: "P"\n  by simp\n'
    assert _by_lines(tmp_path, f"{missed}\n{after}") == [("after", 1, False)]


def test_lines_see_a_proof_right_behind_the_quote_of_a_statement(tmp_path):
    short = 'lemma short: "P" by simp\n'
    middle = 'lemma middle:\n  "P" by (simp add: a\n  b)\n'
    assert _by_lines(tmp_path, short + middle) == [("short", 1, False), ("middle", 2, False)]


def test_lines_find_a_block_whose_header_holds_a_blank_line(tmp_path):
    block = 'locale L =\n  fixes x :: nat\n\n  assumes "x = x"\n  begin\nlemma inner: "P"\n  by simp\nend\n'
    _project(tmp_path, A=f'theory A imports Main\nbegin\n{block}\nlemma outer: "P"\n  by simp\nend\n')
    (small,) = extract(tmp_path, [], Rules.PAPER, "ARM").sessions
    assert [fact.name for fact in small.kept] == ["outer"]
