"""Production mode refuses what would be unsafe and says which."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from selen_site import production


@pytest.fixture
def safe(settings, monkeypatch):
    settings.PRODUCTION, settings.DEBUG, settings.SECRET_KEY = True, False, "x" * 50
    monkeypatch.setattr(production, "sandbox_fault", lambda uid: None)
    return settings


def test_starts_with_a_secret_of_its_own_without_debug_and_with_a_sandbox(safe):
    production.refuse_unsafe()


def test_refuses_the_default_secret(safe):
    safe.SECRET_KEY = safe.DEFAULT_SECRET
    with pytest.raises(ImproperlyConfigured, match="SELEN_SECRET_KEY"):
        production.refuse_unsafe()


def test_refuses_debug(safe):
    safe.DEBUG = True
    with pytest.raises(ImproperlyConfigured, match="SELEN_DEBUG"):
        production.refuse_unsafe()


def test_refuses_a_host_without_a_sandbox(safe, monkeypatch):
    monkeypatch.setattr(production, "sandbox_fault", lambda uid: "bubblewrap is not installed.")
    with pytest.raises(ImproperlyConfigured, match="bubblewrap"):
        production.refuse_unsafe()


def test_names_all_reasons_at_once(safe, monkeypatch):
    safe.DEBUG, safe.SECRET_KEY = True, safe.DEFAULT_SECRET
    monkeypatch.setattr(production, "sandbox_fault", lambda uid: "bubblewrap is not installed.")
    assert len(production.production_faults()) == 3


def test_development_mode_refuses_nothing(safe):
    safe.PRODUCTION, safe.DEBUG = False, True
    production.refuse_unsafe()
