"""The forms an upload may have (design, section 6), and what is told about what does not fit."""

import json

import pytest

from tests.intake.samples import FakeProver, pack, problem, problem_set
from tests.intake.zips import Part, build, zip_of
from verifier.core.archive_limits import UploadLimits
from verifier.core.finding import Consequence
from verifier.core.reason import Reason
from verifier.intake import Report, examine, examine_path
from verifier.intake.meta import read_facts
from verifier.intake.records import read_records

LIMITS = UploadLimits()


def look(data, name="upload.zip", chosen=None, **values):
    return examine(values.pop("pack", pack()), FakeProver(), chosen, data, name, values.pop("limits", LIMITS))


def slots(report):
    return {(proof.problem, proof.attempt): proof.text for proof in report.proofs}


def of(report, consequence):
    return [finding for finding in report.findings if finding.consequence is consequence]


def jsonl(*records):
    return "".join(json.dumps(record) + "\n" for record in records).encode()


@pytest.mark.parametrize(
    "files",
    [
        {"add_zero.v": "a.", "0/add_zero.v": "g.", "5/add_comm.v": "b."},
        {"add_zero/1.v": "a.", "add_zero/0.v": "g.", "add_comm/5.v": "b."},
        {"run/out/1/add_zero.v": "a.", "run/out/0/add_zero.v": "g.", "run/out/5/add_comm.v": "b."},
        {"README.md": "hi", "p/1/add_zero.v": "a.", "p/0/add_zero.v": "g.", "p/5/add_comm.v": "b."},
        {"7/1/add_zero.v": "a.", "7/0/add_zero.v": "g.", "7/5/add_comm.v": "b."},
    ],
)
def test_files_and_folders_in_every_form_land_on_the_same_attempts(files):
    report = look(zip_of(files))
    assert report.accepted
    assert slots(report) == {("add_zero", 0): "g.", ("add_zero", 1): "a.", ("add_comm", 5): "b."}


def test_attempts_of_one_problem_alone_are_not_taken_for_a_wrapper():
    assert slots(look(zip_of({"add_zero/1.v": "a.", "add_zero/2.v": "b."}))) == {
        ("add_zero", 1): "a.",
        ("add_zero", 2): "b.",
    }


def test_json_lines_alone_and_inside_a_zip_say_the_same():
    lines = jsonl(
        {"problem": "add_zero", "attempt": 0, "proof": "a.", "seconds": 2.5},
        {"problem": "add_comm", "attempt": 1, "proof": "∀."},
    )
    bare, zipped = look(lines, "mine.jsonl"), look(zip_of({"w/proofs.jsonl": lines}))
    assert slots(bare) == slots(zipped) == {("add_zero", 0): "a.", ("add_comm", 1): "∀."}
    assert {proof.problem: proof.seconds for proof in bare.proofs} == {"add_zero": 2.5, "add_comm": None}
    assert bare.members == 2


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (b"{not json}", "not JSON"),
        (b"[1]", "not a JSON object"),
        (b'{"attempt": 1, "proof": "x"}', '"problem"'),
        (b'{"problem": "add_comm", "attempt": 1}', '"proof"'),
        (b'{"problem": "add_comm", "attempt": -1, "proof": "x"}', '"attempt"'),
        (b'{"problem": "add_comm", "attempt": true, "proof": "x"}', '"attempt"'),
        (b'{"problem": "add_comm", "attempt": 1.0, "proof": "x"}', '"attempt"'),
        (b'{"problem": "add_comm", "proof": "x", "seconds": NaN}', "NaN"),
        (b'{"problem": "add_comm", "proof": "x", "seconds": 1e999}', '"seconds"'),
        (b'{"problem": "add_comm", "proof": "x", "proof": "y"}', "twice"),
        (b'{"problem": "add_comm", "fields": {"spec": "x"}}', '"fields"'),
        (b'{"problem": ' + b"[" * 100_000, "not JSON"),
        (b'{"problem": "add_comm", "proof": "x", "attempt": ' + b"9" * 10_000 + b"}", "JSON"),
    ],
)
def test_a_line_that_cannot_be_used_refuses_the_upload_and_names_the_line(line, word):
    good = jsonl({"problem": "add_zero", "attempt": 1, "proof": "a."})
    report = look(good + b"\n" + line + b"\n", "p.jsonl")
    (finding,) = of(report, Consequence.REFUSED)
    assert not report.accepted
    assert (finding.member, finding.line) == ("proofs.jsonl", 3)
    assert word in finding.message
    assert '"problem"' in finding.remedy


