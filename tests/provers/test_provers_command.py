"""What `manage.py provers` tells of provers that are here, that are not, and that cannot be asked."""

import json
from dataclasses import dataclass
from io import StringIO

import pytest
from django.core.management import call_command

from verifier.core.errors import PlatformFault
from verifier.management.commands import provers
from verifier.provers.base import KnownFault, Run, ToolchainInfo, Unavailable

FAULT = KnownFault("NEWS of 2", "1", "it errs", "a check", "wait")


@dataclass
class Found:
    name: str
    answer: ToolchainInfo | Unavailable | PlatformFault
    title: str = "Prover"

    def probe(self, run: Run) -> ToolchainInfo | Unavailable:
        if isinstance(self.answer, PlatformFault):
            raise self.answer
        return self.answer


@pytest.fixture(autouse=True)
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        Found("here", ToolchainInfo("Here 2", "2 poly-5", {}, tried=False, faults=(FAULT,))),
        Found("away", Unavailable("Away", "It is nowhere.", "Unpack it.")),
        Found("walled", PlatformFault("No walls can be put up.")),
    ]
    monkeypatch.setattr(provers, "REGISTRY", {row.name: row for row in rows})


def test_each_prover_tells_its_release_or_why_not_and_what_to_do() -> None:
    said = StringIO()
    call_command("provers", "--json", stdout=said)
    here, away, walled = json.loads(said.getvalue())
    assert {"name": "here", "available": True, "version": "2 poly-5", "tried": False}.items() <= here.items()
    assert here["faults"] == ["NEWS of 2"]
    assert {
        "name": "away",
        "available": False,
        "reason": "It is nowhere.",
        "remedy": "Unpack it.",
    }.items() <= away.items()
    assert {"name": "walled", "available": False, "reason": "No walls can be put up."}.items() <= walled.items()


def test_people_are_told_the_same(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    call_command("provers")
    said = capsys.readouterr().out
    assert "not tried with it yet" in said
    assert "It is nowhere. Unpack it." in said
