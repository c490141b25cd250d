"""Who gets what at every address of the site. An address that is not in the table fails the test."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from submissions.models import User
from tests.seed import PASSWORD, Seed, seed

READERS = ("anonymous", "stranger", "member", "owner", "organiser")
LOGIN = 302  # to the log-in page, or, for account pages, away from them

# name -> method, status for each of READERS. A POST goes without fields, so that 302 means "was let in".
PUBLIC = ("GET", 200, 200, 200, 200, 200)
PERSONAL = ("GET", LOGIN, 200, 200, 200, 200)
TEAM = ("GET", 404, 404, 200, 200, 200)
TEAM_FORM = ("GET", LOGIN, 403, 200, 200, 200)
OWNER_FORM = ("GET", LOGIN, 403, 403, 200, 200)
OWNER_POST = ("POST", LOGIN, 403, 403, 302, 302)
DRAFT = ("GET", LOGIN, 404, 200, 200, 404)
GATE = ("GET", 200, 302, 302, 302, 302)

TABLE: dict[str, tuple[Any, ...]] = {
    "home": PUBLIC, "status": PUBLIC, "help": PUBLIC, "privacy": PUBLIC,
    "account": PERSONAL, "teams": PERSONAL, "team_new": PERSONAL, "submissions": PERSONAL, "submit": PERSONAL,
    "team": PUBLIC, "system": PUBLIC,  # this team has published something
    "team_edit": OWNER_FORM, "system_new": TEAM_FORM, "system_edit": TEAM_FORM,
    "invite": OWNER_POST, "member_role": OWNER_POST, "member_remove": OWNER_POST,
    "invitation_withdraw": OWNER_POST,
    "team_leave": ("POST", LOGIN, 404, 302, 302, 404),
    "invitation": ("GET", LOGIN, 200, 403, 403, 403),
    "draft": DRAFT, "draft_report": DRAFT, "draft_progress": DRAFT,
    "draft_confirm": ("POST", LOGIN, 404, 302, 302, 404),
    "draft_discard": ("POST", LOGIN, 404, 302, 302, 404),
    "submission": TEAM, "submission_progress": ("GET", 404, 404, 286, 286, 286), "submission_csv": TEAM,
    "submission_json": TEAM, "submission_archive": TEAM, "log": TEAM, "proof_text": TEAM,
    "submission_cancel": ("POST", LOGIN, 404, 302, 302, 302),
    "submission_publish": ("POST", LOGIN, 404, 403, 302, 302),
    "submission_withdraw": ("POST", LOGIN, 404, 403, 302, 302),
    "benchmark": PUBLIC, "board": PUBLIC, "board_csv": PUBLIC, "board_json": PUBLIC, "plot_errors": PUBLIC,
    "plot_times": PUBLIC, "plot_history": PUBLIC, "atlas_json": PUBLIC, "history": PUBLIC, "failures": PUBLIC,
    "times": PUBLIC, "augmentations": PUBLIC, "originality": PUBLIC, "compare": PUBLIC, "atlas": PUBLIC,
    "failures_csv": PUBLIC, "times_csv": PUBLIC, "originality_csv": PUBLIC, "history_csv": PUBLIC,
    "augmentations_csv": PUBLIC, "problem_list": PUBLIC, "problem": PUBLIC, "environment": PUBLIC,
    "reported": PUBLIC, "board_latex": PUBLIC, "board_bibtex": PUBLIC, "board_feed": PUBLIC,
    "structured_data": PUBLIC, "picture_standings": PUBLIC, "picture_errors": PUBLIC, "picture_times": PUBLIC,
    "picture_history": PUBLIC, "picture_card": PUBLIC,
    "run_bibtex": ("GET", 404, 404, 404, 404, 404), "badge_of_run": ("GET", 404, 404, 404, 404, 404),  # not published
    "badge_of_system": PUBLIC,
    "pack_export": ("GET", 404, 404, 404, 404, 404),  # the sample benchmark has no folder
    "lemmas": ("GET", 404, 404, 404, 404, 404), "lemmas_json": ("GET", 404, 404, 404, 404, 404),  # nor these
    "account_login": GATE, "account_signup": GATE, "account_logout": ("GET", 302, 200, 200, 200, 200),
    "account_inactive": PUBLIC, "account_reset_password": PUBLIC, "account_reset_password_done": PUBLIC,
    "account_reset_password_from_key": PUBLIC, "account_reset_password_from_key_done": PUBLIC,
    "account_email_verification_sent": PUBLIC, "account_confirm_email": PUBLIC,
    "account_email": PERSONAL, "account_change_password": PERSONAL,
    "account_set_password": ("GET", LOGIN, 302, 302, 302, 302), "account_reauthenticate": PERSONAL,
    "account_request_reauthentication_code": PERSONAL,
    "account_confirm_reauthentication_code": ("GET", 302, 302, 302, 302, 302),
    "account_confirm_login_code": ("GET", 302, 302, 302, 302, 302),
}  # fmt: skip


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from patterns(entry)
        else:
            yield entry


def site_names() -> set[str]:
    """Names of every page outside the administration, which brings its own checks."""
    found = set()
    for entry in get_resolver().url_patterns:
        route = str(entry.pattern)
        if isinstance(entry, URLResolver) and route.startswith("admin/"):
            continue
        found |= {p.name or str(p.pattern) for p in (patterns(entry) if isinstance(entry, URLResolver) else [entry])}
    return found


def address(name: str, made: Seed) -> str:
    arguments: dict[str, tuple[Any, ...]] = {
        "invitation": (made.invitation.token,),
        "invitation_withdraw": (made.team.public_id, made.invitation.pk),
        "member_role": (made.team.public_id, made.member.public_id),
        "member_remove": (made.team.public_id, made.member.public_id),
        "system": (made.system.public_id,),
        "system_edit": (made.system.public_id,),
        "log": (made.private.public_id, made.problems[0].ident, 0),
        "proof_text": (made.private.public_id, made.problems[0].ident, 0),
        "problem": (made.pack.slug, made.problems[0].ident),
        "environment": (made.environment.digest,),
        "run_bibtex": (made.pack.slug, made.private.public_id),
        "badge_of_run": (made.pack.slug, made.private.public_id),
        "badge_of_system": (made.pack.slug, made.system.public_id),
        "account_confirm_email": ("nothing",),
        "account_reset_password_from_key": ("a", "b-c"),
    }
    if name in arguments:
        return reverse(name, args=arguments[name])
    if name.startswith("draft"):
        return reverse(name, args=[made.draft.public_id])
    if name.startswith("submission") and name != "submissions":
        return reverse(name, args=[made.private.public_id])
    if name in {"team", "team_edit", "invite", "team_leave", "system_new"}:
        return reverse(name, args=[made.team.public_id])
    if name in {"submit", "benchmark", "board", "board_csv", "board_json", "board_latex", "board_bibtex", "board_feed",
                "history", "failures", "times", "augmentations", "originality", "compare", "atlas", "atlas_json",
                "history_csv", "failures_csv", "times_csv", "augmentations_csv", "originality_csv",
                "problem_list", "pack_export", "lemmas", "lemmas_json", "reported", "structured_data",
                "plot_errors", "plot_times", "plot_history",
                "picture_standings", "picture_errors", "picture_times", "picture_history", "picture_card"}:  # fmt: skip
        return reverse(name, args=[made.pack.slug])
    return reverse(name)


def client_of(reader: str, made: Seed) -> Client:
    people: dict[str, User] = {
        "stranger": made.stranger,
        "member": made.member,
        "owner": made.owner,
        "organiser": made.organiser,
    }
    client = Client(raise_request_exception=False)
    if reader in people:
        assert client.login(email=people[reader].email, password=PASSWORD)
    return client


@pytest.mark.django_db
def test_every_page_stands_in_the_table() -> None:
    assert site_names() == set(TABLE)


@pytest.mark.django_db
@pytest.mark.parametrize("reader", READERS)
def test_reader_gets_what_the_table_says_at_every_address(reader: str, bells: list[str]) -> None:
    made = seed(lemmas=6)
    client = client_of(reader, made)
    wrong = {}
    for name, (method, *expected) in TABLE.items():
        mark = transaction.savepoint()
        target = address(name, made)
        status = (client.post(target) if method == "POST" else client.get(target)).status_code
        transaction.savepoint_rollback(mark)
        if status != expected[READERS.index(reader)]:
            wrong[name] = f"{status} instead of {expected[READERS.index(reader)]}"
    assert not wrong


@pytest.mark.django_db
def test_a_change_needs_post_and_a_token() -> None:
    made = seed(lemmas=6)
    client = Client(enforce_csrf_checks=True)
    client.force_login(made.owner)
    changes = [address(name, made) for name, row in TABLE.items() if row[0] == "POST"]
    assert {client.get(target).status_code for target in changes} == {405}
    assert {client.post(target).status_code for target in changes} == {403}


@pytest.mark.django_db
def test_private_pages_are_kept_by_no_cache() -> None:
    made = seed(lemmas=6)
    client = client_of("owner", made)
    for name in ("draft", "submission", "log", "proof_text", "submission_csv", "team", "account"):
        answer = client.get(address(name, made))
        assert {"private", "no-store"} <= set(answer["Cache-Control"].replace(" ", "").split(",")), name
