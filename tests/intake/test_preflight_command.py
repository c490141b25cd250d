"""`manage.py preflight`: the same report as on the portal, with an exit code that a script can use."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.intake.zips import Part, build, zip_of
from tests.packs.good_pack import GoodPack


@pytest.fixture
def pack(tmp_path):
    return GoodPack(tmp_path)


def run(*args):
    out = StringIO()
    try:
        call_command("preflight", *map(str, args), stdout=out)
    except SystemExit as end:
        return end.code, out.getvalue()
    except CommandError as error:
        return error.returncode, str(error)
    return 0, out.getvalue()


def test_an_accepted_upload_ends_with_0_and_its_report_as_json(pack, tmp_path):
    archive = tmp_path / "mine.zip"
    archive.write_bytes(zip_of({"1/twice_grows.v": "Proof. auto. Qed.\n", "README": "hello"}))
    code, out = run(pack.root, archive, "--json")
    report = json.loads(out)
    assert code == 0
    assert report["accepted"] is True
    assert [proof["problem"] for proof in report["proofs"]] == ["twice_grows"]
    ignored = next(finding for finding in report["findings"] if finding["consequence"] == "ignored")
    assert ignored["member"] == "README"
    assert {"member", "line", "message", "remedy"} <= ignored.keys()


def test_a_refused_upload_ends_with_1_and_says_why(pack, tmp_path):
    archive = tmp_path / "evil.zip"
    archive.write_bytes(build([Part("../twice_grows.v")]))
    code, out = run(pack.root, archive, "--json")
    assert code == 1
    assert json.loads(out)["accepted"] is False
    code, out = run(pack.root, archive)
    assert code == 1
    assert "../twice_grows.v" in out
    assert "points outside" in out


def test_the_page_for_people_marks_the_line_of_a_forbidden_word(pack, tmp_path):
    archive = tmp_path / "mine.zip"
    archive.write_bytes(zip_of({"1/twice_grows.v": "Proof.\nadmit.\nAdmitted.\n"}))
    code, out = run(pack.root, archive)
    assert code == 0
    assert "1/twice_grows.v, line 2" in out
    assert "1 count as rejected" in out


def test_a_folder_and_a_single_file_are_examined_too(pack, tmp_path):
    (tmp_path / "run" / "0").mkdir(parents=True)
    proof = tmp_path / "run" / "0" / "twice_grows.v"
    proof.write_text("Proof. auto. Qed.\n")
    assert run(pack.root, tmp_path / "run")[0] == 0
    assert run(pack.root, proof)[0] == 0


@pytest.mark.parametrize(
    "words", [("{pack}", "{home}/nothing.zip"), ("{home}/nothing", "{home}"), ("nonsense", "{home}")]
)
def test_what_cannot_be_read_ends_with_2_and_one_line(pack, tmp_path, words):
    code, out = run(*(word.format(pack=pack.root, home=tmp_path) for word in words))
    assert code == 2
    assert len(out.strip().splitlines()) == 1


def test_an_unknown_set_ends_with_2_and_names_the_sets(pack, tmp_path):
    code, out = run(pack.root, tmp_path, "--set", "v99")
    assert code == 2
    assert "v1" in out


@pytest.mark.parametrize("command", ["preflight", "judge"])
def test_a_broken_pack_ends_with_2_and_tells_all_its_faults_at_once(pack, tmp_path, command):
    pack.edit("sets/v1.toml", '"up_up@2"', '"up_down@2"')
    pack.edit("sets/v1.toml", '"up_is_S@1"', '"up_was_S@1"')
    with pytest.raises(CommandError) as caught:
        call_command(command, str(pack.root), str(tmp_path))
    told = str(caught.value).splitlines()
    assert caught.value.returncode == 2
    assert len(told) >= 2
    assert any("sets/v1.toml" in line and "up_down" in line for line in told)
    assert any("sets/v1.toml" in line and "up_was_S" in line for line in told)


def test_a_proof_without_its_end_is_warned_of_and_goes_to_the_prover(pack, tmp_path):
    archive = tmp_path / "mine.zip"
    archive.write_bytes(zip_of({"1/twice_grows.v": "Proof.\nauto.\n"}))
    code, out = run(pack.root, archive)
    assert code == 0
    assert "1 unfinished" in out
    assert "1/twice_grows.v, line 2" in out
    assert "1 for the prover, 0 count as rejected" in out
