"""Tables show one line of a message: the first sentence, wherever the prover broke its lines."""

import pytest

from verifier.core.said import first_sentence


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "Error: The reference meet_monotone_iff was not found in the current\nenvironment.",
            "The reference meet_monotone_iff was not found in the current environment.",
        ),
        (
            'Error:\nIn environment\nK, A : Type\nm : forall x,\n  store x\nUnable to unify "a" with\n "b".\nMore.',
            'Unable to unify "a" with "b".',
        ),
        ("Failed to finish proof:\ngoal (1 subgoal):\n 1. A", "Failed to finish proof:"),
        ("Type unification failed\n\nType error in application", "Type unification failed"),
        ("In environment", "In environment"),
        ("", ""),
        ("a\x00b.", "a\ufffdb."),
        ("x" * 400, "x" * 300),
    ],
)
def test_a_message_is_told_by_its_first_sentence_however_the_prover_broke_its_lines(message, said):
    assert first_sentence(message) == said
