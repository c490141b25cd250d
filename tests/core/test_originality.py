"""Likeness of proofs to the host's own, against counting by hand; and that figures tell nothing of a text."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.originality import Likeness, likeness, originality, proof_tokens

tokens = st.lists(st.sampled_from("abcd"), max_size=8)


def test_comments_blanks_and_the_frame_do_not_count():
    assert proof_tokens("Proof.\n  intros x. (* why *) auto.\nQed.", "rocq") == ("intros", "x", ".", "auto", ".")
    assert proof_tokens("intros x.auto .", "rocq") == ("intros", "x.auto", ".")
    assert proof_tokens("apply (simp add: \\<alpha>_def)", "isabelle")[5:7] == ("\\<alpha>", "_def")
    assert proof_tokens("simp -- done\n/- all -/ ring", "lean") == ("simp", "ring")


@given(tokens, tokens)
def test_similarity_is_the_dice_coefficient_of_neighbouring_pairs(first, second):
    def pairs(text):
        framed = ["", *text, ""]
        return [(framed[i], framed[i + 1]) for i in range(len(framed) - 1)]

    left, right, shared = pairs(first), pairs(second), 0
    rest = list(right)
    for pair in left:
        if pair in rest:
            rest.remove(pair)
            shared += 1
    found = likeness("P1", first, second)
    assert found.similarity == pytest.approx(2 * shared / (len(left) + len(right)), abs=1e-12)
    assert found.same == (first == second)
    assert not found.same or found.similarity == 1


@given(st.lists(st.builds(Likeness, st.sampled_from(["P1", "D"]), st.booleans(), st.floats(0, 1)), max_size=20))
def test_quartiles_agree_with_numpy_and_are_withheld_for_fewer_than_three(found):
    figures = originality(found)
    for name, row in figures.items():
        inside = [each for each in found if name in {"", each.category}]
        others = [each.similarity for each in inside if not each.same]
        assert (row["proofs"], row["same"]) == (len(inside), len(inside) - len(others))
        wanted = np.quantile(others, [0.25, 0.5, 0.75]) if len(others) > 2 else [None] * 3
        for value, expected in zip((row["low"], row["median"], row["high"]), wanted, strict=True):
            assert value is None if expected is None else abs(value - expected) <= 0.0005 + 1e-9


def test_figures_hold_numbers_alone():
    truth = proof_tokens("Proof. exact secret_lemma_name. Qed.", "rocq")
    figures = originality([likeness("P1", truth, truth)] * 5)
    assert "secret" not in json.dumps(figures)
    assert figures[""] == {"proofs": 5, "same": 5, "low": None, "median": None, "high": None}
