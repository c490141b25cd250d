"""Every way in which a pack can be wrong is a folder: files laid over the good pack, and the findings they give."""

import shutil
import tomllib
from pathlib import Path

import pytest

from tests.packs.good_pack import CORPUS
from verifier.core.errors import InputFault
from verifier.core.finding import Consequence
from verifier.packs import load_pack

CASES = sorted(path.parent for path in CORPUS.glob("*/expected.toml"))


def lay(case: Path, root: Path) -> Path:
    """The good pack with the files of a case laid over it."""
    shutil.copytree(CORPUS / "good", root)
    shutil.copytree(case / "pack", root, dirs_exist_ok=True)
    for name in tomllib.loads((case / "expected.toml").read_text()).get("removed", []):
        (root / name).unlink()
    return root


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_broken_pack_gives_exactly_the_expected_findings_with_file_line_and_remedy(case, tmp_path):
    expected = tomllib.loads((case / "expected.toml").read_text())["finding"]
    with pytest.raises(InputFault) as caught:
        load_pack(lay(case, tmp_path / "pack"), tmp_path)
    findings = list(caught.value.findings)
    told = [f"{f.member}:{f.line} {f.message} | {f.remedy}" for f in findings]
    for want in expected:
        matches = [
            f
            for f in findings
            if (f.member == want["file"] or not want["file"])
            and f.line == want.get("line")
            and want["message"] in f.message
            and want["remedy"] in f.remedy
        ]
        assert len(matches) == 1, f"{want} is not among\n" + "\n".join(told)
        findings.remove(matches[0])
    assert not findings, "beyond what is expected:\n" + "\n".join(f"{f.member}:{f.line} {f.message}" for f in findings)
    assert all(f.consequence is Consequence.REFUSED and f.remedy for f in caught.value.findings)
