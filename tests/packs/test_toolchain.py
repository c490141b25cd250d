"""Releases that a pack is meant for."""

import pytest

from verifier.packs.toolchain import suits


@pytest.mark.parametrize(
    ("version", "toolchain", "answer"),
    [
        ("8.16.1", ">=8.16", True),
        ("8.9.1", ">=8.16", False),
        ("8.16.1", "==8.16", True),
        ("8.16.1", "<=8.16", True),
        ("8.16.1", ">8.16", False),
        ("9.1.0", ">=8.16, <9.2", True),
        ("9.2.0", ">=8.16, <9.2", False),
        ("9", ">=8.16.1", True),
        ("8", ">=8.16.1", False),
        ("Isabelle2024", ">=2023", True),
        ("unknown", ">=1", False),
    ],
)
def test_a_release_is_compared_number_by_number(version, toolchain, answer):
    assert suits(version, toolchain) is answer
