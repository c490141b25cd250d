"""A team that has nothing but the archive of a benchmark judges at home and gets the verdicts of the portal."""

import io
import json
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from verifier import engine
from verifier.core.errors import PlatformFault
from verifier.packs import load_pack
from verifier.packs.export import team_archive
from verifier.sandbox.bubblewrap import Bubblewrap

PACKS = Path(__file__).parent.parent.parent / "packs"


@pytest.fixture
def home() -> Iterator[Path]:
    # Not below pytest's own folder, which only its owner may enter: the sandbox builds as a user of its own.
    with tempfile.TemporaryDirectory(prefix="selen-home-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def judged(pack: Path, proofs: Path, capsys: pytest.CaptureFixture[str]) -> dict[tuple[str, int], str]:
    call_command("judge", str(pack), str(proofs), "--json", stderr=io.StringIO())
    rows = map(json.loads, capsys.readouterr().out.splitlines())
    return {(row["problem"], row["attempt"]): row["verdict"] for row in rows}


@pytest.mark.integration
@pytest.mark.parametrize(
    ("slug", "sample"),
    [
        pytest.param("minikernel-rocq", "portfolio", marks=pytest.mark.rocq),
        pytest.param("minikernel-isabelle", "simp", marks=pytest.mark.isabelle),
    ],
)
def test_the_archive_alone_gives_the_verdicts_of_the_portal(slug, sample, home, settings, capsys):
    settings.DATA_DIR, settings.PACKS_DIR = home / "var", home / "none"
    host = load_pack(slug, PACKS)
    try:
        engine.toolchain(host, Bubblewrap(settings.SANDBOX_UID))
    except PlatformFault as fault:
        pytest.skip(str(fault))
    with zipfile.ZipFile(io.BytesIO(team_archive(host))) as archive:
        archive.extractall(home)
    sent = PACKS / slug / "samples" / sample
    table = tomllib.loads((sent / "expected.toml").read_text())
    expected = {(name, int(attempt)): said for name, row in table.items() for attempt, said in row.items()}
    assert judged(home / slug, sent / "proofs.jsonl", capsys) == expected

    members = {name for name, _ in host.sets[-1].members}
    truths = [{"problem": p.id, "attempt": 0, "proof": p.ground_truth} for p in host.problems if p.id in members]
    (home / "truths.jsonl").write_text("\n".join(map(json.dumps, truths)))
    assert set(judged(home / slug, home / "truths.jsonl", capsys).values()) == {"proved"}
