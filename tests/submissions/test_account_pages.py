"""Account pages speak in the words of the site, say nothing twice, and are all drawn by it."""

import re

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.contrib.auth.password_validation import get_default_password_validators
from django.urls import reverse

from submissions.models import User

PASSWORD = "correct horse battery"
OPEN = ("account_login", "account_signup", "account_reset_password", "account_reset_password_done", "account_inactive")
OPEN += ("account_email_verification_sent", "account_reset_password_from_key_done")
OWN = ("account_email", "account_change_password", "account_logout", "account_reauthenticate")


@pytest.fixture
def user(db):
    made = User.objects.create_user(email="eve@example.org", password=PASSWORD)
    EmailAddress.objects.create(user=made, email=made.email, verified=True, primary=True)
    return made


def page_of(client, name):
    answer = client.get(reverse(name))
    assert answer.status_code == 200, name
    return answer.content.decode()


def checked(page):
    main = page.split("<main")[1].split("</main>")[0]
    labels = re.findall(r'<label[^>]* for="(\w+)"[^>]*>(.*?)</label>', main, re.DOTALL)
    assert 'class="gate-form"' in main
    assert "placeholder" not in main
    assert main.count(reverse("account_reset_password") + '"') <= 1
    assert len({name for name, _ in labels}) == len(labels)
    assert "allauth" not in page.lower()
    return [re.sub(r"<[^>]+>", "", words).strip() for _, words in labels]


@pytest.mark.parametrize("name", OPEN)
def test_pages_for_everybody_are_drawn_by_the_site_and_say_nothing_twice(client, db, name):
    checked(page_of(client, name))


@pytest.mark.parametrize("name", OWN)
def test_pages_of_one_s_own_account_are_too(client, user, name):
    client.force_login(user)
    checked(page_of(client, name))


def test_every_field_has_one_label_in_plain_words(client, db):
    assert checked(page_of(client, "account_login")) == [
        "E-mail address",
        "Password",
        "Stay logged in on this computer",
    ]
    assert checked(page_of(client, "account_signup")) == ["E-mail address", "Password", "Password again"]
    assert checked(page_of(client, "account_reset_password")) == ["E-mail address"]


def test_the_rule_for_passwords_names_the_length_that_is_checked(client, db):
    least = next(each.min_length for each in get_default_password_validators() if hasattr(each, "min_length"))
    assert f"At least {least} characters" in page_of(client, "account_signup")
    answer = client.post(reverse("account_signup"), {"email": "a@example.org", "password1": "x" * (least - 1)})
    assert f"at least {least} characters" in answer.content.decode()


def test_links_in_mails_lead_to_pages_of_the_site_good_or_bad(client, user):
    good = EmailConfirmationHMAC(EmailAddress.objects.create(user=user, email="eve@example.com")).key
    for key, words in ((good, "Confirm your address"), ("MTA:1abc:xyz", "This link has expired")):
        page = client.get(reverse("account_confirm_email", args=[key])).content.decode()
        assert words in page
        checked(page)
    client.post(reverse("account_reset_password"), {"email": user.email})
    bad = client.get(reverse("account_reset_password_from_key", args=["1", "bad"])).content.decode()
    assert "This link cannot be used" in bad
    checked(bad)
