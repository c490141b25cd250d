"""Every score leads to the problems it counts, and the board says what its verdicts rest on."""

import re
from html import unescape

import pytest
from django.core.cache import cache

from submissions.models import Submission
from tests.leaderboard.seed import METHODS, board_make, pack_make, publish
from tests.seed import seed
from verifier.models import Environment


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


def test_every_score_of_the_board_leads_to_the_problems_that_it_counts(client, db):
    made = seed(lemmas=16)
    page = client.get(f"/b/{made.pack.slug}/leaderboard/").content.decode()
    row = page.split('<tr class="row"')[1].split("</tr>")[0]
    links = re.findall(r'<a class="to" href="([^"]+)">(.*?)</a>', row, re.DOTALL)
    scores = [(unescape(link), re.search(r"(\d+)(?:/| of )(\d+)", words)) for link, words in links if "#lem" in link]
    assert len(scores) == 1 + 2 * page.count('class="span"')
    for link, counts in scores:
        solved, total = map(int, counts.groups())
        assert client.get(link).context["lines"].paginator.count == (solved or total), link


def test_what_a_score_counts_is_kept_in_the_files_of_the_selection_and_unknown_k_keeps_all(client, db):
    made = seed(lemmas=16)
    page = f"/submissions/{made.published.public_id}/"
    counted = client.get(page, {"k": "1"}).context["lines"].paginator.count
    assert 0 < counted < len(made.problems)
    rows = client.get(f"{page}results.json", {"k": "1"}).json()["results"]
    assert len({row["problem"] for row in rows}) == counted
    for unknown in ("", "0", "7", "1 ", "x" * 500):
        assert client.get(page, {"k": unknown}).context["lines"].paginator.count == len(made.problems)


def test_a_withdrawn_run_keeps_its_numbers_and_leads_nowhere(client, db):
    board_make(METHODS[:2])
    gone = Submission.objects.get(system__name=METHODS[0].name)
    Submission.objects.filter(pk=gone.pk).update(visibility="withdrawn")
    for name in ("leaderboard", "history", "compare", "augmentations"):
        page = client.get(f"/b/toy/{name}/").content.decode()
        assert f"/submissions/{gone.public_id}/" not in page, name


def test_the_board_says_that_a_base_holds_skipped_proofs_and_its_rows_and_files_do_too(client, db):
    problem_set, environment = pack_make()
    publish(problem_set, environment, METHODS[0])
    assert "skipped proofs" not in client.get("/b/toy/leaderboard/").content.decode()
    cache.clear()
    Environment.objects.update(recipe={"base": "holds skipped proofs"})
    page = client.get("/b/toy/leaderboard/").content.decode()
    assert "holds skipped proofs" in page
    assert page.count("base skips proofs") == 1
    assert [row["skipped_proofs"] for row in client.get("/b/toy/leaderboard.json").json()["rows"]] == [True]


def test_the_board_says_which_share_of_the_proved_was_confirmed_and_audited(client, db):
    problem_set, environment = pack_make()
    entry = publish(problem_set, environment, METHODS[0])
    summary = entry.run.summary
    summary.counts |= {"proved": 200, "confirmed": 150, "audited": 4}
    summary.save()
    page = re.sub(r"<[^>]+>", " ", client.get("/b/toy/leaderboard/").content.decode())
    words = re.sub(r"\s+", " ", page)
    assert "Confirmed 75.0 % of proved" in words
    assert "Audited 2.0 % of proved" in words
    assert "audited 4/200" in words
