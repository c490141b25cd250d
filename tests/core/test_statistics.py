"""Intervals, paired tests, tiers and ranks, against statsmodels and against counting by hand."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_oracle
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from verifier.core.statistics import holm, mcnemar, paired, rank_intervals, tiers, wilson

counts = st.integers(1, 500).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total)))
boards = st.integers(1, 30).flatmap(
    lambda size: st.lists(st.lists(st.booleans(), min_size=size, max_size=size), min_size=1, max_size=6)
)


@given(counts)
def test_wilson_agrees_with_statsmodels(pair):
    low, high = proportion_confint(*pair, method="wilson")
    found = wilson(*pair)
    assert found.low == pytest.approx(low, abs=1e-9)
    assert found.high == pytest.approx(high, abs=1e-9)


@given(counts)
def test_wilson_agrees_with_the_roots_it_is_defined_by(pair):
    solved, total = pair
    z, share = 1.959963984540054, solved / total
    for end in (wilson(*pair).low, wilson(*pair).high):
        assert abs((share - end) ** 2 - z * z * end * (1 - end) / total) < 1e-9


@given(counts)
def test_an_interval_contains_its_estimate(pair):
    found = wilson(*pair)
    assert 0 <= found.low <= pair[0] / pair[1] <= found.high <= 1


@pytest.mark.parametrize("pair", [(1, 0), (-1, 5), (6, 5)])
def test_wilson_refuses_counts_that_are_none(pair):
    with pytest.raises(ValueError, match="no interval"):
        wilson(*pair)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_agrees_with_statsmodels_and_is_symmetric(gained, lost):
    oracle = 1.0 if gained + lost == 0 else mcnemar_oracle([[0, gained], [lost, 0]], exact=True).pvalue
    assert mcnemar(gained, lost) == pytest.approx(oracle, abs=1e-9)
    assert mcnemar(gained, lost) == mcnemar(lost, gained)


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_agrees_with_exact_fractions(gained, lost):
    n, least = gained + lost, min(gained, lost)
    tail = sum(Fraction(math.comb(n, i), 2**n) for i in range(least + 1))
    assert mcnemar(gained, lost) == pytest.approx(float(min(Fraction(1), 2 * tail)), abs=1e-9)


def test_paired_counts_what_each_side_proves_alone():
    found = paired([True, True, False, False], [True, False, True, False])
    assert (found.gained, found.lost, found.p) == (1, 1, 1.0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_rejects_what_the_step_down_procedure_rejects(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    kept = next((step for step, i in enumerate(order) if (len(values) - step) * values[i] >= 0.05), len(values))
    assert [p < 0.05 for p in holm(values)] == [i in order[:kept] for i in range(len(values))]


@settings(max_examples=4, deadline=None)  # the oracle collects garbage at each call
@given(st.lists(st.floats(0, 1), min_size=3, max_size=12))
def test_holm_agrees_with_statsmodels(values):
    assert holm(values) == pytest.approx(list(multipletests(values, method="holm")[1]), abs=1e-9)


def test_systems_that_solve_the_same_share_a_tier_and_a_distant_one_opens_the_next():
    strong, weak = [True] * 20 + [False] * 5, [False] * 25
    found = tiers([strong, strong, weak])
    assert [(tier.start, tier.stop) for tier in found] == [(0, 2), (2, 3)]
    assert found[0].opened_by is None
    assert (found[1].opened_by.gained, found[1].opened_by.lost) == (0, 20)


def test_a_tier_is_opened_by_holms_p_and_not_by_the_raw_one():
    leader, other = [True] * 6 + [False] * 10, [False] * 16
    assert mcnemar(0, 6) == 0.03125
    assert len(tiers([leader, other])) == 2
    assert len(tiers([leader, other, other])) == 1  # two comparisons: 2 x 0.03125 is no longer under 5 %


@given(boards)
def test_tiers_cover_the_ranking_in_order(board):
    board = sorted(board, key=sum, reverse=True)
    found = tiers(board)
    assert [tier.start for tier in found] == [0, *(tier.stop for tier in found[:-1])]
    assert found[-1].stop == len(board)
    assert all(tier.opened_by.p < 0.05 for tier in found[1:])


@settings(max_examples=25, deadline=None)
@given(boards)
def test_rank_intervals_contain_the_rank_and_are_the_same_each_time(board):
    found = rank_intervals(board)
    assert found == rank_intervals(board)
    totals = [sum(row) for row in board]
    for total, (low, high) in zip(totals, found, strict=True):
        assert 1 <= low <= 1 + sum(other > total for other in totals) <= high <= len(board)


@settings(max_examples=25, deadline=None)
@given(boards, st.randoms())
def test_permuting_systems_permutes_their_rank_intervals(board, source):
    order = list(range(len(board)))
    source.shuffle(order)
    found = rank_intervals(board)
    assert rank_intervals([board[place] for place in order]) == [found[place] for place in order]


def test_equal_systems_have_equal_rank_intervals_and_a_perfect_one_is_always_first():
    board = [[True] * 12, [True, False] * 6, [True, False] * 6]
    found = rank_intervals(board)
    assert found[0] == (1, 1)
    assert found[1] == found[2] == (2, 2)


def test_no_system_has_no_interval_and_no_tier():
    assert rank_intervals([]) == []
    assert tiers([]) == []
