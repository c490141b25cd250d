"""Files of the views beside the board: the numbers of their pages, for every system and category of the view."""

import csv
import io
import json

import pytest
from django.core.cache import cache

from leaderboard.download_views import ANALYSES
from submissions.models import RunSummary
from tests.leaderboard.seed import Method, pack_make, publish
from verifier.core.metrics import solved
from verifier.core.statistics import mcnemar

METHODS = (
    Method("bare", "Lab", (0.5, 0.4, 0.2, 0.3), attempts=(0, 1, 2), model="M"),
    Method("helped", "Lab", (0.8, 0.6, 0.3, 0.5), attempts=(0,), model="M", augmentations=("similar",), missing=4),
)


@pytest.fixture
def lines(client, db):
    cache.clear()
    made = pack_make()
    for day, method in enumerate(METHODS):
        publish(*made, method, day=day)

    def read(name, query=""):
        answer = client.get(f"/b/toy/{name}.csv{query}")
        assert answer.status_code == 200
        assert answer["Content-Disposition"] == f'attachment; filename="toy-v1.{name}.csv"'
        return list(csv.DictReader(io.StringIO(answer.content.decode())))

    return read


def test_failures_hold_the_counts_of_the_summary_for_each_category_and_for_all(lines):
    found = {(line["system"], line["category"]): line for line in lines("failures")}
    assert len(found) == 2 * 5
    for summary in RunSummary.objects.select_related("run__submission__system"):
        for name, part in summary.counts["categories"].items():
            line, outcomes = found[summary.run.submission.system.name, name], part["outcomes"]
            assert int(line["failed"]) == part["total"] - outcomes.get("-", 0)
            assert int(line["undefined"]) == outcomes.get("u", 0)
            assert int(line["missing"]) == outcomes.get("m", 0) <= int(line["other"])
    assert int(found["helped", "all"]["failed"]) == sum(
        int(found["helped", name]["failed"]) for name in ("P1", "P2", "P3", "D")
    )
    assert {line["category"] for line in lines("failures", "?category=P2")} == {"P2"}


def test_times_are_those_of_the_plot_and_every_line_says_what_it_was_taken_from(lines, client):
    figure = json.loads(client.get("/b/toy/plots/times.json").content)
    drawn = {trace["name"]: dict(zip(trace["y"], trace["x"], strict=True)) for trace in figure["data"]}
    first = [line for line in lines("times") if line["system"] == "helped"]
    assert {line["category"]: float(line["median_seconds"]) for line in first} == drawn["median"]
    assert {line["category"]: float(line["p95_seconds"]) for line in first} == drawn["95th percentile"]
    board = json.loads(client.get("/b/toy/leaderboard.json").content)
    for line in lines("times"):
        assert (line["set_digest"], line["address"]) == (board["set_digest"], board["address"])
        assert len(line["environment"]) == 64


def test_the_effect_of_an_augmentation_is_the_paired_test_of_the_two_vectors(lines):
    bare, helped = (solved(one.vectors, 0, 1) for one in RunSummary.objects.order_by("pk"))
    line = next(line for line in lines("augmentations") if line["category"] == "all")
    gained, lost = (sum(a and not b for a, b in zip(x, y, strict=True)) for x, y in ((helped, bare), (bare, helped)))
    assert (int(line["solved"]), int(line["bare_solved"])) == (sum(helped), sum(bare))
    assert (int(line["gained"]), int(line["lost"])) == (gained, lost)
    assert float(line["p"]) == pytest.approx(mcnemar(gained, lost), abs=1e-6)


def test_history_holds_every_run_by_the_score_asked_for_and_originality_what_was_computed(lines):
    assert [line["system"] for line in lines("history")] == ["bare", "helped"]
    assert [(line["system"], line["metric"]) for line in lines("history", "?k=5&category=P1")] == [("bare", "ACC#5")]
    assert lines("originality") == []
    summary = RunSummary.objects.first()
    summary.counts["originality"] = {"": {"proofs": 9, "same": 3, "low": 0.2, "median": 0.4, "high": 0.6}}
    summary.save()
    cache.clear()
    found = {line["category"]: line for line in lines("originality")}
    assert (found["all"]["same"], found["all"]["median"], found["P3"]["proofs"]) == ("3", "0.4", "0")


@pytest.mark.parametrize("name", ANALYSES)
def test_an_empty_board_and_a_wrong_filter_are_answered(client, db, name):
    pack_make()
    assert client.get(f"/b/toy/{name}.csv").content.decode().splitlines()[0].startswith("system,model,")
    wrong = client.get(f"/b/toy/{name}.csv?k=3")
    assert wrong.status_code == 400
    assert "Content-Disposition" not in wrong
