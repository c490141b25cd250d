"""What leaves the site to be cited: LaTeX, BibTeX, Atom, badges, JSON-LD; all held to the board they come from."""

import json
import re
from datetime import datetime
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.addresses import is_known
from leaderboard.badge import shortened
from leaderboard.drawing import text_width
from leaderboard.latex import commands_escaped, escaped
from leaderboard.xml_text import xml_text
from submissions.models import BoardEntry, RunSummary, Submission, System
from tests.leaderboard import latex_reader
from tests.leaderboard.seed import METHODS, Method, board_make, pack_make, publish
from tests.seed import BASELINES
from verifier.models import Environment, Pack, ProblemSet

ATOM = "{http://www.w3.org/2005/Atom}"
SVG = "{http://www.w3.org/2000/svg}"
NASTY = r"50% of A&B_{x}^2 #1 ~ $\alpha$ <i> “é” Ωβλ 中"


@pytest.fixture(autouse=True)
def _clean(db, settings):
    cache.clear()
    settings.BASE_URL = "https://selen.example.org"


@pytest.fixture
def toy():
    return board_make()


def rows_of(client, query=""):
    return json.loads(client.get("/b/toy/leaderboard.json" + query).content)["rows"]


def body(client, address):
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def bib_fields(text):
    """Fields of the one entry, braces counted as BibTeX counts them."""
    key, rest = re.match(r"@misc\{([a-z0-9-]+(?:T\d+)?),\n(.*)\}\n$", text, re.DOTALL | re.IGNORECASE).groups()
    fields = {}
    for line in rest.strip().splitlines():
        name, value = re.match(r"\s*(\w+)\s*= (.*),$", line).groups()
        depth = 0
        for place, char in enumerate(value):
            depth += (char == "{") - (char == "}")
            assert depth > 0 or place == len(value) - 1 or name == "month", value
        assert depth == 0
        fields[name] = value[1:-1] if value.startswith("{") else value
    return key, fields


# LaTeX


def test_latex_holds_the_rows_order_and_numbers_of_the_board(client, toy):
    rows = rows_of(client)
    read = latex_reader.read(body(client, "/b/toy/leaderboard.tex"))
    heads, lines = read[:2], read[2:]
    assert heads[0][2] == "ACC\\#1, all"
    assert heads[1][4:] == [f"\\#{k}" for _ in range(4) for k in (1, 5)]
    assert [line[1] for line in lines] == [escaped(f"{row['system']} ({row['team']})") for row in rows]
    assert [line[0] for line in lines] == [
        {"incomplete": "--", "reference": "ref"}.get(row["standing"], str(row["rank"])) for row in rows
    ]
    first = rows[0]
    assert lines[0][2] == f"{100 * first['value']:.1f}"
    assert lines[0][3] == f"{100 * first['acc1_all_low']:.1f}--{100 * first['acc1_all_high']:.1f}"
    shares = [
        first[f"acc{k}_{name}_solved"] / first[f"acc{k}_{name}_total"]
        for name in ("P1", "P2", "P3", "D")
        for k in (1, 5)
    ]
    assert lines[0][4:] == [f"{100 * share:.1f}" for share in shares]


def test_latex_follows_the_filters_of_the_address(client, toy):
    text = body(client, "/b/toy/leaderboard.tex?category=P1&k=5&open=1")
    rows = rows_of(client, "?category=P1&k=5&open=1")
    read = latex_reader.read(text)
    assert len(read) - 2 == len(rows)
    assert "ACC\\#5, P1" in text
    assert "category=P1&k=5&open=1&at=" in text.splitlines()[1]
    assert client.get("/b/toy/leaderboard.tex?category=P9").status_code == 400


def test_latex_names_pack_set_and_environment_by_their_whole_digests(client, toy):
    text = body(client, "/b/toy/leaderboard.tex")
    pack, problem_set, environment = Pack.objects.get(), ProblemSet.objects.get(), Environment.objects.get()
    assert f"% Pack digest {pack.digest}" in text
    assert f"% Set v1, digest {problem_set.digest}" in text
    assert f"% Environment digest {environment.digest}" in text
    assert f"\\texttt{{{problem_set.digest[:16]}}}" in text


