"""What `extract --out` writes is a pack that loads, and the same sources give the same bytes."""

import io
import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import call_command
from isar_tools.project.root import parse_root

from verifier.core import isar
from verifier.core.errors import InputFault
from verifier.core.problem import Split
from verifier.core.process import Outcome
from verifier.core.result import ProofTask
from verifier.extract.choice import chosen, shares
from verifier.extract.facts import Rules
from verifier.extract.isabelle import extract_pack
from verifier.extract.pack import write
from verifier.packs import load_pack
from verifier.packs.export import team_archive
from verifier.provers.isabelle import audit, isolation, theories

PROJECT = Path(__file__).parents[1] / "corpora" / "isabelle-project"


def _sources(folder: Path) -> Path:
    """Two sessions in folders of their own; the second takes a theory and a command from the first."""
    (folder / "ROOTS").write_text("base\nupper\n")
    for name in ("base", "upper", "upper/deep"):
        (folder / name).mkdir()
    (folder / "base" / "ROOT").write_text("session Base = HOL +\n  theories Words\n")
    (folder / "upper" / "ROOT").write_text(
        "session Upper = HOL +\n  sessions Base\n  directories deep\n  theories Facts\n  document_files root.tex\n"
    )
    (folder / "base" / "Words.thy").write_text(
        'theory Words imports Main keywords "crunch" :: thy_decl begin\nML_file "words.ML"\n'
        'lemma base_fact: "True"\n  by simp\nend\n'
    )
    (folder / "base" / "words.ML").write_text("val words = 1;\n")
    twice = "".join(f'locale L{n} begin\nlemma both: "True"\n  by simp\nend\n' for n in (1, 2))
    (folder / "upper" / "Facts.thy").write_text(
        "(* SPDX-License-Identifier: BSD-2-Clause *)\n"
        'theory Facts imports "deep/Inner" begin\nlemma first [simp]: "True"\n  by simp\ncrunch f for g: h\n'
        f'{twice}lemma "True"\n  by simp\nlemma First: "True"\n  by simp\nend\n'
    )
    (folder / "upper" / "deep" / "Inner.thy").write_text(
        'theory Inner imports Base.Words begin\nlemma inner: "True"\n  apply simp\n  done\nend\n'
    )
    return folder


def _loaded(tmp_path: Path, rules: Rules = Rules.FULL):
    sources, out = tmp_path / "sources", tmp_path / "packs" / "upper"
    sources.mkdir()
    _, written = extract_pack(_sources(sources), ["Upper"], rules, "ARM")
    write(written, out)
    return load_pack(out, tmp_path), written


def test_the_pack_loads_with_the_sessions_that_the_wanted_one_needs(tmp_path):
    pack, written = _loaded(tmp_path)
    assert pack.units == ("Inner", "Facts")
    assert [session.name.text for session in theories.sessions(pack)] == ["Base", "Upper"]
    assert [(unit.session, unit.path) for unit in theories.units(pack)] == (
        [("Upper", "/build/pack/upper/deep/Inner.thy"), ("Upper", "/build/pack/upper/Facts.thy")]
    )
    assert {path.relative_to(pack.root).as_posix() for path in pack.root.rglob("*") if path.is_file()} == {
        *written.files
    }
    assert "theories/base/words.ML" in written.files
    assert pack.licence == "BSD-2-Clause"


def test_the_architecture_is_a_variable_of_the_pack_only_where_its_sources_name_it(tmp_path):
    pack, _ = _loaded(tmp_path)
    assert pack.variables == {}
    sources = tmp_path / "sources"
    (sources / "base" / "words.ML").write_text('val words = getenv "L4V_ARCH";\n')
    manifest = extract_pack(sources, ["Upper"], Rules.FULL, "RISCV64")[1].files["pack.toml"]
    assert b'variables = { L4V_ARCH = "RISCV64" }' in manifest


def test_a_theory_that_others_import_by_its_name_alone_stays_one(tmp_path):
    sources = tmp_path / "sources"
    sources.mkdir()
    _sources(sources)
    (sources / "base" / "ROOT").write_text("session Base = HOL +\n  theories Words (global)\n")
    inner = sources / "upper" / "deep" / "Inner.thy"
    inner.write_text(inner.read_text().replace("Base.Words", "Words"))
    _, written = extract_pack(sources, ["Upper"], Rules.FULL, "ARM")
    assert "    Words (global)\n" in written.files["theories/ROOT"].decode()
    write(written, tmp_path / "again")
    assert extract_pack(tmp_path / "again" / "theories", ["Upper"], Rules.FULL, "ARM")[1].files == written.files


def test_names_that_differ_in_case_or_block_alone_get_ids_of_their_own(tmp_path):
    pack, written = _loaded(tmp_path)
    assert {problem.id: (problem.lemma, problem.scope) for problem in pack.problems if "#" not in problem.lemma} == {
        "inner": ("inner", ()),
        "Facts-first": ("first", ()),
        "Facts-both": ("both", ("L1",)),
        "Facts-both-2": ("both", ("L2",)),
        "Facts-First-2": ("First", ()),
    }
    assert +written.left_out == Counter()


