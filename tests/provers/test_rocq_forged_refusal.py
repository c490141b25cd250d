"""A submission cannot pass its own words off as a refusal of the sandbox."""

import pytest

from verifier.provers.rocq import commands, toolchain
from verifier.sandbox.bubblewrap import Bubblewrap

pytestmark = [pytest.mark.integration, pytest.mark.rocq]


def test_a_proof_that_prints_as_the_sandbox_would_is_a_failed_compilation():
    source = 'Goal True.\nidtac "bwrap: No permissions". fail.\n'
    command = commands.compile_unit(
        toolchain.candidates()[0],
        {},
        commands.Library("Forged"),
        "Forged",
        source,
        wall_seconds=30,
        memory_bytes=2 * 2**30,
    )
    outcome = Bubblewrap(61902).run(command)
    assert outcome.exit_code == 1
    assert b"bwrap: No permissions" in outcome.stderr
