"""Sentences with numbers stay English where a number is one."""

import re

import pytest
from django.core.cache import cache

from tests.leaderboard.seed import METHODS, pack_make, publish
from tests.seed import seed

PLURAL = re.compile(
    r"(?<![\d.,/–-])1 (lemmas|proofs|problems|systems|teams|samples|submissions|attempts|runs|slices|categories"
    r"|verdicts|texts|tokens|lines|members|others)\b"
)
VIEWS = ("leaderboard/", "history/", "failures/", "times/", "compare/", "atlas/", "originality/", "problems/")


def words_of(client, address):
    answer = client.get(address)
    assert answer.status_code == 200, address
    main = answer.content.decode().split("<main")[1].split("</main>")[0]
    inline = re.sub(r"</?(?:span|b|code|small|a|em)\b[^>]*>", "", main)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " | ", inline))


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


def test_a_board_of_one_problem_and_one_system_is_told_in_the_singular(client, db):
    publish(*pack_make(sizes=(1,), demonstrations=0), METHODS[4])
    for page in ("", *VIEWS, "leaderboard/?metric=pass&k=5", "problems/lemma_0000/"):
        words = words_of(client, f"/b/toy/{page}")
        assert PLURAL.search(words) is None, (page, PLURAL.search(words))
    assert "1 of 1 team" in words_of(client, "/b/toy/leaderboard/")
    assert "the only ranked system" in words_of(client, "/b/toy/leaderboard/")


def test_a_submission_of_one_lemma_is_told_in_the_singular(client, db):
    made = seed(lemmas=1)
    client.force_login(made.owner)
    pages = [f"/submissions/{each.public_id}/" for each in (made.private, made.published, made.running)]
    for page in [
        "/",
        "/status/",
        "/submissions/",
        f"/b/{made.pack.slug}/submit/",
        f"/teams/{made.team.public_id}/",
        *pages,
    ]:
        words = words_of(client, page)
        assert PLURAL.search(words) is None, (page, PLURAL.search(words))
