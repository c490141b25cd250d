"""Sizes are written in powers of ten on every page, and ended runs say what they took."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from submissions.models import Run
from submissions.templatetags.marks import lasting, pace, size
from tests.seed import seed

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (412, "412 bytes"),
        (999, "999 bytes"),
        (1_000, "1 kB"),
        (1_536, "1.54 kB"),
        (99_960, "100 kB"),
        (999_400, "999 kB"),
        (999_600, "1 MB"),
        (2**20, "1.05 MB"),
        (50_000_000, "50 MB"),
        (2**31, "2.15 GB"),
        (2**32, "4.29 GB"),
        (12_340_000_000_000, "12,340 GB"),
    ],
)
def test_a_size_has_three_figures_and_a_unit_of_powers_of_ten(number, words):
    assert size(number) == words


def test_no_page_writes_a_size_in_another_way():
    for page in TEMPLATES.rglob("*.html"):
        found = re.search(r"filesizeformat|MiB|GiB|KiB|megabytes|\}\} [kMG]B\b", page.read_text(encoding="utf-8"))
        assert found is None, (page.name, found)


def test_nothing_that_is_told_counts_in_powers_of_two():
    root = TEMPLATES.parent
    sources = [path for room in ("verifier", "submissions", "leaderboard") for path in (root / room).rglob("*.py")]
    assert len(sources) > 150
    assert [path.name for path in sources if re.search(r"\b[KMG]iB\b", path.read_text(encoding="utf-8"))] == []


def test_limits_of_a_benchmark_are_written_in_the_same_unit_on_its_page_and_on_runs(client, db):
    made = seed(lemmas=4)
    limits = {"wall_seconds": 10, "tokens": 2048, "proof_bytes": 2**20, "memory_bytes": 2**31}
    made.pack.manifest = {**made.pack.manifest, "limits": limits}
    made.pack.save()
    Run.objects.update(limits=limits)
    assert "2.15 GB" in client.get(f"/b/{made.pack.slug}/").content.decode()
    assert "2.15 GB" in client.get(f"/submissions/{made.published.public_id}/").content.decode()


@pytest.mark.parametrize(
    ("seconds", "judged", "took", "rate"),
    [
        (42, 21, "42 s", "30"),
        (185, 3, "3 min 5 s", "1.0"),
        (0.2, 5, "0 s", "300"),
        (7800, 1_300_000, "2 h 10 min", "10,000"),
        (60, 0, "1 min 0 s", ""),
    ],
)
def test_an_ended_run_says_how_long_it_took_and_how_many_proofs_a_minute_that_was(seconds, judged, took, rate):
    start = timezone.now()
    for end in ("finished", "cancelled"):
        run = Run(started=start, **{end: start + timedelta(seconds=seconds)})
        assert (lasting(run), pace(run, judged)) == (took, rate)
    assert (lasting(Run(started=start)), pace(Run(started=start), judged)) == ("–", "")


def test_an_ended_run_shows_what_it_took_in_the_places_where_a_moving_one_shows_estimates(client, db):
    made = seed(lemmas=6)
    client.force_login(made.owner)
    titles = {}
    for name, submission in (("moving", made.running), ("ended", made.private)):
        page = client.get(f"/submissions/{submission.public_id}/progress/").content.decode()
        top = page.split('<dl class="run-top">')[1].split("</dl>")[0]
        assert top.count('<div class="stat">') == top.count('class="sub"') == 4, name
        assert [part.count("<dt>") for part in top.split('<div class="stat">')[1:]] == [1] * 4, name
        titles[name] = re.findall(r"<dt>(\w+)</dt>", top)
    assert titles == {"moving": ["Position", "Rate", "Estimate"], "ended": ["Ended", "Rate", "Took"]}