def test_a_record_that_is_not_utf8_is_the_fault_of_that_proof_alone():
    lines = b'{"problem": "add_zero", "proof": "\xff"}\n{"problem": "add_comm", "proof": "\\ud800"}\n' + jsonl(
        {"problem": "cap_valid", "proof": "fine."}
    )
    report = look(lines, "p.jsonl")
    assert report.accepted
    assert [proof.reason for proof in report.proofs] == [Reason.NOT_TEXT, Reason.NOT_TEXT, None]


def test_records_are_held_to_the_number_of_members_and_to_the_total():
    lines = jsonl(*({"problem": "add_zero", "attempt": 1, "proof": "x"} for _ in range(30)))
    report = look(lines, "p.jsonl", limits=UploadLimits(members=20))
    assert any("more than 20 records" in finding.message for finding in of(report, Consequence.REFUSED))
    big = jsonl({"problem": "add_zero", "proof": "word " * 100_000}, {"problem": "add_comm", "proof": "a."})
    assert slots(look(zip_of({"proofs.jsonl": big})))["add_comm", 1] == "a."


def test_blank_lines_are_counted_and_cost_nothing():
    data = b"\xef\xbb\xbf\n \t\r\n\n" + b"{}\n" + b"\n" * 2_000_000 + b" {}\n \n"
    assert [found.line for found in read_records("x.jsonl", data, 10)] == [4, 2_000_005]


def test_a_long_line_of_many_values_is_refused_before_it_is_read():
    (found,) = read_records("x.jsonl", b'{"x":[' + b"[]," * 400_000 + b"[]]}", 10)
    assert "commas and brackets" in found.message
    (record,) = read_records("x.jsonl", b'{"problem": "a", "proof": "' + b"auto. " * 400_000 + b'"}', 10)
    assert record.problem == "a"


def test_two_texts_for_one_attempt_refuse_the_upload_even_when_they_agree():
    report = look(zip_of({"1/add_zero.v": "a.", "add_zero.v": "a."}))
    (finding,) = of(report, Consequence.REFUSED)
    assert not report.accepted
    assert finding.member == "add_zero.v"
    assert "1/add_zero.v" in finding.message


def test_an_unknown_id_is_a_warning_with_the_nearest_names():
    report = look(zip_of({"1/add_zero.v": "a.", "1/add_com.v": "b."}))
    (finding,) = of(report, Consequence.IGNORED)
    assert report.accepted
    assert "`add_com`" in finding.message
    assert "`add_comm`" in finding.remedy


def test_an_id_in_other_letters_is_not_guessed_but_offered():
    report = look(zip_of({"1/add_zero.v": "a.", "2/ADD_ZERO.v": "b."}))
    assert "`add_zero`" in of(report, Consequence.IGNORED)[0].remedy
    assert slots(report) == {("add_zero", 1): "a."}


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("1/shown_proof.v", "demonstration"),
        ("1/old_one.v", "withdrawn"),
        ("1/cap_valid.v", "not in this problem set"),
        ("6/add_zero.v", "Attempt 6"),
        ("1/add_comm.thy", "Not a proof file"),
        ("01/add_comm.v", "Not a proof file"),
        ("a/1/add_comm.v", "Not a proof file"),
    ],
)
def test_what_does_not_count_here_is_ignored_with_the_reason(path, word):
    report = look(zip_of({"1/add_zero.v": "a.", path: "b."}), chosen=problem_set("add_zero", "add_comm"))
    (finding,) = of(report, Consequence.IGNORED)
    assert word in finding.message
    assert finding.member == path
    assert slots(report) == {("add_zero", 1): "a."}


def test_nothing_that_matches_is_refused_with_an_example():
    report = look(zip_of({"notes.txt": "hello", "2/nothing_like_it.v": "x"}))
    assert not report.accepted
    assert "none of its 2 files" in of(report, Consequence.REFUSED)[0].message


@pytest.mark.parametrize("name", ["upload.txt", "upload.tar.gz", "p.v"])
def test_other_kinds_of_file_are_refused_with_what_to_upload(name):
    (finding, *_) = look(b"\x1f\x8b\x08 data" if name.endswith("gz") else b"text", name).findings
    assert finding.consequence is Consequence.REFUSED
    assert ".jsonl" in finding.remedy


