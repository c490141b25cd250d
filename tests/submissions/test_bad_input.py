"""What bad input gets through the form: what is wrong, where, what to do; and nothing of it is stored."""

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.conf import settings as conf
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.models import Draft, Membership, Proof, Run, Submission, System, Team, User
from submissions.services import reading
from tests.intake.zips import Part, build, zip_of
from verifier.models import Environment, Pack
from verifier.packs import load_pack
from verifier.services import pack_sync

PACK = "minikernel-rocq"
GOOD = "Proof.\n  intros m n o H1 H2 k v H; auto.\nQed.\n"


@pytest.fixture
def system(db, bells) -> System:
    pack_sync(pack=load_pack(PACK, conf.PACKS_DIR))
    pack = Pack.objects.get(slug=PACK)
    Environment.objects.create(pack=pack, digest="e" * 64, prover="rocq", version="8.16.1")
    user = User.objects.create_user("owner@example.org")
    team = Team.objects.create(name="Team A")
    Membership.objects.create(team=team, user=user, role="owner")
    return System.objects.create(team=team, name="System A")


@pytest.fixture
def client(system) -> Client:
    client = Client()
    client.force_login(User.objects.get())
    return client


def send(client: Client, data: bytes, name: str = "proofs.zip"):
    """The answer to an upload; a large one is read by the worker's job and its page opened."""
    form = {
        "system": System.objects.get().public_id,
        "problem_set": Pack.objects.get().sets.get(current=True).name,
        "file": SimpleUploadedFile(name, data),
    }
    answer = client.post(reverse("submit", args=[PACK]), form)
    draft = Draft.objects.filter(state=Draft.State.READING).first()
    if draft is not None:
        assert "Reading the archive" in text_of(client.get(answer.url))
        assert reading.draft_read_next()
        answer = client.get(answer.url)
    return answer


def text_of(answer) -> str:
    """What a reader sees of a page's main part, in one line."""
    main = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def stored() -> tuple[int, ...]:
    files = default_storage.listdir("drafts")[1] if default_storage.exists("drafts") else []
    waiting = Draft.objects.exclude(state=Draft.State.REFUSED).count()
    return (len(files), waiting, Submission.objects.count(), Proof.objects.count(), Run.objects.count())


def many_members() -> bytes:
    return build(
        [Part(f"1/lemma_{number}.v") for number in range(100_000)], zip64={}, end={"here": 0xFFFF, "count": 0xFFFF}
    )


REFUSED = {
    "an empty file": (b"", "proofs.zip", "empty", "zip"),
    "an empty zip": (zip_of({}), "proofs.zip", "holds no files", "1/<id>.v"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + b"\0" * 99, "proofs.png", "proofs.png", "zip"),
    "a tar archive named zip": (b"\x1f\x8b\x08" + b"x" * 200, "proofs.zip", "gzip", "zip"),
    "a zip cut short": (zip_of({"1/submap_trans.v": GOOD})[:-30], "proofs.zip", "cut", "again"),
    "a bomb": (
        build([Part("1/submap_trans.v", b"\0" * 130_000_000, method=8)]), "proofs.zip",
        "inflates to more than 100 MB", "in several submissions",
    ),
    "100,000 members": (None, "proofs.zip", "100,000", "20,000"),
    "a path that climbs out": (zip_of({"../submap_trans.v": GOOD}), "proofs.zip", "../submap_trans.v", "folder"),
    "an absolute path": (zip_of({"/etc/submap_trans.v": GOOD}), "proofs.zip", "/etc/submap_trans.v", "folder"),
    "two texts for one attempt": (
        zip_of({"1/submap_trans.v": GOOD, "submap_trans/1.v": GOOD}), "proofs.zip", "submap_trans", "one",
    ),
    "an archive in the archive": (zip_of({"proofs.tar": b"x"}), "proofs.zip", "proofs.tar", "as text alone"),
    "a line that is no JSON": (b'{"problem": "submap_trans"\n', "proofs.jsonl", "line 1", "JSON"),
    "no problem of the benchmark": (zip_of({"1/nobody_knows.v": GOOD}), "proofs.zip", "nobody_knows", "1/<id>.v"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_faulty_upload_is_refused_with_what_where_and_remedy_and_nothing_is_stored(client, case):
    data, name, what, remedy = REFUSED[case]
    before = stored()
    answer = send(client, many_members() if data is None else data, name)
    page = text_of(answer)
    assert answer.status_code == 422
    assert "This upload cannot be taken" in page
    assert what.lower() in page.lower()
    assert remedy.lower() in page.lower()
    assert stored() == before


def test_an_upload_over_the_limit_gets_413_with_both_sizes_and_nothing_is_stored(client):
    before = stored()
    answer = send(client, b"x" * 50_000_001)
    assert answer.status_code == 413
    assert "50 MB are the limit" in text_of(answer)
    assert "leave out logs" in text_of(answer)
    assert stored() == before


def test_unknown_ids_are_named_with_what_was_meant_and_the_rest_can_be_confirmed(client):
    answer = send(client, zip_of({"1/submap_trans.v": GOOD, "1/submap_tranz.v": GOOD, "README.md": "hello"}))
    page = text_of(client.get(answer.url))
    assert "No problem is called submap_tranz" in page
    assert "Did you mean submap_trans" in page
    assert "README.md" in page
    assert "1 proof goes to the prover, 0 count as rejected" in page


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"Proof.\n  auto \xff\xfe.\nQed.\n", "UTF-8"),
        (b"Proof.\n  auto \0.\nQed.\n", "NUL"),
        (b"", "empty"),
        (b"Proof.\n  admit.\nAdmitted.\n", "admit"),
        (b"Proof. " + b"auto. " * 3000 + b"Qed.\n", "2,048"),
    ],
    ids=["not UTF-8", "NUL", "empty", "cheat word", "too many tokens"],
)
def test_a_faulty_proof_will_be_rejected_at_its_place_and_the_others_are_judged(client, text, what):
    answer = send(client, zip_of({"1/submap_trans.v": GOOD, "1/submap_antisym.v": text}))
    page = text_of(client.get(answer.url))
    assert "1/submap_antisym.v" in page
    assert what in page
    assert "1 proof goes to the prover, 1 counts as rejected" in page
    confirmed = client.post(reverse("draft_confirm", args=[Draft.objects.get().public_id]))
    assert confirmed.status_code == 302
    assert Run.objects.get().results.get().verdict == "rejected"


