"""Isabelle's outer tokens: what the prover's lexer sees, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.isar_lexer import Fault, Kind, blanked, tokens


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