def test_names_that_mean_something_to_tex_are_printed_as_they_are(client, toy):
    publish(*toy, Method(NASTY, "R&D_100%", (1, 1, 1, 1)), day=20)
    line = latex_reader.read(body(client, "/b/toy/leaderboard.tex"))[2]
    assert line[1] == (
        r"50\% of A\&B\_\textbraceleft{}x\textbraceright{}\textasciicircum{}2 \#1 \textasciitilde{} "
        r"\$\textbackslash{}alpha\$ \textless{}i\textgreater{} ``é'' \selenchar{Ω}{U+03A9}$\beta$$\lambda$ "
        r"\selenchar{中}{U+4E2D} (R\&D\_100\%)"
    )


@given(st.text(max_size=60))
def test_no_text_opens_a_command_or_leaves_a_brace_open(text):
    for made in (escaped(text), commands_escaped(text)):
        bare = re.sub(r"\\[a-z]+\{\}|\\[$&#%_]|\$\\[a-z]+\$|\\selenchar\{.\}\{U\+[0-9A-F]+\}", "", made)
        assert not set(bare) & set("\\{}$&#%_^~\n\r\0"), (text, made)


def test_reported_rows_stand_in_latex_under_a_dagger_and_go_with_the_filter(client, toy):
    pack = Pack.objects.get()
    pack.manifest = {**pack.manifest, "baselines": BASELINES}
    pack.save()
    lines = latex_reader.read(body(client, "/b/toy/leaderboard.tex"))
    assert [line[:3] for line in lines[-2:]] == [
        [r"\dag{}", "Model P", "27.5"],
        [r"\dag{}", "Model P + similar", "27.5"],
    ]
    assert lines[-1][4:] == ["50.0", "--", "30.0", "--", "10.0", "--", "20.0", "--"]
    assert r"\dag{}" not in body(client, "/b/toy/leaderboard.tex?open=1")


def test_an_empty_board_is_a_table_without_rows(client):
    pack_make()
    assert len(latex_reader.read(body(client, "/b/toy/leaderboard.tex"))) == 2


# BibTeX and permanent addresses


def test_a_row_is_cited_by_its_submission_with_date_digests_and_the_board_as_it_stood(client, toy):
    entry = BoardEntry.objects.select_related("run__submission").order_by("valid_from").first()
    submission = entry.run.submission.public_id
    key, fields = bib_fields(body(client, f"/b/toy/submissions/{submission}.bib"))
    assert key == f"selen-toy-{submission}"
    assert fields["url"] == f"https://selen.example.org/submissions/{submission}/"
    assert (fields["year"], fields["month"]) == ("2026", "oct")
    assert fields["author"] == "{Sample Lab 1}"
    assert "Published 2026-10-01" in fields["note"]
    for digest in (ProblemSet.objects.get().digest, Environment.objects.get().digest, entry.run.public_id):
        assert digest in fields["note"]
    state = re.search(r"The board as it stood: (\S+)$", fields["note"])[1]
    assert urlsplit(state).path == "/b/toy/leaderboard/"
    past = json.loads(client.get(state.replace("leaderboard/?", "leaderboard.json?")).content)["rows"]
    assert [row["submission"] for row in past] == [submission]


def test_the_key_and_the_text_of_a_row_stay_when_others_come_and_go(client, toy):
    submission = BoardEntry.objects.order_by("valid_from").first().run.submission.public_id
    before = body(client, f"/b/toy/submissions/{submission}.bib")
    publish(*toy, Method("late", "Team 9", (1, 1, 1, 1)), day=30)
    assert body(client, f"/b/toy/submissions/{submission}.bib") == before


