"""People, teams and systems of the demo, made through the same services as everybody's."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from submissions.models import System, Team, User
from submissions.services.systems import system_create
from submissions.services.teams import team_create


class Command(BaseCommand):
    """Add what is missing of `--people FILE`; what is there already stays as it is."""

    help = "Make the demo's accounts, teams and systems from a JSON file."

    def add_arguments(self, parser: CommandParser) -> None:
        """One file, one password for all."""
        parser.add_argument("file", help="JSON list of {email, name, organiser, team, systems}")
        parser.add_argument("--password", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        """Make them one after the other."""
        with open(options["file"], encoding="utf-8") as source:  # noqa: PTH123 (one small file named by the caller)
            people = json.load(source)
        for person in people:
            user = User.objects.filter(email=person["email"]).first() or User.objects.create_user(
                person["email"], options["password"], name=person["name"]
            )
            if person.get("organiser"):
                User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
            if not person.get("team"):
                continue
            team = Team.objects.filter(name=person["team"]).first() or team_create(actor=user, name=person["team"])
            for facts in person.get("systems", []):
                self._system(user, team, dict(facts))

    def _system(self, user: User, team: Team, facts: dict[str, Any]) -> None:
        reference = facts.pop("reference", False)
        system = System.objects.filter(team=team, name=facts["name"]).first() or system_create(
            team=team, actor=user, **facts
        )
        System.objects.filter(pk=system.pk).update(reference=reference)
