"""The packs that ship are of one truth with their theories: `extract` finds their problems and categories."""

from pathlib import Path

import pytest

from verifier.extract.facts import MOST_LINES, Rules
from verifier.extract.isabelle import extract
from verifier.extract.pack import category_of
from verifier.extract.rocq import extract_rocq
from verifier.packs import load_pack
from verifier.packs.theories import SOURCES

PACKS = Path(__file__).parents[2] / "packs"


@pytest.mark.integration  # the Isabelle theories take two seconds to read
@pytest.mark.parametrize("slug", ["minikernel-rocq", "minikernel-isabelle"])
def test_extract_finds_every_problem_where_the_pack_has_it_and_in_the_same_category(slug):
    pack = load_pack(slug, PACKS)
    theories = pack.root / "theories"
    found = extract_rocq(theories, Rules.FULL) if pack.prover == "rocq" else extract(theories, [], Rules.FULL, "ARM")
    kept = {(fact.theory, fact.line) for one in found.sessions for fact in one.kept}
    source = SOURCES[pack.prover]
    stated = {
        (unit, lemma.position): lemma
        for unit in pack.units
        for lemma in source.stated(pack.source(unit, source.extension).read_text(), pack.commands)
    }
    for problem in pack.problems:
        lemma = stated[problem.unit, problem.position]
        assert ((problem.unit, lemma.line) in kept) == (lemma.lines <= MOST_LINES), problem.id
        assert problem.category == (category_of(lemma) or "D"), problem.id
