"""Commands that run for long say in one line why they cannot start."""

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection

from submissions import queue
from submissions.management.ready import ready_required
from submissions.selectors.queue import environments_lacking

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("command", ["keeper", "reader", "worker"])
def test_a_database_without_migrations_is_told_with_what_to_do(command):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'submissions'")
    with pytest.raises(CommandError, match=r"lacks [0-9]+ migrations"):
        call_command(command, *(["--slot", "1"] if command == "worker" else []))


def test_a_data_folder_that_is_gone_is_named(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    ready_required()
    settings.DATA_DIR = tmp_path / "gone"
    with pytest.raises(CommandError, match="gone is no folder"):
        ready_required()


@pytest.mark.parametrize(("lacking", "status"), [(True, 503), (False, 500)])
def test_visitors_get_one_page_while_the_database_lacks_migrations(client, monkeypatch, caplog, lacking, status):
    def fail():
        raise OperationalError("no such table: verifier_pack")

    monkeypatch.setattr("submissions.selectors.site.home", fail)
    if lacking:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE app = 'submissions'")
    client.raise_request_exception = False
    page = client.get("/")
    assert page.status_code == status
    assert ("The site is not ready" in page.content.decode()) is lacking
    assert any("manage.py migrate" in record.getMessage() for record in caplog.records) is lacking
    assert page.headers.get("Retry-After") == ("60" if lacking else None)


def test_a_listener_waits_for_redis_and_names_where_it_looked(settings, monkeypatch, caplog):
    settings.REDIS_URL = "redis://me:secret@bell.example:6379/1"
    answers, waited = iter([False, False, True]), []
    monkeypatch.setattr(queue, "bell_answers", lambda: next(answers))
    monkeypatch.setattr(queue.time, "sleep", waited.append)
    queue._bell_awaited()
    assert waited == [queue.RECONNECT_SECONDS] * 2
    (line,) = [record.getMessage() for record in caplog.records]
    assert "redis://bell.example:6379/1" in line
    assert "REDIS_URL" in line
    assert "secret" not in line


def test_a_current_environment_that_is_gone_from_the_host_is_told_with_its_command(world, client):
    slug = world.environment.pack.slug
    assert environments_lacking(built=[world.environment.digest]) == ""
    assert environments_lacking(built=[]).endswith(f"environment of {slug}. Run manage.py packs build with each name.")
    assert f"manage.py packs build {slug}" in client.get("/status/").content.decode()