def test_a_command_that_an_import_declares_ends_the_proof_before_it(tmp_path):
    pack, _ = _loaded(tmp_path)
    assert pack.problem("Facts-first").ground_truth == "by simp"
    assert "Inner" in isolation.isolated(pack, pack.problem("Facts-first"), "by simp")["DEP/Isolated_Facts_0_DEP.thy"]


def test_strict_leaves_blocks_out_and_keeps_facts_without_a_name(tmp_path):
    pack, written = _loaded(tmp_path, Rules.STRICT)
    names = {problem.lemma for problem in pack.problems}
    assert names - {"inner", "first", "First"} == {"lemma#e5b7119f"}
    assert len(names) == 4
    assert +written.left_out == Counter()


def test_demonstrations_are_five_of_a_category_or_half_of_a_small_one(tmp_path):
    pack, _ = _loaded(tmp_path)
    given = Counter(problem.category for problem in pack.problems if problem.split is Split.DEMONSTRATION)
    assert given == {"P1": 2}
    assert len(pack.sets[0].members) == len(pack.problems) - 2


def test_the_same_sources_give_the_same_bytes():
    first, second = (extract_pack(PROJECT, [], Rules.FULL, "ARM")[1] for _ in range(2))
    assert first.files == second.files
    assert list(first.files) == list(second.files)


def test_a_folder_that_holds_something_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("kept")
    with pytest.raises(InputFault, match="already"):
        write(extract_pack(PROJECT, [], Rules.FULL, "ARM")[1], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_the_command_writes_and_counts(tmp_path, capsys):
    out = tmp_path / "small"
    call_command("extract", "isabelle", "--sources", str(PROJECT), "--rules", "full", "--out", str(out), "--json")
    assert json.loads(capsys.readouterr().out)["total"]["kept"] == 16
    assert load_pack(out, tmp_path).problem("in_locale") is not None


def test_teams_get_all_that_the_environment_is_built_from_and_no_proof_that_counts(tmp_path):
    pack, written = _loaded(tmp_path)
    with zipfile.ZipFile(io.BytesIO(team_archive(pack))) as archive:
        archive.extractall(tmp_path / "team")
    handed = load_pack(tmp_path / "team" / "upper", tmp_path)
    assert handed.for_teams
    assert [session.name.text for session in theories.sessions(handed)] == ["Base", "Upper"]
    targets = [
        [(unit.session, unit.path, [target.problem for target in unit.targets]) for unit in theories.units(one)]
        for one in (handed, pack)
    ]
    assert targets[0] == targets[1]
    given = {path for path in written.files if path.startswith("theories/")}
    assert {path for path in given if not (handed.root / path).is_file()} == set()
    assert (handed.root / "theories/base/words.ML").read_bytes() == written.files["theories/base/words.ML"]
    kept = [problem for problem in pack.problems if problem.split is Split.EVALUATION]
    assert kept
    for unit in pack.units:
        text = (handed.root / pack.source(unit, ".thy").relative_to(pack.root)).read_text()
        assert text.count("The host keeps this proof") == sum(problem.unit == unit for problem in kept)


def test_shares_are_in_proportion_and_whole():
    assert shares({"P1": 60, "P2": 30, "D": 10}, 10) == {"P1": 6, "P2": 3, "D": 1}
    assert sum(shares({"P1": 61, "P2": 29, "D": 9}, 25).values()) == 25
    assert shares({"P1": 1, "D": 1}, 9) == {"P1": 1, "D": 1}


def test_what_a_seed_draws_depends_on_nothing_but_the_names_and_the_seed():
    assert chosen(["a", "b", "c", "d"], 2, 7) == chosen(["d", "c", "b", "a"], 2, 7)
    assert len({tuple(chosen("abcdefgh", 8, seed)) for seed in range(5)}) == 5


def test_commands_of_the_distributions_own_imports_end_proofs_too():
    text = 'theory T imports "HOL-Eisbach.Eisbach" begin\nlemma a: "True"\n  by simp\nmethod m = simp\nend\n'
    assert isar.stated(text, isar.declared([text]))[0].proof.strip() == "by simp"


def test_the_independent_look_builds_the_sessions_in_their_folders_and_its_own_on_top(tmp_path):
    pack, _ = _loaded(tmp_path)
    seen = {}

    def run(command):
        for there, inside in command.readonly.items():
            if inside == "/build/audit" and not seen:  # the second build is of the host's own proofs
                seen.update({path.relative_to(there): path.read_text() for path in Path(there).rglob("*.*")})
                seen["ROOT"] = (Path(there) / "ROOT").read_text()
        return Outcome(1, None, None, b"*** no", b"", 0, 0, 0)

    tools = {"home": str(tmp_path), "inside": "/isabelle", "root": ""}
    workspace = tmp_path / "work"
    (found,) = audit.audit(pack, [ProofTask("inner", 1, "by (rule TrueI)")], [], tools, workspace, run)
    assert found.agreed is None
    assert 'lemma inner: "True"\n  by (rule TrueI)' in seen[Path("upper/deep/Inner.thy")]
    assert Path("base/words.ML") in seen
    assert 'session "Selen_Audit" in "Selen_Audit" = "Upper"' in seen["ROOT"]
    assert [session.name.text for session in parse_root(seen["ROOT"]).sessions] == ["Base", "Upper", "Selen_Audit"]
    assert 'imports "Upper.Inner" "Upper.Facts"' in seen[Path("Selen_Audit/Selen_Audit.thy")]
