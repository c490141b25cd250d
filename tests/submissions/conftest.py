"""A small benchmark in the database: what every test of submissions starts from."""

import pytest

from tests.submissions.world import World, world_make


@pytest.fixture
def world(db) -> World:
    return world_make()


@pytest.fixture
def bells(monkeypatch) -> list[str]:
    """Environments that were rung for, or `reader`; no Redis is touched."""
    rung: list[str] = []
    monkeypatch.setattr("submissions.queue.ring", lambda digest: rung.append(digest) or True)
    monkeypatch.setattr("submissions.queue.ring_reader", lambda: rung.append("reader") or True)
    return rung
