"""Odd and hostile sources: one line each with file, line and what to do, or counted as they are; never a traceback."""

import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from verifier.extract.sources import DEEPEST

THEORY = 'theory {} imports {} begin\nlemma {}: "True" by simp\nend\n'
FILE = "Lemma one : True.\nProof. exact I. Qed.\n"
LONG = "a" * 5000
SESSION = "session S = HOL +\n  theories A\n"


def _written(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def _isabelle(**files: str | bytes) -> dict[str, str | bytes]:
    return {"ROOT": SESSION, "A.thy": THEORY.format("A", "Main", "a")} | files


REFUSED = {
    "unclosed-cartouche": ("isabelle", _isabelle(**{"A.thy": "theory A imports Main begin\ntext \\<open>x\nend"}),
                           ["A.thy:2: a comment, string or cartouche begins here and never ends"]),
    "comment-before-header": ("isabelle", _isabelle(**{"A.thy": "(* x\ntheory A imports Main begin end"}),
                              ["A.thy:1: has no theory header"]),
    "empty-root": ("isabelle", {"ROOT": ""}, ["ROOT:1: no session is declared here"]),
    "garbage-root": ("isabelle", {"ROOT": "%%% {}[]\n"}, ["ROOT:1: unexpected '%%%'", "ROOT:1: no session is"]),
    "random-root": ("isabelle", {"ROOT": b"\x93\xff\x00"}, ["ROOT:1: is not UTF-8"]),
    "session-twice": ("isabelle", _isabelle(ROOT=SESSION * 2), ["ROOT:3: session S is declared a second time"]),
    "unknown-section": ("isabelle", _isabelle(ROOT="session S = HOL +\n  frobnicate x\n  theories A\n"),
                        ["ROOT:2: unexpected 'frobnicate' in session S", "pack.toml:1: nothing that these sources"]),
    "sessions-in-a-circle": ("isabelle", _isabelle(ROOT="session S = T +\n  theories A\nsession T in b = S +\n"),
                             ["ROOT:1: the sessions rest on each other: S → T → S. Break the circle."]),
    "missing-loaded-file": ("isabelle", _isabelle(**{"A.thy": 'theory A imports Main begin\nML_file "x.ML"\nend\n'}),
                            ["A.thy:2: loads x.ML: cannot be read: No such file or directory"]),
    "nul-in-loaded-file": ("isabelle", _isabelle(**{"A.thy": 'theory A imports Main begin\nML_file "x\0y"\nend\n'}),
                           ["A.thy:2: loads x\\x00y: cannot be read"]),
    "long-name-of-loaded-file": ("isabelle", _isabelle(**{
        "A.thy": f'theory A imports Main begin\nML_file "{LONG}"\nend\n'}), ["A.thy:2: loads aaa"]),
    "two-theories-of-one-name": (
        "isabelle", {"ROOT": "session S in a = HOL +\n  theories A\nsession T in b = S +\n  theories A\n",
                     "a/A.thy": THEORY.format("A", "Main", "a"), "b/A.thy": THEORY.format("A", "Main", "b")},
        ["b/A.thy:1: a pack cannot tell 2 files of this name apart: a/A.thy, b/A.thy"]),
    "unclosed-string": ("rocq", {"A.v": f'{FILE}Check "x.\n'}, ["A.v:3: a string begins here and never ends"]),
    "file-not-there": ("rocq", {"_CoqProject": "-Q . P\nGone.v\n"}, ["Gone.v:1: cannot be read: No such file"]),
    "folder-not-there": ("rocq", {"_CoqProject": "-Q nowhere P\n"}, ["_CoqProject:1: there is no .v file here"]),
    "open-quote": ("rocq", {"_CoqProject": '-Q . "P\n', "A.v": FILE}, ["_CoqProject:1: a quote is never closed"]),
    "odd-library": ("rocq", {"_CoqProject": '-Q .\n"P; x"\n', "A.v": FILE},
                    ["_CoqProject:2: no library can be called P; x"]),
    "long-file-name": ("rocq", {"_CoqProject": f"-Q . P\n{LONG}.v\n"}, [": cannot be read: File name too long"]),
    "long-folder-name": ("rocq", {"_CoqProject": f"-Q {LONG} P\n"}, ["… cannot be read: File name too long"]),
    "nul-in-folder": ("rocq", {"_CoqProject": "-Q a\0b P\n"}, ["_CoqProject:1: there is no .v file here"]),
    "nul-in-file-name": ("rocq", {"_CoqProject": "-Q . P\nx\0y.v\n"}, ["x\\x00y.v:1: cannot be read"]),
    "hyphen": ("rocq", {"my-file.v": FILE}, ["my-file.v:1: a unit of a pack cannot have this name"]),
    "empty-file": ("rocq", {"A.v": ""}, ["pack.toml:1: nothing that these sources state can be a problem"]),
    "lines": ("rocq", {"A.v": "\n" * 100_000}, ["A.v:50001: has 100,001 lines"]),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "files", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_what_no_pack_can_be_made_of_is_refused_with_its_place(tmp_path, kind, files, words):
    _written(tmp_path / "p", files)
    with pytest.raises(CommandError) as raised:
        _extract(kind, tmp_path / "p", "--out", str(tmp_path / "out"))
    assert raised.value.returncode == 2
    lines = str(raised.value).splitlines()
    assert len(lines) == len(words)
    assert all(word in line for word, line in zip(words, lines, strict=True))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["isabelle", "rocq"])
def test_a_folder_that_is_not_there_is_named_as_it_was_given(tmp_path, kind):
    with pytest.raises(CommandError) as raised:
        _extract(kind, tmp_path / "gone", "--stats")
    assert str(raised.value) == f"{tmp_path / 'gone'}: there is no such folder. Name that of a project."
    assert raised.value.returncode == 2


def test_where_no_pack_can_be_written_is_told_without_a_line(tmp_path):
    _written(tmp_path / "p", _isabelle())
    _written(tmp_path / "taken", {"mine.txt": "kept"})
    for name, words in (("No_Slug", "a pack cannot have this name. Name a folder in"), ("taken", "taken: there is")):
        with pytest.raises(CommandError, match=words) as raised:
            _extract("isabelle", tmp_path / "p", "--out", str(tmp_path / name))
        assert "None" not in str(raised.value)
        assert raised.value.returncode == 2


def _extract(kind: str, sources: Path, *wanted: str) -> None:
    call_command("extract", kind, "--sources", str(sources), "--rules", "full", *wanted)


PASSED = {
    "nul-in-roots": ("isabelle", _isabelle(ROOTS="x\0y\n"), "ROOTS:1: the folder x\\x00y is not there"),
    "nul-in-session-folder": ("isabelle", _isabelle(ROOT='session S in "a\0b" = HOL +\n  theories A\n'),
                              "ROOT:2: theory A of session S is not there"),
    "nul-in-import": ("isabelle", _isabelle(**{"A.thy": THEORY.format("A", '"x\0y"', "a")}),
                      "A.thy:1: import x\\x00y leads to no file of the project"),
    "long-import": ("isabelle", _isabelle(**{"A.thy": THEORY.format("A", f'"{LONG}"', "a")}), "A.thy:1: import aaa"),
    "long-theory-name": ("isabelle", _isabelle(ROOT=f'session S = HOL +\n  theories "{LONG}"\n'),
                         "ROOT:2: theory aaa"),
    "session-not-there": ("isabelle", _isabelle(ROOT=SESSION.replace("HOL", "Nowhere")),
                          "ROOT:1: session Nowhere, which S needs, is not here"),
    "session-of-almost-that-name": ("isabelle", _isabelle(ROOT=SESSION.replace("HOL", "HOLL")),
                                    "ROOT:1: session HOLL, which S needs, is not here"),
    "brackets-in-a-session": ("isabelle", _isabelle(ROOT=SESSION.replace(" S ", ' "[/red] :cat:" ')), "[/red] :cat:"),
    "escape-in-a-session": ("isabelle", _isabelle(ROOT=SESSION.replace(" S ", ' "\x1b[31m" ')), "\\x1b[31m"),
    "deep-comments": ("isabelle", _isabelle(**{"A.thy": THEORY.format("A", "Main", "a")
                      + "(*" * 20_000 + "*)" * 20_000}), " S "),
    "brackets-in-a-folder": ("rocq", {"[/red]/A.v": FILE}, "[/red]"),
    "deep-comments-of-rocq": ("rocq", {"A.v": "(*" * 20_000 + "*)" * 20_000 + FILE}, " . "),
    "stray-ends": ("rocq", {"A.v": f"End X.\nQed.\nProof.\nQed.\n{FILE}"}, " . "),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "files", "word"), PASSED.values(), ids=PASSED.keys())
