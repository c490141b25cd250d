"""Static pictures: the same data as the plots, nothing from elsewhere, and readable as they are."""

import json
import re
import struct
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings as conf
from django.core.cache import cache
from hypothesis import given
from hypothesis import strategies as st

from leaderboard import picture_axes
from leaderboard.drawing import INK, Box, Line, Picture, Word, fitting, svg, text_width
from leaderboard.pictures import figure_picture
from leaderboard.raster import png
from tests.leaderboard.seed import Method, board_make, pack_make, publish
from verifier.models import Pack

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("standings", "errors", "times", "history")


@pytest.fixture(autouse=True)
def _clean(db):
    cache.clear()


def words(document):
    return [text.text for text in ET.fromstring(document).iter(SVG + "text")]


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_a_document_with_a_title_that_needs_nothing_else(client, name):
    board_make()
    answer = client.get(f"/b/toy/pictures/{name}.svg?category=P1")
    assert answer["Content-Type"] == "image/svg+xml"
    root = ET.fromstring(answer.content)
    assert root.get("role") == "img"
    assert root.find(SVG + "title").text.startswith("Toy kernel: ")
    assert not re.search(rb"href|@import|<style|<script|style=|on\w+=|url\((?!#)|var\(", answer.content)
    tag = answer.headers["ETag"]
    assert client.get(f"/b/toy/pictures/{name}.svg?category=P1", headers={"If-None-Match": tag}).status_code == 304
    assert client.get(f"/b/toy/pictures/{name}.svg?category=P9").status_code == 400


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_of_nothing_says_so(client, name):
    pack_make()
    assert any(re.search("No published run|Nothing to show", word) for word in words(
        client.get(f"/b/toy/pictures/{name}.svg").content
    ))  # fmt: skip


def test_the_standings_name_rank_score_and_counts_of_the_first_eight(client):
    made = board_make()
    for number in range(6):
        publish(*made, Method(f"More {number}", f"Team {number}", (0.9, 0.8, 0.7, 0.6)), day=20)
    rows = [row for row in json.loads(client.get("/b/toy/leaderboard.json").content)["rows"] if row["rank"]]
    shown = words(client.get("/b/toy/pictures/standings.svg").content)
    for row in rows[:8]:
        helped = f", {row['augmentations'].replace(' ', ' + ')}" if row["augmentations"] else ""
        assert {str(row["rank"]), row["system"], row["team"] + helped} <= set(shown)
        assert f"{100 * row['value']:.1f} %" in shown
        assert f"{row['acc1_all_solved']}/75" in shown
    assert f"{len(rows) - 8} more ranked systems on the board. Bars: 95 % Wilson interval." in shown
    assert not any(row["system"] in " ".join(shown) for row in rows[8:])


