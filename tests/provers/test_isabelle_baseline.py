"""A base that holds skipped proofs is told from the few that the distribution itself leaves open."""

from verifier.provers.isabelle.builds import Report

SKIPPED = "Pure.skip_proof@97a53e26c9daeed482a30972f65c113fb2c19a4a"


def test_a_skipped_proof_of_the_base_is_reported_by_name() -> None:
    assert Report({"Lists.dbl_length": (SKIPPED,), "Lists.other": ("SMT.z3@-",)}, {}).skipped == ["Lists.dbl_length"]


def test_equations_of_the_distribution_s_generators_are_let_be() -> None:
    own = ("Quickcheck_Exhaustive.full_exhaustive_int'.simps", "List.full_exhaustive_list.simps")
    assert Report(dict.fromkeys(own, (SKIPPED,)), {}).skipped == []


def test_a_name_does_not_pass_for_a_generator_s() -> None:
    names = ("T.my_full_exhaustive_lemma", "T.exhaustive_list", "T.narrowing", "T.simps")
    assert Report(dict.fromkeys(names, (SKIPPED,)), {}).skipped == sorted(names)