def test_what_can_be_passed_over_is_counted_and_told(tmp_path, capsys, kind, files, word):
    _written(tmp_path, files)
    _extract(kind, tmp_path, "--stats")
    assert word in capsys.readouterr().out


LONG_ROWS = {
    "sessions": ({"ROOT": SESSION.replace("HOL", "T0") + "".join(
        f'session T{n} in "d{n}" = T{n + 1} +\n' for n in range(DEEPEST + 5))},
        f"^ROOT:{DEEPEST + 2}: session T{DEEPEST - 1} is one of more than {DEEPEST} that rest on each other in a row"),
    "imports": ({"A.thy": THEORY.format("A", "T0", "a")} | {
        f"T{n}.thy": THEORY.format(f"T{n}", f"T{n + 1}", "a") for n in range(DEEPEST + 5)},
        f"^T{DEEPEST - 2}.thy:1: more than {DEEPEST} theories import each other in a row"),
}  # fmt: skip


@pytest.mark.integration  # hundreds of files
@pytest.mark.parametrize(("files", "words"), LONG_ROWS.values(), ids=LONG_ROWS.keys())
def test_long_rows_are_refused_before_the_stack_ends(tmp_path, files, words):
    _written(tmp_path / "p", _isabelle() | files)
    with pytest.raises(CommandError, match=words):
        _extract("isabelle", tmp_path / "p", "--out", str(tmp_path / "out"))


