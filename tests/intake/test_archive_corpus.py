"""Every archive of the corpus gets the verdict that stands in its folder; a new attack is a new folder and builder."""

import tomllib
from pathlib import Path

import pytest

from tests.intake.archive_cases import CASES
from tests.intake.samples import FakeProver, pack
from verifier.core.archive_limits import UploadLimits
from verifier.core.finding import Consequence
from verifier.core.limits import Limits
from verifier.intake import examine

CORPUS = Path(__file__).parent.parent / "corpora" / "archives"
# Small budgets, so that the bombs of the corpus stay small too.
LIMITS = UploadLimits(upload_bytes=500_000, inflated_bytes=1_000_000, members=200, ratio_from=500_000)
PACK = pack(limits=Limits(proof_bytes=65_536))


def test_every_folder_has_a_builder_and_every_builder_a_folder():
    assert {path.parent.name for path in CORPUS.glob("*/expected.toml")} == set(CASES)


@pytest.mark.parametrize("name", sorted(CASES))
def test_archive_gets_the_expected_answer(name):
    expected = tomllib.loads((CORPUS / name / "expected.toml").read_text())
    report = examine(PACK, FakeProver(), None, CASES[name](), "upload.zip", LIMITS)

    assert report.accepted is expected["accepted"], report.findings
    if expected["accepted"]:
        assert len(report.proofs) == expected["proofs"]
    told = [finding for finding in report.findings if finding.consequence is not Consequence.MISSING]
    if "finding" not in expected:
        assert told == []
        return
    wanted = dict(expected["finding"])
    says = wanted.pop("says")
    assert any(
        says in finding.message and all(getattr(finding, key) == value for key, value in wanted.items())
        for finding in told
    ), told
    assert all(finding.remedy for finding in told)
