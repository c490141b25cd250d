"""A seeded part of `python -m tests.agreement`: all looks at a proof say the same."""

import random

import pytest

from tests.agreement.looks import attacks, compare
from tests.provers.isabelle_pack import SANDBOX_UID
from verifier.provers.base import BuiltEnvironment
from verifier.sandbox.bubblewrap import Bubblewrap

SEED, COUNT = 20261130, 40


@pytest.mark.integration
@pytest.mark.isabelle
def test_warm_verdict_confirmation_and_audit_agree_on_attacks_and_honest_proofs(
    isabelle_environment: BuiltEnvironment,
) -> None:
    pack, tasks = attacks()
    chosen = random.Random(SEED).sample(tasks, COUNT)
    tally = compare(pack, isabelle_environment, chosen, Bubblewrap(SANDBOX_UID), failing=True, audit=True)
    assert tally.differences == []
    assert tally.judged == COUNT
    assert tally.proved == tally.confirmed == tally.audited > 0