def confirm(client: Client, **values: str):
    draft = Draft.objects.filter(state=Draft.State.OPEN).order_by("-pk").first() or Draft.objects.latest("pk")
    return client.post(reverse("draft_confirm", args=[draft.public_id]), values)


def test_the_same_file_twice_is_said_and_taken_only_on_request(client):
    data = zip_of({"1/submap_trans.v": GOOD})
    send(client, data)
    confirm(client)
    send(client, data)
    answer = confirm(client)
    page = text_of(answer)
    assert answer.status_code == 409
    assert "handed in this very file" in page
    assert Submission.objects.get().public_id in page
    assert Submission.objects.count() == 1
    confirm(client, again="1")
    assert Submission.objects.count() == 2


def test_a_double_click_on_confirm_makes_one_submission_and_leads_to_it_twice(client):
    send(client, zip_of({"1/submap_trans.v": GOOD}))
    first, second = confirm(client), confirm(client)
    assert first.url == second.url
    assert (Submission.objects.count(), Run.objects.count(), Proof.objects.count()) == (1, 1, 1)


def test_a_quota_used_up_says_how_many_and_when_and_keeps_the_draft(client):
    Pack.objects.update(daily_quota=1)
    send(client, zip_of({"1/submap_trans.v": GOOD}))
    confirm(client)
    send(client, zip_of({"1/submap_antisym.v": GOOD}))
    answer = confirm(client)
    assert answer.status_code == 409
    assert re.search(r"\b1\b.*(day|today)", text_of(answer))
    assert Draft.objects.latest("pk").state == Draft.State.OPEN
    assert Submission.objects.count() == 1


def test_a_benchmark_that_closed_takes_no_upload_and_says_when_it_closed(client):
    Pack.objects.update(closes=timezone.now() - timedelta(days=1))
    before = stored()
    answer = send(client, zip_of({"1/submap_trans.v": GOOD}))
    assert "has closed" in text_of(answer)
    assert stored() == before


def test_a_draft_whose_hour_is_over_says_so_and_is_not_counted(client):
    send(client, zip_of({"1/submap_trans.v": GOOD}))
    Draft.objects.update(expires=timezone.now() - timedelta(seconds=1))
    answer = client.get(reverse("draft", args=[Draft.objects.get().public_id]))
    assert answer.status_code == 410
    assert "Upload the same file again" in text_of(answer)
    confirm(client)
    assert Submission.objects.count() == 0


def test_without_an_environment_the_draft_stays_and_the_page_says_who_acts(client):
    send(client, zip_of({"1/submap_trans.v": GOOD}))
    Environment.objects.all().delete()
    answer = confirm(client)
    assert answer.status_code == 409
    assert "Ask the organisers" in text_of(answer)
    assert Draft.objects.get().state == Draft.State.OPEN


def test_a_full_disk_is_said_on_the_form_and_leaves_no_file(client, monkeypatch):
    before = stored()

    def full(name, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(default_storage, "save", full)
    answer = send(client, zip_of({"1/submap_trans.v": GOOD}))
    assert "no room left" in text_of(answer)
    assert "Nothing was kept" in text_of(answer)
    assert stored() == before


def test_json_lines_with_two_texts_for_one_attempt_name_both_lines(client):
    line = json.dumps({"problem": "submap_trans", "attempt": 1, "proof": GOOD})
    answer = send(client, f"{line}\n{line}\n".encode(), "proofs.jsonl")
    assert answer.status_code == 422
    assert re.search(r"proofs\.jsonl, line 2|line 2", text_of(answer))
    assert "line 1" in text_of(answer) or "submap_trans" in text_of(answer)


def test_words_about_the_system_that_no_database_holds_are_left_out_and_the_proofs_kept(client):
    facts = 'system = "a\\u0000b"\n"key\\u0000" = 1\n'
    answer = send(client, zip_of({"1/submap_trans.v": GOOD, "submission.toml": facts}))
    page = text_of(client.get(answer.url))
    assert "U+0000" in page
    assert "1 proof goes to the prover" in page


def test_nul_in_every_field_of_a_line_is_told_and_breaks_nothing(client):
    for line in ({"problem": "a\0b", "proof": GOOD}, {"problem": "submap_trans", "proof": "a\0"}, {"a\0": "b\0"}):
        answer = send(client, json.dumps(line).encode(), "a\\0b.jsonl")
        assert answer.status_code in {302, 422}
        if answer.status_code == 302:
            client.post(answer.url + "discard/")
