"""What became of a benchmark's lemmas: the lines of the paper's Table 1, as a page and as JSON."""

import io
import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.management import call_command

from verifier.core.digest import digest_bytes
from verifier.core.problem import Split
from verifier.models import Environment, Pack
from verifier.packs import load_pack
from verifier.services import pack_sync

pytestmark = pytest.mark.django_db
GOOD = Path(__file__).parents[1] / "corpora" / "packs" / "good"
ISABELLE = Path(__file__).parents[1] / "corpora" / "isabelle-project"


@pytest.fixture
def pack(tmp_path, settings):
    cache.clear()
    settings.PACKS_DIR = tmp_path
    shutil.copytree(GOOD, tmp_path / "good")
    loaded = load_pack("good", tmp_path)
    pack_sync(pack=loaded)
    return loaded


def _rows(page: str) -> dict[str, list[str]]:
    """First word of each line of the table, with its numbers."""
    bodies = re.search(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", bodies.group(1), re.DOTALL)
    plain = [re.sub(r"<[^>]+>", " ", row).split() for row in rows]
    return {words[0]: [word for word in words if word.isdigit() or word == "–"] for words in plain}


def _environment(refused) -> Environment:
    row = Pack.objects.get()
    return Environment.objects.create(pack=row, digest="9" * 64, prover="rocq", version="8.16.1", refused=refused)


def test_nothing_is_verified_before_the_environment_is_built(client, pack):
    found = client.get("/b/good/lemmas.json").json()
    assert set(found["lines"]["correctly verified"].values()) == {None}
    assert found["environment"] is None
    assert set(_rows(client.get("/b/good/lemmas/").content.decode())["Correctly"]) == {"–"}


def test_page_and_object_say_the_same_of_every_category(client, pack):
    refused = pack.sets[0].members[0][0]
    environment = _environment({refused: "its own proof is not accepted (goals_left)"})
    found = client.get("/b/good/lemmas.json").json()
    given = sum(problem.split is Split.DEMONSTRATION for problem in pack.problems)
    members = len(pack.sets[0].members)
    assert {line: row["all"] for line, row in found["lines"].items()} == {
        "extracted": len(pack.problems),
        "sampled": members + given,
        "correctly verified": members + given - 1,
        "demonstration": given,
        "evaluation": members,
    }
    assert found["environment"] == environment.digest
    assert found["set_digest"] == pack.sets[0].digest
    page = client.get("/b/good/lemmas/").content.decode()
    shown = {name.lower(): numbers for name, numbers in _rows(page).items()}
    for line, row in found["lines"].items():
        assert shown[line.split()[0]] == [str(number) for number in row.values()]
    assert f"/environments/{environment.digest}/" in page


def test_the_command_gives_the_same_lines_for_the_same_folder(client, pack, capsys):
    call_command("sets", "table", "good", "--json")
    said = json.loads(capsys.readouterr().out)
    answered = client.get("/b/good/lemmas.json").json()
    assert said == {name: answered[name] for name in said}


def test_the_benchmarks_page_leads_there(client, pack):
    assert 'href="/b/good/lemmas/"' in client.get("/b/good/").content.decode()


def _exported(tmp_path: Path, slug: str) -> bytes:
    call_command("packs", "export", slug, "--out", str(tmp_path / "archive.zip"))
    return (tmp_path / "archive.zip").read_bytes()


def test_the_archive_is_that_of_the_command_also_when_the_prover_has_told_more_and_the_title_changed(
    client, tmp_path, settings
):
    cache.clear()
    settings.PACKS_DIR, settings.DATA_DIR = tmp_path / "packs", tmp_path / "var"
    root = tmp_path / "packs" / "counts"
    call_command("extract", "isabelle", "--sources", str(ISABELLE), "--rules", "full", "--out", str(root))
    pack = load_pack("counts", tmp_path / "packs")
    pack_sync(pack=pack)
    by_text = client.get("/b/counts/export.zip")
    assert by_text.content == _exported(tmp_path, "counts")

    use = {"kind": "constant", "name": "HOL.eq", "theory": "HOL.HOL", "at": -1, "says": "eq :: bool"}
    _built(tmp_path / "var" / "environments" / ("8" * 64), pack, {problem.id: [use] for problem in pack.problems})
    by_prover = client.get("/b/counts/export.zip", headers={"If-None-Match": by_text["ETag"]})
    assert by_prover.status_code == 200
    assert by_prover.content == _exported(tmp_path, "counts")
    told = zipfile.ZipFile(io.BytesIO(by_prover.content)).read("counts/problems.jsonl").decode()
    assert told.count('"from":"prover"') == len(pack.problems)
    assert client.get("/b/counts/export.zip", headers={"If-None-Match": by_prover["ETag"]}).status_code == 304

    manifest = root / "pack.toml"
    manifest.write_text(manifest.read_text().replace("title = ", 'title = "Renamed" # ', 1))
    assert client.get("/b/counts/export.zip").content == _exported(tmp_path, "counts") != by_prover.content


def _built(folder: Path, pack, uses) -> None:
    """What an environment of this pack leaves of itself for readers."""
    folder.mkdir(parents=True)
    sources = [path for path in (pack.root / "theories").rglob("*") if path.is_file()]
    recipe = {path.relative_to(pack.root).as_posix(): digest_bytes(path.read_bytes()) for path in sources}
    values = {"digest": folder.name, "pack": pack.slug, "prover": "isabelle", "version": "2024", "recipe": recipe}
    (folder / "uses.json").write_text(json.dumps(uses))
    (folder / "environment.json").write_text(json.dumps({**values, "images": {}, "faults": []}))


def test_a_folder_that_is_not_the_one_shown_is_not_counted(client, pack):
    theory = next((pack.root / "theories").glob("*.v"))
    theory.write_text(theory.read_text() + "\nDefinition more := 0.\n")
    assert client.get("/b/good/lemmas/").status_code == 404
    assert client.get("/b/good/lemmas.json").status_code == 404


def test_new_refusals_are_shown_at_once_and_readers_who_know_them_are_answered_without_a_body(client, pack):
    environment = _environment({})
    first = client.get("/b/good/lemmas.json")
    assert client.get("/b/good/lemmas.json", headers={"If-None-Match": first["ETag"]}).status_code == 304
    before = first.json()["lines"]["correctly verified"]["all"]
    environment.refused = {pack.sets[0].members[0][0]: "why"}
    environment.save()
    again = client.get("/b/good/lemmas.json", headers={"If-None-Match": first["ETag"]})
    assert again.json()["lines"]["correctly verified"]["all"] == before - 1
