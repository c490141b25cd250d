"""Isabelle's outer tokens: what the prover's lexer sees, and nothing else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core import isar_lexer
from verifier.core.isar_lexer import Fault, Kind, blanked, notable, tokens


def read(text: str) -> list[tuple[str, str]]:
    return [(str(token.kind), text[token.start : token.end]) for token in tokens(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("by(auto)", [("word", "by"), ("other", "("), ("word", "auto"), ("other", ")")]),
        ("by simp.", [("word", "by"), ("word", "simp"), ("other", ".")]),
        ("by a.b", [("word", "by"), ("word", "a.b")]),
        ("from x ..", [("word", "from"), ("word", "x"), ("symbolic", "..")]),
        ("x\\<^sub>1'", [("word", "x\\<^sub>1'")]),
        ("\\<alpha>sorry", [("word", "\\<alpha>sorry")]),
        ("\\<lambda>sorry", [("symbolic", "\\<lambda>"), ("word", "sorry")]),
        ("?x.1 'a ?'a 12 1.5", [("name", name) for name in ("?x.1", "'a", "?'a", "12", "1.5")]),
        ("{* sorry *}", [("other", "{"), ("symbolic", "*"), ("word", "sorry"), ("symbolic", "*"), ("other", "}")]),
        ("(*) sorry *) x", [("comment", "(*) sorry *)"), ("word", "x")]),
        ("(* (* *) *) x", [("comment", "(* (* *) *)"), ("word", "x")]),
        ('"a \\" (* b" x', [("string", '"a \\" (* b"'), ("word", "x")]),
        ("`a`", [("string", "`a`")]),
        ("\\<open>\\<open>x\\<close>\\<close>", [("cartouche", "\\<open>\\<open>x\\<close>\\<close>")]),
        ("\\<comment> \\<open>x\\<close>", [("formal_comment", "\\<comment> \\<open>x\\<close>")]),
        ("\\<^marker>\\<open>x\\<close>", [("formal_comment", "\\<^marker>\\<open>x\\<close>")]),
        ("\\<^ML>\\<open>x\\<close>", [("control", "\\<^ML>\\<open>x\\<close>")]),
    ],
)
def test_text_is_cut_as_the_prover_cuts_it(text: str, expected: list[tuple[str, str]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("by (* (* *)", Fault.COMMENT),
        ('by "x', Fault.STRING),
        ("by `x", Fault.STRING),
        ('by "x\\"', Fault.STRING),
        ("by \\<open> \\<open>\\<close>", Fault.CARTOUCHE),
        ("by \\<comment> \\<open>", Fault.CARTOUCHE),
        ("by \\<comment> x", Fault.FORMAL_COMMENT),
        ("by \\<^latex> \\<open>x\\<close>", Fault.FORMAL_COMMENT),
        ("by \\<close>", Fault.CLOSE),
        ('by "a\\b"', Fault.ESCAPE),
        ('by "a\\\\<alpha>"', Fault.ESCAPE),
    ],
)
def test_what_the_lexer_cannot_finish_is_the_last_token(text: str, fault: Fault) -> None:
    last = list(tokens(text))[-1]
    assert (last.kind, last.fault) == (Kind.ERROR, fault)


@given(st.text(alphabet="ab'_.1 \n\"`\\<>^{}()*@?|openclosecomment", max_size=60))
def test_nothing_but_blanks_is_left_out(text: str) -> None:
    at = 0
    for token in tokens(text):
        assert not text[at : token.start].strip(" \t\n\x0b\x0c\r")
        assert token.end > token.start
        at = token.end
        if token.kind is Kind.ERROR:
            return
    assert not text[at:].strip(" \t\n\x0b\x0c\r")


def test_blanks_are_counted_by_symbols_and_lines_stay() -> None:
    assert blanked("(*\\<alpha>\n*)", 0, 13) == "   \n  "


WORDS = frozenset({"ML", "ML_file", "end", "sorry", "\\<proof>", "%%", "M"})
PIECES = [
    "ML",
    "_file",
    "end",
    "sorry",
    "\\<proof>",
    "%%",
    "x",
    ".",
    "..",
    " ",
    "\n",
    "(*",
    "*)",
    '"',
    "`",
    "\\",
    "1",
    "'",
]
PIECES += [
    "\\<open>",
    "\\<close>",
    "\\<comment>",
    "\\<^marker>",
    "\\<^ML>",
    "\\<alpha>",
    "\\<^sub>",
    "\\<lambda>",
    "@{",
    "(",
    ")",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_what_is_left_out_as_plain_is_none_of_the_words_and_nothing_that_hides_text(text: str) -> None:
    plain = {Kind.WORD, Kind.NAME, Kind.STRING, Kind.SYMBOLIC, Kind.OTHER}
    whole, found = list(tokens(text)), list(notable(text, WORDS))
    must = [one for one in whole if one.kind not in plain or text[one.start : one.end] in WORDS]
    assert [one for one in found if one in must] == must
    assert set(found) <= set(whole)


def test_no_word_is_notable_where_none_is_asked_for() -> None:
    assert list(notable('ML end (* x *) "sorry" \\<proof>', frozenset())) == [(Kind.COMMENT, 7, 14, None)]


def test_no_group_is_repeated_possessively_which_older_interpreters_do_wrongly() -> None:
    patterns = [one.pattern for one in vars(isar_lexer).values() if isinstance(one, re.Pattern)]
    assert len(patterns) > 5
    assert [one for one in patterns if re.search(r"\)(?:[*+?]|\{[0-9,]+\})\+", one)] == []
