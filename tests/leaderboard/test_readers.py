"""Exports as other programs read them: pandas, R's read.csv, and LaTeX where a compiler is there; nothing is edited."""

import csv
import io
import json
import shutil
import subprocess

import pandas as pd
import pytest
from django.core.cache import cache

from tests.leaderboard import latex_reader
from tests.leaderboard.seed import METHODS, Method, board_make, publish
from tests.seed import BASELINES
from verifier.models import Environment, Pack, ProblemSet

PRINTED = {**BASELINES[0], "system": "Model Q", "solved": {}, "scores": {"P1": 51.0}, "failures": {}}
QUERIES = ("", "?category=P1&k=5", "?metric=pass&k=5&verified=1", "?at=2026-10-03", "?at=2020-01-01")
DOCUMENT = "\\documentclass{{article}}\\usepackage{{booktabs}}\\begin{{document}}\n{}\n\\end{{document}}\n"


@pytest.fixture(autouse=True)
def _clean(db):
    cache.clear()


@pytest.fixture
def board():
    made = board_make(METHODS)
    publish(*made, Method('50% "A&B", #1\u2014λ', "R_D", (0.5, 0.2, 0.1, 0.1)), day=9)
    Pack.objects.update(manifest={**Pack.objects.get().manifest, "baselines": [*BASELINES, PRINTED]})
    return made


def files(client, query):
    text = client.get("/b/toy/leaderboard.csv" + query).content.decode()
    return text, json.loads(client.get("/b/toy/leaderboard.json" + query).content)


def test_pandas_reads_the_numbers_of_the_json_from_the_csv(client, board):
    for query in QUERIES:
        same_in_both(*files(client, query))


def same_in_both(text, found):
    frame = pd.read_csv(io.StringIO(text))
    records = pd.DataFrame(found["rows"] + found["reported"], columns=list(frame.columns[:-4]))
    assert list(frame["system"]) == list(records["system"])
    for name in records.columns:
        for read, sent in zip(frame[name], records[name], strict=True):
            if pd.isna(sent) or sent == "":
                assert pd.isna(read), name
            else:
                assert read == sent, name
    for column in frame.filter(regex=r"^(acc\d+_|rank|tier|value|macro|pass_|missing|proved)"):
        assert frame[column].dtype.kind in "if" or frame.empty or frame[column].isna().all(), column


def test_every_line_of_the_csv_names_set_pack_environment_and_the_state_it_was_taken_from(client, board):
    environment = Environment.objects.get().digest
    for query in QUERIES:
        text, found = files(client, query)
        assert (found["set_digest"], found["pack_digest"]) == (
            ProblemSet.objects.get().digest,
            Pack.objects.get().digest,
        )
        for line in csv.DictReader(io.StringIO(text)):
            assert {line[name] for name in ("set", "set_digest", "pack_digest", "address")} == {
                found[name] for name in ("set", "set_digest", "pack_digest", "address")
            }
            assert line["environment"] == ("" if line["standing"] == "reported" else environment)
        again = found["address"].partition("leaderboard/")[2]
        assert client.get(f"/b/toy/leaderboard.csv{again}").content.decode() == text


def test_a_reader_like_that_of_r_finds_one_type_a_column_and_names_it_needs_not_change(client, board):
    lines = list(csv.reader(io.StringIO(files(client, "")[0]), strict=True))
    head, rows = lines[0], lines[1:]
    assert len(set(head)) == len(head)
    assert all(name.isidentifier() for name in head)
    assert {len(row) for row in rows} == {len(head)}
    for name, *column in zip(head, *rows, strict=True):
        there = [value for value in column if value]
        logical = {value in {"True", "False"} for value in there}
        assert len(logical) <= 1, name
        if name.startswith(("acc", "pass_", "rank", "tier", "value", "macro")):
            assert all(float(value) >= 0 for value in there), name


def test_all_records_have_the_same_names_in_the_same_order_and_what_is_printed_has_a_rate(client, board):
    _, found = files(client, "")
    assert len({tuple(row) for row in found["rows"]}) == 1
    names = list(found["rows"][0])
    assert all(list(row)[: len(names)] == names for row in found["reported"])
    printed = next(row for row in found["reported"] if row["system"] == "Model Q")
    assert (printed["acc1_P1_rate"], printed["acc1_P1_solved"]) == (0.51, None)


def test_latex_takes_the_tables_as_they_are(client, board, tmp_path):
    tables = [client.get("/b/toy/leaderboard.tex" + query).content.decode() for query in QUERIES]
    assert all(latex_reader.read(table) for table in tables)
    engine = next(filter(shutil.which, ("pdflatex", "tectonic")), None)
    if engine is None:
        return  # the strict reader has to do
    (tmp_path / "board.tex").write_text(DOCUMENT.format("\n".join(tables)))
    halting = ["-interaction=nonstopmode", "-halt-on-error"] if engine == "pdflatex" else []
    made = subprocess.run([engine, *halting, "board.tex"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout[-2000:]
    assert (tmp_path / "board.pdf").stat().st_size > 1000
