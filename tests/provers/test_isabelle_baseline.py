"""A base that holds skipped proofs is told from the few that the distribution itself leaves open."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.provers.isabelle_pack import SANDBOX_UID, isabelle_pack
from verifier import engine
from verifier.core.errors import PlatformFault
from verifier.provers.isabelle.builds import Report
from verifier.sandbox.bubblewrap import Bubblewrap

SKIPPED = "Pure.skip_proof@97a53e26c9daeed482a30972f65c113fb2c19a4a"


def test_a_skipped_proof_of_the_base_is_reported_by_name() -> None:
    tainted = {"Lists.dbl_length": (SKIPPED,), "Lists.other": ("SMT.z3@-",)}
    assert Report(tainted, {}, {}).skipped == ["Lists.dbl_length"]


def test_equations_of_the_distribution_s_generators_are_let_be() -> None:
    own = ("Quickcheck_Exhaustive.full_exhaustive_int'.simps", "List.full_exhaustive_list.simps")
    assert Report(dict.fromkeys(own, (SKIPPED,)), {}, {}).skipped == []


def test_a_name_does_not_pass_for_a_generator_s() -> None:
    names = ("T.my_full_exhaustive_lemma", "T.exhaustive_list", "T.narrowing", "T.simps")
    assert Report(dict.fromkeys(names, (SKIPPED,)), {}, {}).skipped == sorted(names)


ROOT = """session Base in base = HOL +
  options [quick_and_dirty, document = false]
  theories Holes

session Top = Base +
  options [document = false]
  theories Fine
"""
HOLES = 'theory Holes imports Main begin\nlemma hole: "(x::nat) = y" sorry\nend\n'
FINE = 'theory Fine imports "Base.Holes" begin\nlemma fine: "True" by simp\nend\n'


@pytest.mark.integration
@pytest.mark.isabelle
def test_a_base_that_skips_a_proof_is_refused_with_the_fact_s_name() -> None:
    sandbox = Bubblewrap(SANDBOX_UID)
    with tempfile.TemporaryDirectory(prefix="selen-isabelle-") as name:
        root = Path(name)
        (root / "theories" / "base").mkdir(parents=True)
        (root / "environment").mkdir()
        for path in (root, *root.rglob("*")):
            path.chmod(0o755)
        (root / "theories" / "ROOT").write_text(ROOT)
        (root / "theories" / "base" / "Holes.thy").write_text(HOLES)
        (root / "theories" / "Fine.thy").write_text(FINE)
        small = isabelle_pack()
        fine = replace(small.problems[0], id="fine", unit="Fine", lemma="fine", position=0)
        pack = replace(small, root=root, units=("Fine",), problems=(fine,), digest="2" * 64)
        try:
            found = engine.toolchain(pack, sandbox)
        except PlatformFault as fault:
            pytest.skip(str(fault))
        with pytest.raises(PlatformFault, match=r"proofs were skipped: Holes\.hole"):
            engine.build(pack, found, root / "environment", sandbox, lambda _: None)
