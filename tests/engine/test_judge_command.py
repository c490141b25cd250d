"""`manage.py judge` as a team runs it at home: every form of input, what it prints, and how it ends."""

import io
import json
import shutil
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.packs.good_pack import GoodPack
from verifier import engine
from verifier.core.reason import Reason
from verifier.core.result import ConfirmationResult

pytestmark = [pytest.mark.integration, pytest.mark.rocq]
RIGHT = "Proof.\n  destruct n; reflexivity.\nQed.\n"
WRONG = "Lemma up_is_S : forall n, up n = S n.\nProof.\n  intro n.\n  nosuch.\nQed.\n"
CHEAT = "Proof.\n  admit.\nQed.\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a pack and room for its environment, which is built once."""
    home = tmp_path_factory.mktemp("home")
    GoodPack(home)
    return home


@pytest.fixture(autouse=True)
def data(home: Path, settings) -> None:
    settings.DATA_DIR = home / "var"
    settings.PACKS_DIR = home


def judge(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Exit code and standard output."""
    code = 0
    try:
        call_command("judge", *map(str, arguments), stderr=io.StringIO())
    except CommandError as end:
        code = end.returncode
    except SystemExit as end:
        code = int(end.code or 0)
    return code, capsys.readouterr().out


def verdicts(out: str) -> dict[tuple[str, int], str]:
    rows = [json.loads(line) for line in out.splitlines()]
    return {(row["problem"], row["attempt"]): row["verdict"] for row in rows}


def test_a_zip_a_folder_a_jsonl_and_one_file_get_the_same_verdicts(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {("up_is_S", 1): RIGHT, ("up_is_S", 2): WRONG, ("up_up", 1): CHEAT}
    folder = tmp_path / "proofs"
    with zipfile.ZipFile(tmp_path / "proofs.zip", "w") as zipped:
        for (problem, attempt), text in texts.items():
            zipped.writestr(f"{attempt}/{problem}.v", text)
            (folder / str(attempt)).mkdir(parents=True, exist_ok=True)
            (folder / str(attempt) / f"{problem}.v").write_text(text)
    rows = [json.dumps({"problem": key[0], "attempt": key[1], "proof": text}) for key, text in texts.items()]
    (tmp_path / "proofs.jsonl").write_text("\n".join(rows))
    expected = {("up_is_S", 1): "proved", ("up_is_S", 2): "failed", ("up_up", 1): "rejected"}
    for path in (tmp_path / "proofs.zip", folder, tmp_path / "proofs.jsonl"):
        code, out = judge(capsys, "good", path, "--json")
        assert (path.name, code, verdicts(out)) == (path.name, 0, expected)
    code, out = judge(capsys, home / "good", folder / "1" / "up_is_S.v", "--json")
    assert (code, verdicts(out)) == (0, {("up_is_S", 1): "proved"})


def test_an_object_tells_all_of_one_proof_with_its_line_in_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "up_is_S.v").write_text(WRONG)
    code, out = judge(capsys, "good", tmp_path / "up_is_S.v", "--json")
    row = json.loads(out)
    assert code == 0
    assert list(row) == ["problem", "attempt", "verdict", "reason", "class", "message", "line", "wall_ms", "cpu_ms"]
    assert (row["reason"], row["class"], row["line"]) == ("undefined_method", "undefined", 4)
    assert "nosuch was not found" in row["message"]


def test_without_json_every_proof_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "up_is_S.v").write_text(CHEAT)
    code, out = judge(capsys, "good", tmp_path / "up_is_S.v")
    assert (code, out) == (0, "up_is_S (attempt 1) rejected: skips the proof, line 2\n")


def test_a_second_look_is_part_of_it_and_may_take_a_verdict_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "up_is_S.v").write_text(RIGHT)
    assert judge(capsys, "good", tmp_path / "up_is_S.v") == (0, "up_is_S (attempt 1) proved\n")
    call_command("judge", "good", str(tmp_path / "up_is_S.v"))
    assert "A second look in fresh processes confirmed 1 of 1 proved proofs." in capsys.readouterr().err
    for agreed, reason, code, verdict in (
        (None, None, 0, "proved"),
        (False, Reason.KERNEL_FAULT_GUARD, 0, "rejected"),
        (False, None, 3, "internal"),
    ):
        look = ConfirmationResult("up_is_S", 1, agreed, "looked", reason=reason)
        monkeypatch.setattr(engine, "confirm", lambda *_, look=look: iter([look]))
        found, out = judge(capsys, "good", tmp_path / "up_is_S.v", "--json")
        assert (found, verdicts(out)) == (code, {("up_is_S", 1): verdict})


@pytest.mark.parametrize(
    ("pack", "name", "content"),
    [
        ("good", "absent.zip", None),
        ("good", "broken.zip", b"PK\x03\x04 and nothing more"),
        ("good", "empty.jsonl", b""),
        ("nosuchpack", "up_is_S.v", RIGHT.encode()),
    ],
)
def test_input_that_cannot_be_read_ends_with_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pack: str, name: str, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert judge(capsys, pack, tmp_path / name, "--json") == (2, "")


def test_a_damaged_image_ends_with_three_and_blames_no_proof(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], settings
) -> None:
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "right_step.v").write_text("Proof.\n  intro n.\n  symmetry.\n  apply up_is_S.\nQed.\n")
    assert judge(capsys, "good", tmp_path / "proofs", "--json")[0] == 0
    settings.DATA_DIR = shutil.copytree(home / "var", tmp_path / "var")
    (image,) = (tmp_path / "var" / "environments").glob("*/Count.vo")
    image.write_bytes(image.read_bytes()[:-1] + b"?")
    code, out = judge(capsys, "good", tmp_path / "proofs", "--json")
    row = json.loads(out)
    assert (code, row["verdict"], row["class"]) == (3, "internal", None)


def test_a_host_without_the_prover_ends_with_three(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "up_is_S.v").write_text(RIGHT)
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.delenv("SELEN_ROCQ_HOME", raising=False)
    code, out = judge(capsys, "good", tmp_path / "up_is_S.v", "--json")
    assert (code, out) == (3, "")
