"""How all tests run: no generated example fails for the time it took, and no test reads what another one made."""

import os

import pytest
from django.conf import settings as site
from django.core.cache import cache
from hypothesis import HealthCheck, settings

from leaderboard import cache as board_cache

settings.register_profile("no_clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no_clock")

if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    site.DATA_DIR = site.DATA_DIR / f"tests-{worker}"
    site.MEDIA_ROOT = site.DATA_DIR / "media"
    site.CACHES["default"]["LOCATION"] = site.DATA_DIR / "cache"


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()
    board_cache._asked.clear()
