"""Figures as data, and the library that draws them."""

import hashlib
import json
import re
from pathlib import Path

import plotly.offline
import pytest
from django.core.cache import cache

from tests.leaderboard.seed import board_make

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = next((ROOT / "static/vendor").glob("plotly-cartesian-*.min.js"))


@pytest.mark.django_db
def test_the_errors_figure_holds_the_counts_of_the_table(client):
    cache.clear()
    board_make()
    figure = json.loads(client.get("/b/toy/plots/errors.json").content)
    rows = json.loads(client.get("/b/toy/leaderboard.json").content)["rows"]
    failing = [row for row in rows if row["undefined"] + row["logic"] + row["other"]]
    assert [trace["name"] for trace in figure["data"]] == ["undefined", "logic", "other"]
    for trace in figure["data"]:
        assert trace["x"] == [row[trace["name"]] for row in failing]
        assert trace["y"] == [f"{row['system']}<br>{row['team']}" for row in failing]


@pytest.mark.django_db
def test_figures_name_colours_of_the_style_sheet_and_carry_no_template(client):
    cache.clear()
    board_make()
    css = (ROOT / "static/selen.css").read_text()
    for name in ("errors", "times", "history"):
        body = client.get(f"/b/toy/plots/{name}.json").content.decode()
        assert len(body) < 5000
        for variable in re.findall(r"var\((--[a-z0-9-]+)\)", body):
            assert f"{variable}:" in css


def test_the_bundle_is_the_one_recorded_and_of_the_library_s_version():
    version = re.search(r"plotly-cartesian-([\d.]+)\.min\.js", BUNDLE.name)[1]
    assert version.split(".")[:2] == plotly.offline.get_plotlyjs_version().split(".")[:2]
    assert f"v{version}" in BUNDLE.read_text()[:200]
    sources = (ROOT / "static/vendor/README.md").read_text()
    assert hashlib.sha256(BUNDLE.read_bytes()).hexdigest() in sources
    for page in ("failures", "times", "history"):
        assert BUNDLE.name in (ROOT / f"templates/leaderboard/_{page}.html").read_text()


def test_the_script_asks_for_no_outside_service():
    script = (ROOT / "static/js/plots.js").read_text()
    assert "showSendToCloud: false" in script
    assert "http" not in script
