"""What is kept of an environment that a host has, and what its page says of when and how long it was built."""

from pathlib import Path

import pytest
from django.test import Client

from tests.packs.good_pack import GoodPack
from verifier.models import Image, Pack
from verifier.provers.base import BuiltEnvironment
from verifier.services import environment_record, pack_sync

pytestmark = pytest.mark.django_db

DIGEST = "e" * 64


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    pack_sync(pack=GoodPack(tmp_path).load())
    return Pack.objects.get(slug="good")


def recorded(pack: Pack, log: str = "", seconds: float = 0.0) -> str:
    """The environment's page after a host noted what it has."""
    built = BuiltEnvironment(DIGEST, "good", "rocq", "8.16.1", Path("unused"), {"prover": "rocq"}, {})
    environment_record(pack=pack, built=built, host="one", log=log, seconds=seconds)
    return Client().get(f"/environments/{DIGEST}/").content.decode()


def test_a_copy_that_was_found_ready_is_said_to_be_and_not_built_in_no_time(pack: Pack) -> None:
    page = recorded(pack)
    assert "Found ready" in page
    assert "0.0" not in page


def test_what_was_built_anew_has_the_time_and_the_log_of_the_last_build(pack: Pack) -> None:
    recorded(pack, "compiled", 12.3)
    first = Image.objects.get().built
    page = recorded(pack, "compiled again", 45.6)
    again = Image.objects.get()
    assert again.built > first
    assert "in 45.6" in page
    assert "compiled again" in page


def test_one_that_is_found_ready_later_keeps_time_and_log_of_its_build(pack: Pack) -> None:
    recorded(pack, "compiled", 12.3)
    page = recorded(pack)
    assert "in 12.3" in page
    assert "Found ready" not in page