def test_the_board_says_how_to_cite_it_and_the_address_keeps_its_state(client, toy):
    rows = rows_of(client)
    key, fields = bib_fields(body(client, "/b/toy/leaderboard.bib"))
    assert key == "selen-toy-v1-20261008T120000"
    assert fields["url"] == "https://selen.example.org/b/toy/leaderboard/?at=2026-10-08T12:00:00Z"
    late = publish(*toy, Method("late", "Team 9", (1, 1, 1, 1)), day=30)
    Pack.objects.update(stamp=2)
    assert rows_of(client)[0]["submission"] == late.run.submission.public_id
    path = fields["url"].removeprefix("https://selen.example.org").replace("leaderboard/?", "leaderboard.json?")
    assert json.loads(client.get(path).content)["rows"] == rows


def test_a_past_board_is_cited_as_that_past_board(client, toy):
    key, fields = bib_fields(body(client, "/b/toy/leaderboard.bib?at=2026-10-03&k=5"))
    assert re.fullmatch("selen-toy-v1-20261003T120000-[0-9a-f]{8}", key)
    assert fields["url"].endswith("?k=5&at=2026-10-03T12:00:00Z")


def test_two_views_of_one_state_have_two_keys_and_pages_of_a_view_have_one(client, toy):
    keys = [
        bib_fields(body(client, f"/b/toy/leaderboard.bib?at=2026-10-03{view}"))[0]
        for view in ("", "&k=5", "&category=P1", "&page=2", "&system=x")
    ]
    assert keys[0] == keys[3] == keys[4]
    assert len(set(keys)) == 3


def test_withdrawing_a_run_is_a_change_of_the_board_too(client, toy):
    entry = BoardEntry.objects.order_by("valid_from").first()
    BoardEntry.objects.filter(pk=entry.pk).update(valid_to=datetime.fromisoformat("2026-11-02T08:00:00.5+00:00"))
    Pack.objects.update(stamp=2)
    assert "at=2026-11-02T08:00:00.500000Z" in body(client, "/b/toy/leaderboard.bib")


def test_nothing_is_handed_out_of_what_is_not_published(client, toy):
    entry = BoardEntry.objects.order_by("valid_from").first()
    submission, system = entry.run.submission.public_id, entry.system.public_id
    addresses = [
        f"/b/toy/submissions/{submission}.bib",
        f"/b/toy/submissions/{submission}.svg",
        f"/b/toy/systems/{system}.svg",
    ]
    assert [client.get(address).status_code for address in addresses] == [200, 200, 200]
    Submission.objects.filter(pk=entry.run.submission_id).update(visibility="withdrawn")
    Pack.objects.update(stamp=2)
    assert [client.get(address).status_code for address in addresses] == [404, 404, 404]
    assert submission not in body(client, "/b/toy/feed.atom")
    assert submission not in body(client, "/b/toy/about.jsonld")


# Atom


def test_the_feed_has_what_atom_requires_and_one_entry_a_run(client, toy):
    answer = client.get("/b/toy/feed.atom")
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ET.fromstring(answer.content)
    assert feed.tag == ATOM + "feed"
    for required in ("id", "title", "updated"):
        assert len(feed.findall(ATOM + required)) == 1, required
    links = {link.get("rel"): link.get("href") for link in feed.findall(ATOM + "link")}
    assert links == {
        "self": "https://selen.example.org/b/toy/feed.atom",
        "alternate": "https://selen.example.org/b/toy/leaderboard/",
    }
    entries = feed.findall(ATOM + "entry")
    assert len(entries) == len([method for method in METHODS if not method.reference])
    for entry in entries:
        for required in ("id", "title", "updated", "summary", "author", "link"):
            assert len(entry.findall(ATOM + required)) == 1, required
        assert entry.find(f"{ATOM}author/{ATOM}name").text
        assert entry.find(ATOM + "id").text.startswith("urn:uuid:")
        datetime.fromisoformat(entry.find(ATOM + "updated").text)
    assert len({entry.find(ATOM + "id").text for entry in entries}) == len(entries)
    moments = [entry.find(ATOM + "updated").text for entry in entries]
    assert moments == sorted(moments, reverse=True)
    assert feed.find(ATOM + "updated").text == moments[0]


def test_ids_of_the_feed_do_not_change_with_the_name_of_the_site(client, toy, settings):
    def ids():
        return [found.text for found in ET.fromstring(client.get("/b/toy/feed.atom").content).iter(ATOM + "id")]

    before = ids()
    settings.BASE_URL = "https://elsewhere.example.org"
    assert "elsewhere.example.org" in body(client, "/b/toy/feed.atom")
    assert ids() == before