@pytest.mark.integration  # a thousand folders
def test_folders_that_lie_too_deep_in_each_other_are_refused(tmp_path):
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d", dir_fd=folder)
        inner = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    try:
        with pytest.raises(CommandError, match=r"^_CoqProject:1: the folder \. cannot be read"):
            _extract("rocq", tmp_path, "--stats")
    finally:
        _taken_away(tmp_path)


def _taken_away(folder: Path) -> None:
    """From the inside out, which takes no deep recursion: each folder takes the place of the one around it."""
    while (folder / "d").is_dir():
        if (folder / "d" / "d").is_dir():
            (folder / "d" / "d").rename(folder / "e")
        (folder / "d").rmdir()
        if (folder / "e").is_dir():
            (folder / "e").rename(folder / "d")


def test_a_file_whose_name_is_no_text_is_refused(tmp_path):
    (tmp_path / os.fsdecode(b"\xff.v")).write_text(FILE)
    with pytest.raises(CommandError, match=r"^\\u\{dcff\}\.v:1: a unit of a pack cannot have this name"):
        _extract("rocq", tmp_path, "--out", str(tmp_path / "out"))


def test_a_place_where_nothing_can_be_written_is_named(tmp_path):
    _written(tmp_path / "p", {"A.v": FILE})
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match=r"file/out.*Not a directory") as raised:
        _extract("rocq", tmp_path / "p", "--out", str(tmp_path / "file" / "out"))
    assert raised.value.returncode == 2


def test_sessions_are_isabelles_alone(tmp_path):
    with pytest.raises(CommandError, match="Rocq has no sessions"):
        _extract("rocq", tmp_path, "--session", "S", "--stats")
