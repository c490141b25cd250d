"""Reported figures as they stand on the rendered page, held number by number to the printed tables of Selene."""

import re
from dataclasses import asdict
from html import unescape

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.reported import Line, lines_of, paper_tables, reported_rows, shares_of_hundred
from leaderboard.standings import Errors
from leaderboard.templatetags.leaderboard_words import class_share
from tests.leaderboard.seed import pack_make
from verifier.models import Pack
from verifier.packs import load_pack
from verifier.services import pack_sync

CATEGORIES = ["P1", "P2", "P3", "D"]

# Selene paper, Tables 2 to 7, as printed; an empty string is the dash of Table 4.
PRINTED = {
    "Table 2": [
        ["System", "ACC", "P1", "P2", "P3", "D"],
        ["GPT-3.5-turbo", "#1", "28.1", "2.9", "0", "0"],
        ["GPT-3.5-turbo", "#5", "35.3", "5.8", "0", "5.3"],
        ["GPT-4", "#1", "41.7", "7.7", "0", "10.5"],
        ["GPT-4", "#5", "51.8", "12.5", "1.7", "15.8"],
    ],
    "Table 3": [
        ["Error", "P1", "P2", "P3", "D"],
        ["Total", "81", "96", "59", "34"],
        ["Undefined", "38 47 %", "37 39 %", "21 36 %", "12 35 %"],
        ["Logic", "41 51 %", "55 57 %", "31 52 %", "20 59 %"],
        ["Other", "2 2 %", "4 4 %", "7 12 %", "2 6 %"],
    ],
    "Table 4": [
        ["System", "ACC", "P1", "P2", "P3", "D"],
        ["GPT-4", "#1", "41.7", "7.7", "0", "10.5"],
        ["GPT-4 + similar", "#1", "47.5", "14.4", "1.7", "10.5"],
        ["GPT-4 + dependency", "#1", "52.5", "14.4", "1.7", ""],
        ["GPT-4 + fixing", "#1", "53.2", "9.6", "0", "18.4"],
    ],
    "Table 5": [
        ["System", "Category", "Total", "Undefined", "Logic", "Other"],
        ["GPT-4", "P1", "81", "38 47 %", "41 51 %", "2 2 %"],
        ["GPT-4 + similar", "P1", "73", "29 40 %", "42 57 %", "2 3 %"],
        ["GPT-4 + dependency", "P1", "66", "16 24 %", "45 68 %", "5 8 %"],
        ["GPT-4 + fixing", "P1", "65", "30 46 %", "32 49 %", "3 5 %"],
    ],
    "Table 6": [
        ["System", "ACC", "P1", "P2", "P3", "D"],
        ["GPT-4 + try again", "#1", "49.6", "7.7", "0", "10.5"],
        ["GPT-4 + similar + fixing", "#1", "61.9", "20.2", "1.7", "7.9"],
    ],
    "Table 7": [
        ["System", "P1", "P2", "P3", "D"],
        ["Correctness checking", "148.9", "145.8", "217.3", "178.7"],
        ["GPT-3.5-turbo", "40.2", "43.7", "42.5", "50.6"],
        ["GPT-4", "35.6", "43.5", "43.9", "43.3"],
    ],
}
# Whole numbers that Tables 2, 4 and 6 leave possible out of 139, 104, 59 and 38.
COUNTS = {
    "Table 2": [[39, 3, 0, 0], [49, 6, 0, 2], [58, 8, 0, 4], [72, 13, 1, 6]],
    "Table 4": [[58, 8, 0, 4], [66, 15, 1, 4], [73, 15, 1, None], [74, 10, 0, 7]],
    "Table 6": [[69, 8, 0, 4], [86, 21, 1, 3]],
}


def selene_sync():
    pack_sync(pack=load_pack("selene", settings.PACKS_DIR))
    return Pack.objects.get(slug="selene")


def words(markup):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", markup))).strip()


def shown_tables(page):
    """Rows of every table under a source, as a reader sees them: the count of a share stands apart."""
    found = {}
    for section in re.findall(r'<section class="paper".*?</section>', page, re.DOTALL):
        source = re.search(r"Table \d", section)[0]
        rows = []
        for row in re.findall(r"<tr>(.*?)</tr>", section, re.DOTALL):
            cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
            parts = [re.split(r'<span class="unit count">', cell) for cell in cells]
            texts = ["" if "not reported" in part[0] else words(part[0]) for part in parts]
            rows.append((texts, [words(part[1]) if len(part) > 1 else "" for part in parts]))
        found[source] = rows
    return found


@pytest.fixture
def page(client, db):
    selene_sync()
    return client.get("/b/selene/reported/").content.decode()


@pytest.mark.parametrize("table", PRINTED)
def test_every_number_of_the_paper_stands_on_the_page_where_the_paper_has_it(page, table):
    assert [texts for texts, _ in shown_tables(page)[table]] == PRINTED[table]


@pytest.mark.parametrize("table", COUNTS)
def test_whole_numbers_behind_the_per_cent_are_the_only_ones_possible(page, table):
    totals = [139, 104, 59, 38]
    expected = [
        ["" if number is None else f"{number}/{total}" for number, total in zip(row, totals, strict=True)]
        for row in COUNTS[table]
    ]
    assert [counts[2:] for _, counts in shown_tables(page)[table][1:]] == expected


