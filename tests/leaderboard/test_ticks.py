"""Axes name few, round values, however little or much there is to show."""

import json
from datetime import date, timedelta

import pytest
from django.core.cache import cache
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.ticks import day_ticks, day_words, linear_ticks, log_ticks
from tests.leaderboard.seed import METHODS, Method, board_make, pack_make, publish


@pytest.mark.parametrize(
    ("highest", "whole", "ticks"),
    [
        (0, False, [0, 2e-10]),
        (0, True, [0, 1]),
        (1, True, [0, 1]),
        (3, True, [0, 1, 2, 3]),
        (37, False, [*range(0, 41, 10)]),
    ],
)
def test_a_linear_axis_begins_at_nothing_and_ends_above_all(highest, whole, ticks):
    assert linear_ticks(highest, whole=whole) == pytest.approx(ticks)


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.02], [0.02, 0.05]),
        ([0.015, 0.17], [0.01, 0.02, 0.05, 0.1, 0.2]),
        ([0.1, 10], [0.1, 0.2, 0.5, 1, 2, 5, 10]),
        ([0.001, 600], [0.001, 0.01, 0.1, 1, 10, 100, 1000]),
    ],
)
def test_a_logarithmic_axis_names_whole_figures_around_all_values(values, ticks):
    assert log_ticks(values) == pytest.approx(ticks)


@given(st.lists(st.floats(0.001, 600), min_size=1, max_size=12))
def test_a_logarithmic_axis_holds_every_value_between_its_first_and_last_tick(values):
    ticks = log_ticks(values)
    assert 2 <= len(ticks) <= 8
    assert ticks[0] <= min(values) * (1 + 1e-9)
    assert ticks[-1] >= max(values) * (1 - 1e-9)


@given(st.dates(date(2020, 1, 1), date(2030, 1, 1)), st.integers(0, 4000))
def test_days_are_named_in_order_inside_their_span_and_five_at_most(first, length):
    last = first + timedelta(days=length)
    ticks = day_ticks(first, last)
    assert 1 <= len(ticks) <= 5
    assert ticks == sorted(set(ticks))
    assert first <= ticks[0]
    assert ticks[-1] <= last
    assert len(ticks) >= 2 or length == 0


def test_the_year_is_written_where_it_is_new():
    days = [date(2026, 11, 1), date(2026, 12, 1), date(2027, 1, 1)]
    assert day_words(days) == ["1 Nov 2026", "1 Dec", "1 Jan 2027"]


@pytest.fixture
def figure(client, db):
    cache.clear()
    return lambda name: json.loads(client.get(f"/b/toy/plots/{name}.json").content)


@pytest.mark.parametrize("name", ["errors", "times", "history"])
def test_a_board_without_runs_has_figures_without_data(figure, name):
    pack_make()
    assert figure(name)["data"] == []


def test_a_single_day_stands_in_the_middle_of_the_axis_and_its_best_goes_on_to_the_edge(figure):
    publish(*pack_make(), METHODS[0])
    made = figure("history")
    axis, (best, runs) = made["layout"]["xaxis"], made["data"]
    assert axis["ticktext"] == ["1 Oct<br>2026"]
    assert axis["range"] == ["2026-09-30T12:00:00", "2026-10-01T12:00:00"]
    assert runs["x"] == ["2026-10-01"]
    assert best["x"] == ["2026-10-01", axis["range"][1]]
    assert best["y"][0] == best["y"][1] == runs["y"][0] <= made["layout"]["yaxis"]["range"][1]


def test_many_days_are_named_by_few_and_long_names_leave_room_for_their_bars(figure):
    made = pack_make()
    for day in range(12):
        publish(*made, Method(f"System {day} " + "x" * 40, f"Lab {day}", (0.5, 0.4, 0.3, 0.2)), day=day)
    assert figure("history")["layout"]["xaxis"]["ticktext"] == ["1 Oct<br>2026", "4 Oct", "7 Oct", "10 Oct"]
    axis = figure("errors")["layout"]["yaxis"]
    assert len(axis["tickvals"]) == len(set(axis["tickvals"])) == 12
    assert all(len(part) <= 24 for words in axis["ticktext"] for part in words.split("<br>"))


def test_a_plot_of_times_names_seconds_and_never_single_figures(figure):
    board_make()
    words = figure("times")["layout"]["xaxis"]["ticktext"]
    assert [float(word.replace(",", "")) for word in words] == sorted(float(word.replace(",", "")) for word in words)
    assert len(words) >= 2
