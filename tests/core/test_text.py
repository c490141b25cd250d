import pytest

from verifier.core.display import shown, shown_bytes
from verifier.core.reason import Reason
from verifier.core.text import canonical_string, canonical_text


def test_bom_and_crlf_are_taken_off_and_reported_without_moving_a_line():
    read = canonical_text(b"\xef\xbb\xbfintros.\r\nauto.\r\n")
    assert (read.text, read.bom, read.crlf, read.faults) == ("intros.\nauto.\n", True, True, ())


@pytest.mark.parametrize(
    ("data", "line", "column", "word"),
    [
        (b"a\nb\x00", 2, 2, "NUL"),
        (b"a\rb", 1, 2, "lone carriage return"),
        (b"so\x7frry", 1, 3, "control"),
        (b"\n\n\x0c", 3, 1, "control"),
        ("∀ \u202e".encode(), 1, 3, "bidirectional"),
        ("x\u200by".encode(), 1, 2, "no width"),
        ("x\ufeff".encode(), 1, 2, "no width"),
        ("x\u2028".encode(), 1, 2, "line separator"),
        ("x\u0085".encode(), 1, 2, "control"),
    ],
)
def test_characters_that_two_readers_could_read_differently_are_faults_with_their_place(data, line, column, word):
    (fault,) = canonical_text(data).faults
    assert (fault.reason, fault.line, fault.column) == (Reason.BAD_CHARACTER, line, column)
    assert word in fault.message


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"\xff", 1, 1),
        (b"auto.\n\xc0\x80", 2, 1),
        ("∀∀".encode() + b"\xe2\x88", 1, 3),
        ("auto.".encode("utf-16"), 1, 1),
    ],
)
def test_bytes_that_are_not_utf8_give_no_text_and_the_place(data, line, column):
    read = canonical_text(data)
    assert read.text is None
    assert [(f.reason, f.line, f.column) for f in read.faults] == [(Reason.NOT_TEXT, line, column)]


def test_a_lone_surrogate_from_json_is_no_text():
    read = canonical_string("a\ud800")
    assert read.text is None
    assert read.faults[0].reason is Reason.NOT_TEXT


def test_every_kind_of_fault_is_told_once_with_the_number_of_the_others():
    faults = canonical_text(b"\x00\x00\x00\n\x7f").faults
    assert len(faults) == 2
    assert "2 more" in faults[0].message


def test_endless_lines_and_endless_texts_are_too_large():
    assert canonical_text(b"x" * 20_001).faults[0].reason is Reason.TOO_LARGE
    assert canonical_text(b"\n" * 20_000).faults[0].reason is Reason.TOO_LARGE
    assert canonical_text(b"x" * 20_000 + b"\n" * 19_999).faults == ()


def test_hostile_names_are_shown_escaped_and_short():
    assert shown("a\u202eb\n\x1b") == "a\\u{202e}b\\x0a\\x1b"
    assert shown("é ∀") == "é ∀"
    assert shown_bytes(b"a\xff") == "a\\xff"
    assert len(shown("x" * 10_000)) == 200