def test_line_numbers_are_those_of_the_uploaded_file():
    text = "\ufeffLemma add_zero : True.\r\nProof. intros.\r\n  admit.\r\n"
    report = look(zip_of({"1/add_zero.v": text, "1/add_comm.v": "Lemma add_comm : True. admit.", "1/cap_valid.v": "x"}))
    places = {f.problem: (f.line, f.column) for f in of(report, Consequence.REJECTED)}
    assert places == {"add_zero": (3, 3), "add_comm": (1, 24)}
    proof = next(proof for proof in report.proofs if proof.problem == "add_zero")
    assert proof.text == "Proof. intros.\n  admit.\n"
    assert (proof.reason, proof.lines_cut) == (Reason.CHEAT_WORD, 1)


def test_in_json_lines_the_line_is_that_of_the_file_and_the_proofs_own_line_is_told():
    lines = jsonl({"problem": "add_comm", "proof": "a."}, {"problem": "add_zero", "proof": "intros.\nadmit."})
    (finding,) = of(look(lines, "p.jsonl"), Consequence.REJECTED)
    assert finding.line == 2
    assert "Line 2 of the proof" in finding.message


def test_another_statement_is_that_proofs_fault():
    report = look(zip_of({"1/add_zero.v": "Lemma add_zero : False. auto.", "1/add_comm.v": "auto."}))
    assert {proof.problem: proof.reason for proof in report.proofs} == {
        "add_zero": Reason.STATEMENT_CHANGED,
        "add_comm": None,
    }


def test_a_statement_with_nothing_behind_it_is_empty():
    (proof,) = look(zip_of({"1/add_zero.v": "Lemma add_zero : True.\n"})).proofs
    assert proof.reason is Reason.EMPTY


def test_what_was_taken_off_is_reported_once_each():
    report = look(
        zip_of(
            {
                "w/1/add_zero.v": "\ufeffLemma add_zero : True.\nauto.",
                "w/1/add_comm.v": "a.\r\n",
                "w/.DS_Store": "x",
                "__MACOSX/w/1/._add_zero.v": "x",
            }
        )
    )
    told = " ".join(finding.message for finding in of(report, Consequence.TIDIED))
    assert all(word in told for word in ("wrapper folder", "2 files", "byte order mark", "CRLF", "owned statement"))


def test_missing_pairs_are_counted_per_category_and_listed():
    report = look(zip_of({"0/add_zero.v": "a.", "1/add_zero.v": "a.", "2/add_comm.v": "b."}))
    assert {one.problem: one.attempts for one in report.missing} == {
        "add_zero": (2,),
        "add_comm": (0, 1),
        "cap_valid": (0, 1, 2),
    }
    assert "P1 3, P2 3" in of(report, Consequence.MISSING)[0].message
    assert [(c.category, c.total, dict(c.found)) for c in report.coverage] == [
        ("P1", 2, {0: 1, 1: 1, 2: 1}),
        ("P2", 1, {}),
    ]


def test_submission_toml_is_read_from_the_archive():
    facts = (
        'system = "A"\nmodel = "M"\naugmentations = ["similar"]\nopen_source = true\nlinks = ["https://a.example"]\n'
    )
    report = look(zip_of({"submission.toml": facts, "p/1/add_zero.v": "a."}))
    assert (report.meta.system, report.meta.model, report.meta.open_source) == ("A", "M", True)
    assert of(report, Consequence.IGNORED) == []


@pytest.mark.parametrize(
    ("facts", "line", "word"),
    [
        ('system = "A"\ncolour = "red"\n', 2, "colour"),
        ('augmentations = ["magic"]\n', 1, "augmentations"),
        ('links = ["javascript:alert(1)"]\n', 1, "links"),
        ('system = "A"\nmodel =\n', 2, "not TOML"),
        ("system = 3\n", 1, "system"),
        ('model = "M"\nsystem = "a\\u0000b"\n', 2, "Character 2 (U+0000) cannot be seen"),
        ('description = "a\\nb\\u001b[31m"\n', 1, "U+001B"),
        ('"a\\u0000b" = 1\n', None, "a\\x00b"),
        ("\xff", None, "not UTF-8"),
    ],
)
def test_a_faulty_submission_toml_is_left_out_and_the_proofs_are_kept(facts, line, word):
    data = facts.encode("latin-1")
    report = look(zip_of({"submission.toml": data, "1/add_zero.v": "a."}))
    (finding,) = of(report, Consequence.IGNORED)
    assert report.accepted
    assert report.meta is None
    assert (finding.line, word in finding.message) == (line, True)


def test_a_submission_toml_without_end_is_left_out_unread():
    facts, (found,) = read_facts("submission.toml", b"# long\n" * 10_000)
    assert facts is None
    assert "larger than 64 kB" in found.message


