"""Every public address with every parameter it knows, filled with what strangers write: never a broken page."""

import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from submissions.models import BoardEntry
from tests.leaderboard.seed import board_make
from tests.seed import seed

BOARD = ("category", "k", "metric", "augmentation", "open", "team", "sort", "system", "at", "verified", "page", "other")
TABLE = ("q", "category", "verdict", "reason", "sort", "page")
HOSTILE = (
    "\0", "9" * 25, "-1", "\u0663", "\u202e<script>'\"--", "x" * 3000, "%", "[]",
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "9999-12-31", "0000-01-01",
)  # fmt: skip


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for each in resolver.url_patterns:
        if isinstance(each, URLPattern):
            yield before + str(each.pattern)
        elif each.app_name != "admin":
            yield from routes(each, before + str(each.pattern))


def addresses() -> list[str]:
    """One address of every route, of things that exist."""
    made = seed(lemmas=4)
    board_make()
    entry = BoardEntry.objects.filter(problem_set__pack__slug="toy").first()
    run = entry.run.submission.public_id
    known = {
        "slug": "toy", "ident": "lemma_0000", "submission": run, "system": entry.system.public_id,
        "digest": entry.run.environment.digest[:12], "team_id": made.team.public_id, "token": made.invitation.token,
        "system_id": made.system.public_id, "draft_id": made.draft.public_id, "user_id": made.owner.public_id,
        "submission_id": made.private.public_id, "problem": made.problems[0].ident, "number": "1", "attempt": "1",
    }  # fmt: skip
    plain = [route for route in routes(get_resolver()) if "(?P" not in route and "^" not in route]
    return ["/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda match: known[match[1]], route) for route in plain if fits(route)]


def fits(route: str) -> bool:
    return "uidb36" not in route and "<key>" not in route and "<str:key>" not in route


@pytest.mark.integration
@pytest.mark.django_db
def test_no_value_of_any_parameter_breaks_a_page(django_user_model):
    targets = addresses()
    assert len(targets) > 60
    reader = Client(raise_request_exception=False)
    reader.force_login(django_user_model.objects.get(email="host@example.org"))
    broken = []
    for target in targets:
        names = BOARD if target.startswith("/b/") else TABLE
        asked = [{}, *({name: HOSTILE[place % len(HOSTILE)]} for place, name in enumerate(names))]
        for value in HOSTILE:
            asked += [{"at": value}] if names is BOARD else [dict.fromkeys(names, value)]
        for query in asked:
            status = reader.get(target, query).status_code
            if status >= 500:
                broken.append((target, query, status))
            if "\0" in "".join(query.values()):
                assert status == 400, (target, query)
    assert broken == []
    cache.clear()
