"""Commands that run for long say in one line why they cannot start."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from submissions.management.ready import ready_required

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