def test_an_empty_feed_is_valid_and_the_same_each_time(client):
    pack_make()
    first = client.get("/b/toy/feed.atom").content
    assert ET.fromstring(first).find(ATOM + "updated").text == "2026-01-01T00:00:00Z"
    cache.clear()
    assert client.get("/b/toy/feed.atom").content == first


def test_a_feed_says_what_each_run_scored(client, toy):
    titles = [
        entry.find(ATOM + "title").text
        for entry in ET.fromstring(client.get("/b/toy/feed.atom").content).iter(ATOM + "entry")
    ]
    first = rows_of(client)[0]
    wanted = f"ACC#1 {100 * first['value']:.1f} % ({first['acc1_all_solved']}/75"
    assert any(wanted in title and first["system"] in title for title in titles)
    assert any("incomplete, 2 verdicts open" in title for title in titles)


@given(st.text(max_size=40))
def test_whatever_a_name_holds_the_xml_can_be_read(text):
    root = ET.Element("a")
    root.text = xml_text(text)
    assert ET.fromstring(ET.tostring(root)).text == (root.text.replace("\r\n", "\n").replace("\r", "\n") or None)


# Badges


def test_a_badge_says_score_interval_and_date_and_needs_nothing_from_elsewhere(client, toy):
    first = rows_of(client)[0]
    answer = client.get(f"/b/toy/submissions/{first['submission']}.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Cache-Control"] == "public, max-age=300"
    root = ET.fromstring(answer.content)
    words = [text.text for text in root.iter(SVG + "text")]
    low, high = 100 * first["acc1_all_low"], 100 * first["acc1_all_high"]
    assert words == [
        "Toy kernel",
        f"ACC#1 {100 * first['value']:.1f} % ({low:.1f}–{high:.1f})",
        first["published"][:10],
    ]
    assert root.get("role") == "img"
    assert root.find(SVG + "title").get("id") == root.get("aria-labelledby")
    assert first["system"] in root.find(SVG + "title").text
    assert not re.search(rb"href|url\(|@import|<style|<script|style=|onload", answer.content)


def test_a_badge_is_validated_by_its_tag_and_made_anew_when_the_board_changes(client, toy):
    address = f"/b/toy/submissions/{rows_of(client)[0]['submission']}.svg"
    tag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
    Pack.objects.update(stamp=2)
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_the_badge_of_a_system_follows_its_latest_run(client, toy):
    system = System.objects.get(name="auto")
    before = body(client, f"/b/toy/systems/{system.public_id}.svg")
    old = BoardEntry.objects.get(system=system)
    BoardEntry.objects.filter(pk=old.pk).update(valid_to=datetime.fromisoformat("2026-11-01T12:00:00+00:00"))
    publish(*toy, Method("auto", "Sample Lab 4", (1, 1, 1, 1), attempts=(0,), open_source=True), day=31)
    Pack.objects.update(stamp=2)
    after = body(client, f"/b/toy/systems/{system.public_id}.svg")
    assert after != before
    assert "2026-11-01" in after
    assert "100.0 %" in after


def test_a_badge_says_incomplete_where_the_platform_owes_a_verdict(client, toy):
    entry = BoardEntry.objects.get(system__name="Model D")
    assert "ACC#1 incomplete" in body(client, f"/b/toy/submissions/{entry.run.submission.public_id}.svg")


def test_a_name_in_a_badge_is_text(client, toy):
    entry = publish(*toy, Method("<script>&\"'", "</svg>", (1, 1, 1, 1)), day=9)
    root = ET.fromstring(client.get(f"/b/toy/submissions/{entry.run.submission.public_id}.svg").content)
    assert "<script>&\"' by </svg>" in root.find(SVG + "title").text


def test_long_titles_are_cut_and_wide_letters_counted_as_wide():
    assert shortened("x" * 41) == "x" * 39 + "…"
    assert shortened("x" * 40) == "x" * 40
    assert text_width("中中", 12) > text_width("nn", 12) > text_width("ii", 12)