def test_the_report_survives_json_but_for_the_texts():
    archive = zip_of({"1/add_zero.v": "admit.", "0/add_comm.v": "a.", "submission.toml": 'system = "A"\n'})
    report = look(archive)
    stored = json.loads(json.dumps(report.to_json()))
    again = Report.from_json(stored)
    assert again.to_json() == report.to_json()
    assert again.findings == report.findings
    assert [(p.problem, p.attempt, p.reason, p.text) for p in again.proofs] == [
        ("add_zero", 1, Reason.CHEAT_WORD, ""),
        ("add_comm", 0, None, ""),
    ]
    assert all("text" not in proof for proof in stored["proofs"])


def test_findings_come_in_the_order_of_their_consequences():
    report = look(zip_of({"w/1/add_zero.v": "admit.", "w/README": "x", "w/1/add_comm.v": "a.\r\n", "add_zero.v": "a."}))
    order = [list(Consequence).index(finding.consequence) for finding in report.findings]
    assert order == sorted(order)


def test_a_folder_and_a_single_file_on_disk_get_the_same_report(tmp_path):
    (tmp_path / "run" / "1").mkdir(parents=True)
    (tmp_path / "run" / "1" / "add_zero.v").write_text("a.")
    (tmp_path / "run" / "1" / "add_comm.v").write_text("admit.")
    folder = examine_path(pack(), FakeProver(), None, tmp_path / "run", LIMITS)
    zipped = look(zip_of({"1/add_zero.v": "a.", "1/add_comm.v": "admit."}))
    assert slots(folder) == slots(zipped)
    assert folder.findings == zipped.findings
    single = examine_path(pack(), FakeProver(), None, tmp_path / "run" / "1" / "add_zero.v", LIMITS)
    assert slots(single) == {("add_zero", 1): "a."}


def test_links_in_a_folder_are_refused_and_not_followed(tmp_path):
    (tmp_path / "secret.v").write_text("a.")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "add_zero.v").symlink_to(tmp_path / "secret.v")
    (tmp_path / "run" / "more").symlink_to(tmp_path)
    report = examine_path(pack(), FakeProver(), None, tmp_path / "run", LIMITS)
    assert not report.accepted
    assert report.proofs == ()
    assert {finding.member for finding in of(report, Consequence.REFUSED)} >= {"add_zero.v", "more"}


def test_a_text_with_nul_is_kept_in_a_form_that_every_database_takes():
    (proof,) = look(zip_of({"1/add_zero.v": "a\0b"})).proofs
    assert proof.text == "a␀b"
    assert proof.reason is Reason.BAD_CHARACTER


def test_thousands_of_unknown_names_are_answered_without_searching_for_each():
    many = pack([problem(f"lemma_number_{number}") for number in range(400)])
    parts = [Part("1/lemma_number_1.v"), *(Part(f"1/lemma_number_x{n}.v", b"x", method=0) for n in range(5000))]
    report = look(build(parts), pack=many)
    assert report.accepted
    assert len(of(report, Consequence.IGNORED)) == 5000


@pytest.mark.parametrize("name", ["zip of proofs", "zip of records", "records"])
def test_progress_grows_by_bytes_up_to_all_of_them_in_every_form(name):
    lines = jsonl(*({"problem": f"p{number}", "proof": "x" * 100} for number in range(50)))
    uploads = {
        "zip of proofs": (zip_of({"1/add_zero.v": "a." * 50, "1/add_comm.v": "b." * 150, "README.md": "c"}), "u.zip"),
        "zip of records": (zip_of({"proofs.jsonl": lines}), "u.zip"),
        "records": (lines, "u.jsonl"),
    }
    data, file_name = uploads[name]
    seen: list[tuple[int, int]] = []
    examine(pack(), FakeProver(), None, data, file_name, LIMITS, lambda read, total: seen.append((read, total)))
    read = [done for done, _ in seen]
    assert read == sorted(read)
    assert len(set(read)) >= 3
    assert seen[-1] == (401, 401) if name == "zip of proofs" else seen[-1] == (len(lines), len(lines))


def test_fields_are_refused_in_words_that_say_what_to_write_instead():
    lines = b'{"problem": "add_comm", "attempt": 1, "fields": {"spec": "x", "impl": "y"}}\n'
    (finding,) = of(look(lines, "p.jsonl"), Consequence.REFUSED)
    assert finding.message == 'The line gives "fields"; a proof of this benchmark is one text, given as "proof".'
    assert '"proof": "' in finding.remedy
