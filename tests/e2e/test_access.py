"""Every page, in both schemes, wide and narrow: no violation that axe finds, no sideways scrolling, nothing foreign."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from tests.seed import Seed, seed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

VIEWS = ("history", "failures", "times", "augmentations", "originality", "compare", "atlas")


def addresses(made: Seed) -> dict[str, str]:
    """Every kind of page, by who opens it."""
    problem = made.problems[0].ident
    public = [
        reverse(name)
        for name in ("home", "status", "help", "privacy", "account_login", "account_signup", "account_reset_password",
                     "account_reset_password_done", "account_email_verification_sent", "account_inactive")
    ] + [
        "/nothing-here/",
        reverse("benchmark", args=[made.pack.slug]),
        reverse("board", args=[made.pack.slug]),
        *(reverse(name, args=[made.pack.slug]) for name in VIEWS),
        reverse("problem_list", args=[made.pack.slug]),
        reverse("reported", args=[made.pack.slug]),
        reverse("problem", args=[made.pack.slug, problem]),
        reverse("environment", args=[made.environment.digest]),
        reverse("submission", args=[made.published.public_id]),
        reverse("log", args=[made.published.public_id, problem, 0]),
        reverse("account_confirm_email", args=["nothing"]),
        reverse("account_reset_password_from_key", args=["a", "b-c"]),
    ]  # fmt: skip
    inside = [
        reverse(name) for name in ("account", "teams", "team_new", "submissions", "account_email",
                                   "account_change_password", "account_reauthenticate", "account_logout")
    ] + [
        reverse("team", args=[made.team.public_id]),
        reverse("team_edit", args=[made.team.public_id]),
        reverse("system", args=[made.system.public_id]),
        reverse("system_new", args=[made.team.public_id]),
        reverse("submit", args=[made.pack.slug]),
        reverse("draft", args=[made.draft.public_id]),
        reverse("invitation", args=[made.invitation.token]),
        reverse("submission", args=[made.running.public_id]),
        reverse("submission", args=[made.private.public_id]),
        *(reverse("log", args=[made.private.public_id, p.ident, a]) for p in made.problems[:5] for a in (0, 1)),
    ]  # fmt: skip
    return {**dict.fromkeys(public, ""), **dict.fromkeys(inside, "owner@example.org")}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_no_page_has_an_access_fault_or_scrolls_sideways(width, scheme, open_page):
    made = seed(lemmas=8)
    pages = {email: open_page(width, scheme, email) for email in ("", "owner@example.org")}
    found = {}
    for address, email in addresses(made).items():
        page = pages[email]
        page.goto(address)
        faults = [
            f"{fault['id']}: {fault['nodes'][0]['html'][:120]}" for fault in Axe().run(page).response["violations"]
        ]
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if faults or wide > 0:
            found[address] = (faults, wide)
    assert found == {}