def test_the_card_is_a_png_of_the_size_that_its_page_promises_with_the_letters_in_it(client, settings):
    settings.BASE_URL = "https://selen.example.org"
    made = board_make()
    answer = client.get("/b/toy/pictures/standings.png")
    assert answer["Content-Type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
    page = client.get("/b/toy/leaderboard/").content.decode()
    assert 'content="https://selen.example.org/b/toy/pictures/standings.png"' in page
    assert 'property="og:image:width" content="1200"' in page
    publish(*made, Method("ΣЖé", "Ω", (1, 1, 1, 1)), day=9)
    Pack.objects.update(stamp=2)
    assert client.get("/b/toy/pictures/standings.png").content != answer.content


def test_two_rows_of_the_card_that_differ_in_augmentations_alone_are_told_apart(client):
    made = pack_make()
    for names in ((), ("similar",), ("similar", "tryagain")):
        publish(
            *made, Method("One" + " " * len(names), "Lab", (0.5, 0.5, 0.5, 0.5), augmentations=names), day=len(names)
        )
    shown = words(client.get("/b/toy/pictures/standings.svg").content)
    assert {"Lab", "Lab, similar", "Lab, similar + try again"} <= set(shown)


def test_a_picture_says_which_score_of_which_problems_it_shows(client):
    board_make()
    shown = words(client.get("/b/toy/pictures/history.svg?k=5&category=P2").content)
    assert "Toy kernel: ACC#5 over time" in shown
    assert "Set v1, 20 problems of P2, as of 8 October 2026. Problems proved, %" in shown
    document = client.get("/b/toy/pictures/history.svg").content.decode()
    lines = [float(x) for x in re.findall(r'<line x1="[^"]+" y1="[^"]+" x2="([^"]+)"', document)]
    assert lines.count(max(lines)) > 1  # the best goes on as far as the axis does


def test_a_png_has_letters_where_the_svg_has_them():
    def ink(text):
        document = svg(Picture(200, 40, "t", [Box(0, 0, 200, 40, "#ffffff"), Word(4, 28, text, 24)]))
        return len(png(document))

    assert ink("") < ink("i") < ink("Meß λ Ж Σ")


def test_bars_of_failures_are_as_long_as_the_figure_says(client):
    board_make()
    figure = json.loads(client.get("/b/toy/plots/errors.json").content)
    root = ET.fromstring(client.get("/b/toy/pictures/errors.svg").content)
    bars = [float(box.get("width")) for box in root.iter(SVG + "rect") if box.get("height") == "18.0"]
    numbers = [value for trace in figure["data"] for value in trace["x"]]
    scale = max(bars) / max(numbers)
    assert bars == pytest.approx([number * scale for number in numbers], abs=0.2)


def test_a_name_in_a_picture_is_text(client):
    made = board_make()
    publish(*made, Method("<script>&", "</svg>", (1, 1, 1, 1)), day=9)
    for name in NAMES:
        ET.fromstring(client.get(f"/b/toy/pictures/{name}.svg").content)
    assert "<script>&" in words(client.get("/b/toy/pictures/standings.svg").content)


def test_colours_of_pictures_are_those_of_the_light_scheme():
    sheet = (Path(conf.BASE_DIR) / "static" / "selen.css").read_text()
    light = dict(re.findall(r"(--[a-z0-9-]+):\s*(#[0-9a-f]{6});", sheet.split("@media")[0]))
    assert light | INK == light


@given(st.floats(0.001, 1e6))
def test_a_linear_axis_begins_at_0_and_ends_at_or_above_the_highest_value(highest):
    axis = picture_axes.linear(highest, 100, 500)
    values = [value for value, _ in axis.ticks]
    assert values[0] == 0
    assert values[-1] >= highest * (1 - 1e-9)
    assert len(values) <= 9
    assert axis.at(0) == 100
    assert axis.at(values[-1]) == pytest.approx(500)


@given(st.lists(st.floats(0.001, 1e5), min_size=1, max_size=20))
def test_a_logarithmic_axis_holds_every_value_between_its_ends(values):
    axis = picture_axes.logarithmic(values, 0, 100)
    assert all(0 <= axis.at(value) <= 100 for value in values)
    assert all(0 <= axis.at(value) <= 100 for value, _ in axis.ticks)


@given(st.lists(st.integers(1_500_000_000, 2_000_000_000), min_size=1, max_size=20))
def test_an_axis_of_dates_holds_every_moment_and_writes_at_most_seven_days(values):
    axis = picture_axes.dates(values, 0, 100)
    assert all(0 <= axis.at(value) <= 100 for value in values)
    assert 1 <= len(axis.ticks) <= 7


@given(st.text(max_size=80), st.floats(20, 400))
def test_a_word_that_is_cut_fits(text, width):
    assert text_width(fitting(text, 13, width), 13) <= max(width, text_width("…", 13))


def test_hatched_boxes_share_one_pattern():
    boxes = [Box(0, 0, 5, 5, "#ffffff", hatch="#000000"), Box(5, 0, 5, 5, "#ffffff", hatch="#000000")]
    document = svg(Picture(20, 20, "t", [*boxes, Line(0, 0, 1, 1, "#000000", dashed=True), Word(0, 9, "a & b")]))
    assert document.count("<pattern") == 1
    assert document.count('fill="url(#h0)"') == 2
    ET.fromstring(document)


def test_an_empty_figure_is_a_picture_that_says_so():
    figure = json.dumps({"data": [], "layout": {"xaxis": {}, "yaxis": {}}})
    assert "Nothing to show yet." in svg(figure_picture(figure, "T", "S"))
