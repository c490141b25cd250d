"""A team that has nothing but the archive of a benchmark judges at home and gets the verdicts of the portal."""

import io
import json
import tomllib
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command

from verifier.packs import load_pack
from verifier.packs.export import team_archive

pytestmark = [pytest.mark.integration, pytest.mark.rocq]
PACKS = Path(__file__).parent.parent.parent / "packs"
SAMPLE = PACKS / "minikernel-rocq" / "samples" / "portfolio"


def judged(pack: Path, proofs: Path, capsys: pytest.CaptureFixture[str]) -> dict[tuple[str, int], str]:
    call_command("judge", str(pack), str(proofs), "--json", stderr=io.StringIO())
    rows = map(json.loads, capsys.readouterr().out.splitlines())
    return {(row["problem"], row["attempt"]): row["verdict"] for row in rows}


def test_the_archive_alone_gives_the_verdicts_of_the_portal(tmp_path, settings, capsys):
    settings.DATA_DIR, settings.PACKS_DIR = tmp_path / "var", tmp_path / "none"
    host = load_pack("minikernel-rocq", PACKS)
    with zipfile.ZipFile(io.BytesIO(team_archive(host))) as archive:
        archive.extractall(tmp_path)
    table = tomllib.loads((SAMPLE / "expected.toml").read_text())
    expected = {(name, int(attempt)): said for name, row in table.items() for attempt, said in row.items()}
    assert judged(tmp_path / host.slug, SAMPLE / "proofs.jsonl", capsys) == expected

    members = {name for name, _ in host.sets[-1].members}
    truths = [{"problem": p.id, "attempt": 0, "proof": p.ground_truth} for p in host.problems if p.id in members]
    (tmp_path / "truths.jsonl").write_text("\n".join(map(json.dumps, truths)))
    assert set(judged(tmp_path / host.slug, tmp_path / "truths.jsonl", capsys).values()) == {"proved"}
