"""The packs that ship are of one truth with their theories: `extract` writes them, byte for byte."""

from pathlib import Path

import pytest
from django.core.management import call_command

from verifier.extract.facts import MOST_LINES, Rules
from verifier.extract.isabelle import extract
from verifier.extract.pack import category_of
from verifier.extract.rocq import extract_rocq
from verifier.packs import load_pack
from verifier.packs.theories import SOURCES

PACKS = Path(__file__).parents[2] / "packs"


@pytest.mark.parametrize(
    "slug", ["minikernel-rocq", pytest.param("minikernel-isabelle", marks=pytest.mark.integration)]
)
def test_extract_writes_the_pack_into_an_empty_folder_byte_for_byte(slug, tmp_path, capsys):
    pack, out = PACKS / slug, tmp_path / slug
    kind = slug.rpartition("-")[2]
    call_command("extract", kind, "--sources", str(pack / "theories"), "--like", str(pack), "--out", str(out))
    assert _bytes(out) == _bytes(pack)
    said = capsys.readouterr().out
    assert not [word for word in ("left out", "moved", "before,", "another now") if word in said]


def _bytes(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


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
