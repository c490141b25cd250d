"""No excerpt overlaps the source of a proof that the host keeps, wherever blank lines and comments cut the theory.

Every line of every proof holds a mark of its own, so that an excerpt that reaches even one line into it shows it.
"""

import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.core.problem import Pack, Split
from verifier.extract.facts import Rules
from verifier.extract.isabelle import extract_pack
from verifier.extract.pack import write
from verifier.extract.rocq import extract_rocq_pack
from verifier.packs import load_pack
from verifier.packs.export import problem_records, theory_masked

pytestmark = pytest.mark.integration  # a second each
GAPS = st.sampled_from(["\n", "\n\n", "\n\n\n  (* a remark *)\n\n", "\n  (* Lemma no : Qed. *)\n"])
PROOFS = st.lists(st.tuples(st.lists(GAPS, min_size=1, max_size=4), GAPS), min_size=3, max_size=6)
LIGHT = settings(max_examples=20)


def _rocq(proofs, home: Path) -> Pack:
    text = "Definition limit := 7.\n\n"
    for number, (gaps, between) in enumerate(proofs):
        steps = "".join(f"{gap}  idtac. (* mark{number} *)" for gap in gaps)
        text += (
            f"Lemma bound_{number} : limit = 7.{between}Proof.{steps}\n  reflexivity. (* mark{number} *)\nQed.{between}"
        )
    (home / "sources").mkdir()
    (home / "sources" / "Bounds.v").write_text(text)
    return _loaded(extract_rocq_pack(home / "sources", Rules.FULL)[1], home)


def _isabelle(proofs, home: Path) -> Pack:
    text = 'theory Bounds imports Main begin\n\ndefinition "limit = (7::nat)"\n\n'
    for number, (gaps, between) in enumerate(proofs):
        steps = "".join(f"{gap}  apply (* mark{number} *) assumption?" for gap in gaps)
        text += (
            f'lemma bound_{number}: "limit = 7"{between}{steps}\n  by (* mark{number} *) (simp add: limit_def){between}'
        )
    (home / "sources").mkdir()
    (home / "sources" / "ROOT").write_text("session Bounds = HOL +\n  theories Bounds\n")
    (home / "sources" / "Bounds.thy").write_text(f"{text}end\n")
    return _loaded(extract_pack(home / "sources", [], Rules.FULL, "ARM")[1], home)


def _loaded(written, home: Path) -> Pack:
    write(written, home / "bounds")
    return load_pack(home / "bounds", home)


def _nothing_shows(pack: Pack) -> None:
    masked = {unit: theory_masked(pack, unit) for unit in pack.units}
    records = list(problem_records(pack, masked))
    shown = {int(mark) for mark in re.findall(r"mark(\d+)", json.dumps(records) + masked["Bounds"][0])}
    kept = {problem.position for problem in pack.problems if problem.split is Split.EVALUATION}
    assert kept
    assert all(f"mark{position}" in pack.problems[position].ground_truth for position in kept)
    assert not shown & kept
    assert shown <= {problem.position for problem in pack.problems} - kept


@given(PROOFS)
@LIGHT
def test_no_excerpt_of_a_rocq_theory_overlaps_a_kept_proof(proofs):
    with tempfile.TemporaryDirectory() as home:
        _nothing_shows(_rocq(proofs, Path(home)))


@given(PROOFS)
@LIGHT
def test_no_excerpt_of_an_isabelle_theory_overlaps_a_kept_proof(proofs):
    with tempfile.TemporaryDirectory() as home:
        _nothing_shows(_isabelle(proofs, Path(home)))
