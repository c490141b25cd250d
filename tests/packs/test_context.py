"""Context for prompts shows what stands before a lemma and never what the host keeps."""

import io
import json
import re
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from verifier.core.problem import Split, Use
from verifier.core.tokens import count_tokens
from verifier.packs import load_pack
from verifier.packs.export import team_archive
from verifier.packs.surroundings import READERS
from verifier.packs.theories import SOURCES

PACKS = Path(__file__).parents[2] / "packs"
SLUGS = ("minikernel-isabelle", "minikernel-rocq")


def _marked(slug: str, tmp_path: Path):
    """The pack with a mark of its own planted in the middle of every proof."""
    shutil.copytree(PACKS / slug, tmp_path / slug, ignore=shutil.ignore_patterns("samples", "selftest"))
    pack = load_pack(tmp_path / slug, tmp_path)
    source = SOURCES[pack.prover]
    ids = {(problem.unit, problem.position): problem.id for problem in pack.problems}
    for unit in pack.units:
        path = pack.source(unit, source.extension)
        text = path.read_text()
        for lemma in reversed(source.stated(text, {})):
            mark = f"(* MARK={ids.get((unit, lemma.position), 'nobody')}= *)"
            words = re.search(r"\s", text[lemma.proof_start : lemma.proof_end])
            at = lemma.proof_start + (words.start() if words else 0)
            text = f"{text[:at]} {mark}{text[at:]}"
        path.write_text(text)
    return load_pack(tmp_path / slug, tmp_path)


def _members(pack) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(team_archive(pack))) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


@pytest.mark.parametrize("slug", SLUGS)
def test_marks_in_kept_proofs_are_in_no_file_of_an_export(slug, tmp_path):
    pack = _marked(slug, tmp_path)
    given = {problem.id for problem in pack.problems if problem.split is Split.DEMONSTRATION}
    kept = {problem.id for problem in pack.problems} - given
    assert all(f"MARK={one.id}=" in one.ground_truth for one in pack.problems)
    seen = {mark for text in _members(pack).values() for mark in re.findall(r"MARK=([^=]+)=", text)}
    assert not seen & kept
    assert seen >= given


@pytest.mark.parametrize("slug", SLUGS)
def test_similar_excerpts_end_before_the_lemma_and_dependencies_are_no_proofs(slug):
    pack = load_pack(slug, PACKS)
    members = {name.split("/", 1)[1]: text for name, text in _members(pack).items()}
    records = [json.loads(line) for line in members["problems.jsonl"].splitlines()]
    for record in records:
        assert all(one["text"] in record["preamble"] for one in record["similar"])
        assert len(record["similar"]) <= 5
    bare = [one["text"] for record in records for one in record["dependency"]]
    assert bare
    assert not [text for text in bare if re.search(r"^\s*(by|apply|done|qed|Proof|Qed)\b", text, re.MULTILINE)]


def test_a_statement_finds_its_definition_and_sizes_are_tokens():
    pack = load_pack("minikernel-rocq", PACKS)
    lines = next(text for name, text in _members(pack).items() if name.endswith("problems.jsonl")).splitlines()
    record = next(one for one in map(json.loads, lines) if one["id"] == "diminish_le")
    assert [one["name"] for one in record["dependency"]] == ["cap_le", "diminish"]
    assert record["dependency"][0]["text"].startswith("Definition cap_le (c d : cap) : Prop :=")
    assert all(one["tokens"] == count_tokens(one["text"]) > 0 for one in (*record["similar"], *record["dependency"]))
    assert "Definition diminish" in record["similar"][0]["text"]
    assert record["tokens"] == {name: count_tokens(record[name]) for name in ("statement", "preamble")}
    given = next(one for one in map(json.loads, lines) if one["split"] == "demonstration")
    assert given["tokens"]["proof"] == count_tokens(given["proof"]) > 0


def test_names_of_isabelle_definitions_are_read_through_brackets_types_and_quotes():
    text = (
        'theory T imports A "lib/B" S.C begin\n'
        'definition (in loc) one :: nat where "one = 1"\n'
        'abbreviation "two x \\<equiv> x + 1"\n'
        "datatype ('a, 'b) three = Three 'a 'b\n"
        'lemma four [simp]: "P"\n  by simp\n'
        "lemmas five = four\ndeclare four [simp]\n"
        'fun six :: "nat \\<Rightarrow> nat" where "six x = x"\nend\n'
    )
    items = READERS["isabelle"].items(text, {})
    assert [item.name for item in items] == ["one", "two", "three", "four", "five", "six"]
    assert text[items[3].start : items[3].end].rstrip() == 'lemma four [simp]: "P"'
    assert READERS["isabelle"].imports(text) == ["A", "B", "C"]


def test_rocq_imports_and_definitions_are_read_without_comments():
    text = "(* Require Import No. *) From X Require Import A.\nRequire Export B.C D.\nDefinition f := 1.\n"
    assert READERS["rocq"].imports(text) == ["A", "C", "D"]
    assert [item.name for item in READERS["rocq"].items(text, {})] == ["f"]


def _told(kept_facts: bool) -> list[dict[str, str]]:
    """What an archive tells of one problem whose constant and whose proof's facts the prover named."""
    pack = replace(load_pack("minikernel-isabelle", PACKS), proof_dependencies=kept_facts)
    problem = next(one for one in pack.problems if one.split is Split.EVALUATION and one.unit == pack.units[-1])
    before = pack.source(pack.units[0], ".thy").read_text()
    item = READERS["isabelle"].items(before, pack.commands)[0]
    uses = [
        Use("constant", "HOL.eq", "HOL.HOL", -1, "eq :: bool"),
        Use("constant", f"{pack.units[0]}.made", pack.units[0], item.start + 3, "made :: nat"),
        Use("fact", "List.rev_rev_ident", "HOL.List", -1, "rev (rev ?xs) = ?xs"),
    ]
    with zipfile.ZipFile(io.BytesIO(team_archive(pack, {problem.id: uses}))) as archive:
        lines = archive.read("minikernel-isabelle/problems.jsonl").decode().splitlines()
    record = next(one for one in map(json.loads, lines) if one["id"] == problem.id)
    others = {one["from"] for one in map(json.loads, lines) if one["id"] != problem.id}
    assert (record["from"], others) == ("prover", {"text"})
    assert record["dependency"][0]["text"] == before[item.start : item.end].strip()
    return record["dependency"]


def test_what_the_prover_names_is_shown_where_it_is_defined():
    assert len(_told(kept_facts=False)) == 1


def test_facts_of_the_hosts_proofs_are_told_where_the_pack_allows_it():
    found = _told(kept_facts=True)
    assert [(one["theory"], one["name"]) for one in found[1:]] == [("HOL.List", "List.rev_rev_ident")]
    assert found[1]["text"] == "rev (rev ?xs) = ?xs"
