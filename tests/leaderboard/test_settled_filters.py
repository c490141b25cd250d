"""Values that readers make up fill no cache: each view that shows the same is kept once."""

import pytest
from django.core.cache import cache

from leaderboard import cache as board_cache
from submissions.models import BoardEntry
from tests.leaderboard.seed import METHODS, board_make, pack_make, publish

PAGES = ("leaderboard/", "leaderboard.csv", "compare/")  # one of each kind that keeps what it made
MADE_UP = (
    "system=nobody", "other=nobody", "system=x1&other=x2", "page=77", "page=999999",
    "at=2026-10-20T01:02:03.000001Z", "at=2026-10-20T01:02:03.000002Z", "at=2026-10-21", "at=2026-10-22",
)  # fmt: skip


@pytest.fixture
def kept(monkeypatch):
    """Names under which something was put into the cache."""
    names = set()
    real = board_cache.cache.set
    monkeypatch.setattr(board_cache.cache, "set", lambda name, *rest: (names.add(name), real(name, *rest))[1])
    return names


def test_a_made_up_value_is_kept_under_no_name_of_its_own(client, db, kept):
    cache.clear()
    board_make(METHODS[:2])
    for page in PAGES:
        client.get(f"/b/toy/{page}")
        client.get(f"/b/toy/{page}?at=2026-10-15")
        before = set(kept)
        for query in MADE_UP:
            assert client.get(f"/b/toy/{page}?{query}").status_code == 200, (page, query)
        assert kept == before, page


def test_a_team_that_never_published_is_answered_with_what_is_wrong_and_kept_nowhere(client, db, kept):
    cache.clear()
    board_make()
    client.get("/b/toy/leaderboard/")
    before = set(kept)
    for number in range(3):
        answer = client.get(f"/b/toy/leaderboard/?team=Nobody+{number}")
        assert answer.status_code == 400
        assert f"No team “Nobody {number}” has published" in answer.content.decode()
        assert client.get(f"/b/toy/leaderboard.csv?team=Nobody+{number}").status_code == 400
    assert kept == before
    assert client.get("/b/toy/leaderboard/?team=Sample+Lab+1").status_code == 200


def test_a_moment_shows_the_state_that_began_at_the_last_change_before_it(client, db):
    cache.clear()
    board_make()
    entry = BoardEntry.objects.order_by("valid_from")[2]
    moments = [entry.valid_from, entry.valid_from.replace(hour=13), entry.valid_from.replace(hour=23, minute=59)]
    answers = [client.get("/b/toy/leaderboard.json", {"at": moment.isoformat()}).json() for moment in moments]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["at"] == entry.valid_from.isoformat()
    assert len(answers[0]["rows"]) == 3


def test_before_the_first_change_the_board_is_empty_and_without_any_a_moment_means_nothing(client, db):
    cache.clear()
    made = pack_make()
    assert "No published run yet" in client.get("/b/toy/leaderboard/?at=2020-01-01").content.decode()
    publish(*made, METHODS[0])
    page = client.get("/b/toy/leaderboard/?at=2020-01-01").content.decode()
    assert "before its first change on 1 October 2026" in page
    assert METHODS[0].name not in page.split("<main")[1]


def test_the_runs_asked_for_are_still_chosen_where_they_stand_on_the_board(client, db):
    cache.clear()
    board_make()
    rows = client.get("/b/toy/leaderboard.json").json()["rows"]
    first, second = rows[3]["submission"], rows[1]["submission"]
    page = client.get("/b/toy/compare/", {"system": first, "other": second}).content.decode()
    assert f'value="{first}" selected' in page
    assert f'value="{second}" selected' in page