def test_every_table_names_its_source_and_nothing_is_called_checked(page):
    for number, section in enumerate(re.findall(r'<section class="paper".*?</section>', page, re.DOTALL), start=2):
        assert f"Zhang et al. 2024, Table {number}" in section
        assert "https://arxiv.org/abs/2401.07663" in section
    assert "Nothing on this page was checked here" in words(page)
    assert "takes no proofs" in words(page)


@pytest.mark.django_db
def test_a_benchmark_without_problems_is_its_reported_page_and_takes_no_proofs(client, django_user_model):
    selene_sync()
    reported = client.get("/b/selene/reported/").content
    for address in ("/b/selene/", "/b/selene/leaderboard/"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert shown_tables(answer.content.decode()) == shown_tables(reported.decode())
    for address in ("/b/selene/leaderboard.csv", "/b/selene/problems/", "/b/selene/export.zip", "/b/none/reported/"):
        assert client.get(address).status_code == 404, address
    client.force_login(django_user_model.objects.create_user("a@example.org", "correct horse"))
    assert client.get("/b/selene/submit/").status_code == 404
    home = words(client.get("/").content.decode())
    assert "reported takes no proofs yet" in home


@pytest.mark.django_db
def test_a_benchmark_without_reported_figures_has_no_such_page(client):
    pack_make()
    assert client.get("/b/toy/reported/").status_code == 404
    assert client.get("/b/nothing/").status_code == 404


@pytest.mark.django_db
def test_a_reader_who_holds_the_page_gets_304_until_a_figure_changes(client):
    pack = selene_sync()
    tag = client.get("/b/selene/reported/").headers["ETag"]
    assert client.get("/b/selene/reported/", headers={"If-None-Match": tag}).status_code == 304
    Pack.objects.filter(pk=pack.pk).update(stamp=pack.stamp + 1)
    assert client.get("/b/selene/reported/", headers={"If-None-Match": tag}).status_code == 200


@given(st.lists(st.integers(0, 400), min_size=1, max_size=5))
def test_shares_add_up_to_100_and_are_never_a_whole_point_off(parts):
    shares = shares_of_hundred(parts)
    if sum(parts):
        assert sum(shares) == 100
        assert all(abs(share - 100 * part / sum(parts)) < 1 for share, part in zip(shares, parts, strict=True))
    else:
        assert set(shares) == {0}


@given(st.tuples(st.integers(0, 400), st.integers(0, 400), st.integers(0, 400)))
def test_shares_of_a_checked_row_of_failures_add_up_to_100(parts):
    errors = Errors(*parts, missing=0)
    shares = [class_share(errors, name) for name in ("undefined", "logic", "other")]
    if errors.total:
        assert sum(int(share.removesuffix(" %")) for share in shares) == 100
    else:
        assert shares == ["", "", ""]


def line(**fields):
    plain = {"augmentations": (), "source": "T, Table 1", "link": "", "k": 1, "scores": {}, "problems": {},
             "solved": {}, "failures": {}, "seconds": {}, "note": ""}  # fmt: skip
    return Line(**{"system": "S", **plain, **fields})


def test_one_row_gathers_what_several_tables_say_of_a_system():
    rows = reported_rows(lines_of(load_manifest()), CATEGORIES)
    plain = next(row for row in rows if row.system == "GPT-4" and not row.augmentations)
    assert (plain.scores["", 1].solved, plain.scores["", 1].total, plain.scores["", 1].printed) == (70, 340, "20.6")
    assert (plain.scores["", 5].solved, plain.scores["P3", 5].printed) == (92, "1.7")
    assert plain.failures[""] == {"undefined": 108, "logic": 147, "other": 15}
    assert [source.split(", ")[1] for source in plain.sources] == ["Table 2", "Table 3", "Table 4", "Table 5"]


def test_no_sum_is_made_where_the_paper_leaves_a_category_out():
    rows = reported_rows(lines_of(load_manifest()), CATEGORIES)
    dependency = next(row for row in rows if row.augmentations == ("dependency",))
    assert ("", 1) not in dependency.scores
    assert rows[-1] is dependency


def test_two_papers_on_one_system_stay_two_rows():
    made = [
        line(scores={"P1": 50.0}), line(source="U, Table 1", scores={"P1": 40.0}), line(k=5, scores={"P1": 60.0}),
    ]  # fmt: skip
    rows = reported_rows(made, ["P1"])
    assert [[figure.printed for figure in row.scores.values()] for row in rows] == [["50.0", "60.0"], ["40.0"]]


def test_a_printed_total_wins_over_a_sum():
    made = [line(scores={"P1": 50.0, "all": 49.0}, problems={"P1": 2, "all": 100}, solved={"P1": 1, "all": 49})]
    assert reported_rows(made, ["P1"])[0].scores["", 1].printed == "49.0"


def test_failures_of_several_systems_and_categories_stand_one_a_line():
    counts = {"undefined": 1, "logic": 1, "other": 2}
    made = [line(failures={"P1": counts, "D": counts}), line(system="R", failures={"P1": counts})]
    table = paper_tables(made, ["P1", "D"])[0]
    assert [heads for heads, _ in table.rows] == [("S", "P1"), ("S", "D"), ("R", "P1")]
    assert [cell.share for cell in table.rows[0][1]] == ["", "25 %", "25 %", "50 %"]


def load_manifest():
    pack = load_pack("selene", settings.PACKS_DIR)
    return {"baselines": [asdict(row) | {"augmentations": list(row.augmentations)} for row in pack.baselines]}
