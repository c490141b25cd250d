"""Where a reader finds what to take along: the board's page, the page of a run, the head of the document."""

import csv
import io
import json
import re
from html import unescape

import pytest
from django.core.cache import cache

from tests.leaderboard.seed import board_make, pack_make
from tests.leaderboard.test_reported import words
from tests.seed import BASELINES, seed
from verifier.models import Pack

pytestmark = pytest.mark.django_db
BOARD = "/b/toy/leaderboard/"


@pytest.fixture(autouse=True)
def _clean(settings):
    cache.clear()
    settings.BASE_URL = "https://selen.example.org"


@pytest.fixture
def toy():
    return board_make()


@pytest.fixture
def grey(toy):
    pack = Pack.objects.get()
    pack.manifest = {**pack.manifest, "baselines": BASELINES}
    pack.save()
    return pack


def page(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_the_board_shows_its_permanent_address_and_the_bibtex_that_its_file_holds(client, toy):
    shown = page(client, BOARD + "?k=5")
    assert "https://selen.example.org/b/toy/leaderboard/?k=5&at=2026-10-08T12:00:00Z" in shown
    assert client.get("/b/toy/leaderboard.bib?k=5").content.decode() in shown
    for file in ("leaderboard.bib?k=5", "leaderboard.tex?k=5", "feed.atom", "about.jsonld"):
        assert f'href="/b/toy/{file}"' in shown, file


def test_an_empty_board_has_nothing_to_cite_and_says_so(client):
    pack_make()
    assert "a citation stands here from the first published run on" in page(client, BOARD)
    assert client.get("/b/toy/leaderboard.bib").content == b""


def test_machines_find_feed_and_description_in_the_head(client, toy):
    links = re.findall(r'<link rel="alternate" type="([^"]+)" href="([^"]+)"', page(client, BOARD))
    assert dict(links) == {
        "text/csv": "/b/toy/leaderboard.csv",
        "application/atom+xml": "/b/toy/feed.atom",
        "application/ld+json": "/b/toy/about.jsonld",
    }


def test_cards_of_links_are_given_only_where_the_site_has_a_name(client, toy, settings):
    metas = dict(re.findall(r'<meta property="(og:[a-z:]+)" content="([^"]*)"', page(client, BOARD)))
    assert metas["og:image"].startswith("https://selen.example.org/b/toy/pictures/standings.")
    assert metas["og:url"] == "https://selen.example.org/b/toy/leaderboard/"
    assert client.get(metas["og:image"].removeprefix("https://selen.example.org")).status_code == 200
    settings.BASE_URL = "http://127.0.0.1:8000"
    assert "og:image" not in page(client, BOARD)


def test_the_page_of_a_published_run_says_how_to_cite_it_and_shows_its_badge(client):
    made = seed(lemmas=6)
    slug, submission = made.pack.slug, made.published.public_id
    shown = page(client, f"/submissions/{submission}/")
    assert client.get(f"/b/{slug}/submissions/{submission}.bib").content.decode() in shown
    assert f'<img src="/b/{slug}/submissions/{submission}.svg"' in shown
    assert f"https://selen.example.org/submissions/{submission}/" in shown
    client.force_login(made.owner)
    assert "Cite this run" not in page(client, f"/submissions/{made.private.public_id}/")


def test_reported_rows_stand_under_the_ranked_ones_without_a_rank(client, grey):
    shown = page(client, BOARD)
    rows = re.findall(r'<tr class="row reported".*?</tr>', shown, re.DOTALL)
    assert len(rows) == 2
    assert "27.5 11/40 · 95 % interval 16.1–42.8" in words(rows[0])
    assert "reported · Example 2026, Table 1" in words(rows[0])
    assert 'href="https://example.org/paper"' in rows[0]
    assert "similar" in words(rows[1])
    assert shown.index('class="row reported"') > max(match.start() for match in re.finditer('class="row"', shown))
    numbers = [row["rank"] for row in json.loads(client.get("/b/toy/leaderboard.json").content)["rows"]]
    grey.manifest = {**grey.manifest, "baselines": []}
    grey.save()
    cache.clear()
    assert numbers == [row["rank"] for row in json.loads(client.get("/b/toy/leaderboard.json").content)["rows"]]


@pytest.mark.parametrize(
    ("query", "number"),
    [("", 2), ("?augmentation=similar", 1), ("?augmentation=none", 1), ("?augmentation=fixing", 0), ("?open=1", 0),
     ("?verified=1", 0), ("?team=Sample+Lab+1", 0), ("?category=P1", 2), ("?k=5", 2)],
)  # fmt: skip
def test_filters_hold_for_reported_rows_too(client, grey, query, number):
    assert page(client, BOARD + query).count('class="row reported"') == number
    lines = csv.DictReader(io.StringIO(client.get("/b/toy/leaderboard.csv" + query).content.decode()))
    assert sum(line["standing"] == "reported" for line in lines) == number
    assert len(json.loads(client.get("/b/toy/leaderboard.json" + query).content)["reported"]) == number


def test_exports_hold_reported_figures_as_printed_and_with_the_counts_behind_them(client, grey):
    record = json.loads(client.get("/b/toy/leaderboard.json").content)["reported"][0]
    assert (record["standing"], record["source"], record["value"]) == ("reported", "Example 2026, Table 1", 0.275)
    assert (record["acc1_P1_printed"], record["acc1_P1_solved"], record["acc1_P1_total"]) == ("50.0", 5, 10)
    assert record["acc5_P1_solved"] is None
    lines = list(csv.DictReader(io.StringIO(client.get("/b/toy/leaderboard.csv").content.decode())))
    assert lines[-1]["acc1_all_solved"] == "11"
    assert lines[-1]["rank"] == ""


def test_a_board_without_runs_shows_what_is_reported(client):
    pack_make()
    pack = Pack.objects.get()
    pack.manifest = {**pack.manifest, "baselines": BASELINES}
    pack.save()
    assert page(client, BOARD).count('class="row reported"') == 2


def test_plots_have_a_still_picture_for_print_and_for_readers_without_script(client, toy):
    for view, name in (("history", "history"), ("failures", "errors"), ("times", "times")):
        shown = page(client, f"/b/toy/{view}/?k=5")
        assert re.search(rf'<noscript><img class="still" src="/b/toy/pictures/{name}\.svg\?k=5" alt="Plot', shown), view
        assert f'loading="lazy" src="/b/toy/pictures/{name}.svg?k=5"' in shown