# JSON-LD


def test_structured_data_describes_benchmark_and_results(client, toy):
    answer = client.get("/b/toy/about.jsonld")
    assert answer["Content-Type"] == "application/ld+json"
    found = json.loads(answer.content)
    assert found["@context"] == "https://schema.org"
    problems, results = found["@graph"]
    for data in (problems, results):
        assert data["@type"] == "Dataset"
        for required in ("name", "description", "url", "distribution"):
            assert data[required], required
    assert ProblemSet.objects.get().digest in problems["identifier"]
    assert [part["value"] for part in problems["variableMeasured"]] == [30, 20, 15, 10]
    rows = [row for row in rows_of(client) if row["rank"]]
    places = results["mainEntity"]["itemListElement"]
    assert [each["position"] for each in places] == [row["rank"] for row in rows]
    assert [each["item"]["value"] for each in places] == [row["value"] for row in rows]
    assert [each["item"]["minValue"] for each in places] == [row["acc1_all_low"] for row in rows]
    assert results["url"] == "https://selen.example.org/b/toy/leaderboard/?at=2026-10-08T12:00:00Z"


def test_the_files_that_structured_data_names_hold_the_very_state_that_it_describes(client, toy):
    found = json.loads(client.get("/b/toy/about.jsonld?at=2026-10-04&category=P1").content)
    results = found["@graph"][1]
    file = next(part["contentUrl"] for part in results["distribution"] if part["encodingFormat"] == "application/json")
    read = json.loads(client.get(file.removeprefix("https://selen.example.org")).content)
    assert read["address"] == results["url"]
    observed = [each["item"]["value"] for each in results["mainEntity"]["itemListElement"]]
    assert observed == [row["value"] for row in read["rows"] if row["rank"]]


def test_addresses_of_files_can_be_fetched(client, toy):
    found = json.loads(client.get("/b/toy/about.jsonld").content)
    for data in found["@graph"]:
        for part in data["distribution"]:
            path = part["contentUrl"].removeprefix("https://selen.example.org")
            assert client.get(path).status_code == (404 if path.endswith("export.zip") else 200), path


@pytest.mark.parametrize(
    ("base", "known"),
    [
        ("https://selen.example.org", True), ("https://192.0.2.7:8000", True), ("http://127.0.0.1:8000", False),
        ("http://localhost:8000", False), ("http://[::1]:8000", False), ("http://0.0.0.0", False), ("", False),
    ],
)  # fmt: skip
def test_an_address_of_this_machine_alone_is_not_taken_for_a_known_one(settings, base, known):
    settings.BASE_URL = base
    assert is_known() is known


def test_no_address_needs_more_than_ten_queries_however_cold(client, toy):
    entry = BoardEntry.objects.order_by("valid_from").first()
    submission, system = entry.run.submission.public_id, entry.system.public_id
    files = ("leaderboard.tex", "leaderboard.bib", "feed.atom", "about.jsonld", "pictures/standings.svg",
             "pictures/standings.png", "pictures/errors.svg", "pictures/times.svg", "pictures/history.svg",
             f"submissions/{submission}.bib", f"submissions/{submission}.svg", f"systems/{system}.svg")  # fmt: skip
    for file in files:
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            body_of = client.get(f"/b/toy/{file}")
        assert body_of.status_code == 200, file
        assert len(queries) <= 10, (file, len(queries))


def test_files_may_be_kept_by_shared_caches_and_pages_may_not(client, toy):
    def directives(address):
        return set(client.get(address)["Cache-Control"].replace(" ", "").split(","))

    assert directives("/b/toy/feed.atom") == directives("/b/toy/leaderboard.csv") == {"public", "no-cache"}
    assert directives("/b/toy/leaderboard/") == {"private", "no-cache"}


def test_a_run_without_summary_is_nowhere(client, toy):
    entry = BoardEntry.objects.order_by("valid_from").first()
    RunSummary.objects.filter(run=entry.run).delete()
    assert client.get(f"/b/toy/submissions/{entry.run.submission.public_id}.svg").status_code == 404
