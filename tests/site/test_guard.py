"""What is refused before anything reads it: large bodies without a byte on disk, and NUL wherever it comes in."""

import re
from html import unescape
from io import BytesIO

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from submissions.models import Draft
from tests.seed import Seed, seed


class Watched(BytesIO):
    """A body that tells how much of it was read."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self.left, self.taken = length, 0

    def read(self, size: int = -1) -> bytes:
        size = self.left if size < 0 else min(size, self.left)
        self.left, self.taken = self.left - size, self.taken + size
        return b"x" * size

    def __len__(self) -> int:
        return self.left


@pytest.fixture
def made(db) -> Seed:
    return seed(lemmas=8)


def member(made: Seed) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(made.owner)
    return client


def posted(client: Client, target: str, length: int, **headers: str):
    body = Watched(length)
    kind = "multipart/form-data; boundary=b"
    extra = {"wsgi.input": body, "CONTENT_LENGTH": str(length), "CONTENT_TYPE": kind, **headers}
    return client.generic("POST", target, **extra), body.taken


def words(answer) -> str:
    main = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


@pytest.mark.parametrize("target", ["/accounts/login/", "/", "/teams/new/", "/admin/login/", "/nowhere/"])
@pytest.mark.parametrize("who", ["anonymous", "member"])
def test_a_large_body_is_refused_at_every_address_without_reading_a_byte(made, target, who):
    client = member(made) if who == "member" else Client(enforce_csrf_checks=True)
    answer, taken = posted(client, target, 300_000_000)
    assert (answer.status_code, taken) == (413, 0)
    assert "300.0 MB; 1 MB are the limit here" in words(answer)


def test_the_upload_address_takes_more_from_members_alone(made):
    target = reverse("submit", args=[made.pack.slug])
    answer, taken = posted(Client(enforce_csrf_checks=True), target, 40_000_000)
    assert (answer.status_code, taken) == (413, 0)
    assert "Log in first" in words(answer)
    answer, _ = posted(member(made), target, 40_000_000)
    assert answer.status_code == 403  # not for its size, but for what it lacks: a token


def test_an_upload_far_over_the_limit_names_limit_and_remedy_and_leaves_no_file(made, tmp_path, settings):
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    before = Draft.objects.count()
    answer, _ = posted(member(made), reverse("submit", args=[made.pack.slug]), 90_000_000)
    assert answer.status_code == 413
    page = words(answer)
    assert "90.0 MB; 50 MB are the limit" in page
    assert "leave out logs" in page
    assert list(tmp_path.iterdir()) == []
    assert Draft.objects.count() == before


def test_only_a_post_to_the_upload_address_may_be_large(made):
    answer, taken = posted(member(made), reverse("submit", args=[made.pack.slug]) + "x/", 2_000_000)
    assert (answer.status_code, taken) == (413, 0)
    body = Watched(2_000_000)
    extra = {"wsgi.input": body, "CONTENT_LENGTH": "2000000"}
    assert member(made).generic("PUT", reverse("submit", args=[made.pack.slug]), **extra).status_code == 413
    assert body.taken == 0


def test_a_body_without_a_length_is_not_read(made):
    answer, taken = posted(Client(), "/accounts/login/", 10, HTTP_TRANSFER_ENCODING="chunked")
    assert (answer.status_code, taken) == (411, 0)
    assert "Content-Length" in words(answer)


def test_a_form_of_the_largest_size_stays_in_memory():
    assert settings.MAX_FORM_BYTES <= settings.FILE_UPLOAD_MAX_MEMORY_SIZE
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE <= settings.MAX_FORM_BYTES


def nul_addresses(made: Seed) -> list[str]:
    run, slug = made.private.public_id, made.pack.slug
    return [
        f"/submissions/{run}/?q=%00",
        f"/submissions/{run}/?category=%00",
        f"/submissions/{run}/results.csv?q=%00",
        f"/submissions/{run}/results.json?category=a%00b",
        f"/b/{slug}/problems/a%00b/",
        f"/b/{slug}/problems/?category=%00",
        f"/b/{slug}/leaderboard/?team=%00",
        f"/b/{slug}/submissions/a%00b.bib",
        f"/b/{slug}/systems/a%00b.svg",
        "/environments/abcdefgh%00/",
        "/admin/submissions/team/?q=%00",
        "/static/a%00b",
        "/%00",
    ]


def test_nul_in_an_address_is_a_bad_request_with_a_page_that_says_so(made):
    client = Client()
    client.force_login(made.organiser)
    for target in nul_addresses(made):
        answer = client.get(target)
        assert answer.status_code == 400, target
        assert "U+0000" in words(answer), target


def test_nul_in_a_cookie_is_a_bad_request(made):
    answer = Client(HTTP_COOKIE='sessionid="a\\000b"').get("/teams/")
    assert answer.status_code == 400
    assert "cookie" in words(answer)


def test_nul_in_a_form_is_a_bad_request_and_stores_nothing(made):
    client = Client()
    client.force_login(made.owner)
    for target, form in (
        (reverse("team_new"), {"name": "a\0b"}),
        (reverse("submit", args=[made.pack.slug]), {"system": "a\0b", "problem_set": "v1"}),
        ("/accounts/login/", {"login": "a\0b@example.org", "password": "x"}),
    ):
        answer = client.post(target, form)
        assert answer.status_code == 400, target
        assert "U+0000" in words(answer)


def test_admin_lists_never_break_over_values_that_no_column_holds(made):
    client = Client()
    client.force_login(made.organiser)
    huge = "9" * 21
    for target in (
        f"/admin/submissions/submission/?team={huge}",
        f"/admin/submissions/submission/?system={huge}",
        f"/admin/submissions/submission/?team__in=1,{huge}",
        f"/admin/submissions/submission/?id__exact=-{huge}",
        f"/admin/submissions/run/?submission={huge}",
        f"/admin/submissions/system/?team={huge}",
        "/admin/submissions/submission/?created__year=99999",
        "/admin/submissions/submission/?created__gte=0001-01-01T00:00:00%2B14:00",
    ):
        assert client.get(target).status_code in {200, 302, 400}, target
    answer = client.post(
        "/admin/submissions/submission/", {"action": "judge_again", "_selected_action": huge, "index": "0"}
    )
    assert answer.status_code in {200, 302, 400}
    assert client.get(f"/admin/submissions/submission/?team={made.team.pk}").status_code == 200
