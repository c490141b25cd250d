"""The reader against hostile bytes: it answers with findings, keeps its budget, and takes what common tools write."""

import io
import shutil
import subprocess
import zipfile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.intake.archive_cases import CASES
from tests.intake.zips import Part, build
from verifier.core.archive import open_archive
from verifier.core.archive_limits import UploadLimits

LIMITS = UploadLimits(inflated_bytes=100_000, members=50, ratio_from=50_000)
SEEDS = sorted(CASES)


def read(data, limits=LIMITS):
    archive = open_archive(data, limits)
    members = list(archive.members())
    assert archive.inflated <= limits.inflated_bytes + 1
    assert sum(len(member.data) for member in members) <= limits.inflated_bytes
    return archive, {member.name: member.data for member in members}


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), min_size=1, max_size=8))
def test_any_bytes_changed_anywhere_give_findings_or_members_and_never_an_exception(case, changes):
    data = bytearray(CASES[case]()[:4000])
    for place, value in changes:
        if data:
            data[-1 - place % len(data)] = value
    read(bytes(data))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
@example(b"PK\x05\x06" + b"\0" * 18)
@example(b"PK\x06\x07" + b"\xff" * 16 + b"PK\x05\x06" + b"\xff" * 16 + b"\0\0")
def test_noise_is_never_an_exception(data):
    read(b"PK\x03\x04" + data)
    read(data)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=4000), max_size=12), st.booleans())
def test_what_the_standard_library_writes_is_read_back_or_over_budget(contents, stored):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as archive:
        for number, data in enumerate(contents):
            archive.writestr(f"{number}/proof.v", b"Proof. " + data)
    archive, members = read(buffer.getvalue())
    assert archive.findings == []
    assert members == {f"{number}/proof.v": b"Proof. " + data for number, data in enumerate(contents)}


class Pipe(io.BytesIO):
    """A stream that cannot seek, as a writer to a socket sees it."""

    def seekable(self):
        return False

    def seek(self, *args):
        raise OSError

    def tell(self):
        raise OSError


def test_archives_written_to_a_stream_are_read():
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1/a.v", "auto.")
        with archive.open("1/b.v", "w", force_zip64=True) as file:
            file.write(b"auto.")
    found, members = read(pipe.getvalue())
    assert found.findings == []
    assert members == {"1/a.v": b"auto.", "1/b.v": b"auto."}


@pytest.mark.skipif(shutil.which("zip") is None, reason="no zip tool on this machine")
@pytest.mark.parametrize("streamed", [False, True])
def test_archives_of_info_zip_are_read(tmp_path, streamed):
    (tmp_path / "1").mkdir()
    (tmp_path / "1" / "a.v").write_text("auto.\n" * 50)
    (tmp_path / "1" / "b.v").write_text("x")
    target = "-" if streamed else "out.zip"
    done = subprocess.run(["zip", "-q", "-r", target, "1"], cwd=tmp_path, capture_output=True, check=True)
    data = done.stdout if streamed else (tmp_path / "out.zip").read_bytes()
    found, members = read(data)
    assert found.findings == []
    assert members == {"1/a.v": b"auto.\n" * 50, "1/b.v": b"x"}


def test_all_faults_are_told_at_once_each_with_its_member():
    data = build([Part("../a.v"), Part("b.v", mode=0o120777), Part("c\\d.v"), Part("e.zip"), Part("f.v", method=12)])
    archive, members = read(data)
    assert [finding.member for finding in archive.findings] == ["../a.v", "b.v", "c\\d.v", "e.zip", "f.v"]
    assert members == {}


def test_a_member_that_inflates_beyond_its_stated_size_is_cut_at_that_size():
    lie = {"size": 10}
    archive, members = read(build([Part("a.v", b"x" * 90_000, local=lie, central=lie)]))
    assert members == {}
    assert archive.inflated <= 11


def test_hostile_names_are_escaped_in_findings():
    archive, _ = read(build([Part("a\x1b[31m\u202e.v")]))
    assert "\x1b" not in archive.findings[0].member
    assert "\u202e" not in archive.findings[0].member
