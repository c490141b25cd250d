"""ACC#k, the error table, pass@k and times of a run, against the paper and against a second, plain counting."""

import itertools
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.metrics import (
    Member,
    ResultRow,
    has_acc,
    macro,
    mean_pass_of_tally,
    owed,
    pass_at_k,
    percentile,
    solved,
    summarise,
)

MEMBERS = [Member("a", "P1"), Member("b", "P1"), Member("c", "D")]
OUTCOMES = ("proved", "undefined", "logic", "other", "internal", "missing")


def rows_of(outcomes):
    """Rows and uploads from (index, attempt) -> one of OUTCOMES."""
    rows, uploaded = [], []
    for (index, attempt), outcome in outcomes.items():
        if outcome == "missing":
            continue
        uploaded.append((index, attempt))
        if outcome == "proved":
            rows.append(ResultRow(index, attempt, "proved", confirmation="confirmed", wall_ms=7))
        elif outcome == "internal":
            rows.append(ResultRow(index, attempt, "internal", "worker_lost"))
        else:
            rows.append(ResultRow(index, attempt, "failed", "x", outcome, wall_ms=5))
    return rows, uploaded


def run_of(outcomes, members=MEMBERS):
    return summarise(members, *rows_of(outcomes))


outcome_tables = st.dictionaries(
    st.tuples(st.integers(0, 2), st.integers(0, 5)), st.sampled_from(OUTCOMES), max_size=18
)


def test_acc1_is_the_greedy_answer_for_all_problems_once_any_attempt_0_was_sent():
    run = run_of({(0, 0): "logic", (0, 1): "proved", (1, 1): "proved"})
    assert run.counts["scoring"] == 0
    assert solved(run.vectors, 0, 1) == [False, False, False]
    assert solved(run.vectors, 0, 5) == [True, True, False]


def test_acc1_is_sample_1_where_no_attempt_0_was_sent():
    run = run_of({(0, 1): "proved", (1, 2): "proved"})
    assert run.counts["scoring"] == 1
    assert solved(run.vectors, 1, 1) == [True, False, False]
    assert solved(run.vectors, 1, 2) == [True, True, False]


def test_missing_problems_stay_in_the_denominator_and_are_counted():
    run = run_of({(0, 1): "proved"})
    assert run.vectors["error"] == "-mm"
    assert run.counts["categories"]["P1"] == {
        "total": 2,
        "outcomes": {"-": 1, "m": 1},
        "reasons": {},
        "times": {"proofs": 1, "mean_ms": 7.0, "median_ms": 7, "p95_ms": 7},
        "evidence": {"proved": 1, "confirmed": 1, "pending": 0},
        "sampled": [{"proved": 1, "confirmed": 1, "pending": 0}],
    }
    assert run.counts["categories"]["D"]["times"] == {"proofs": 0}


def test_a_proof_without_a_result_is_internal_and_not_failed():
    run = summarise(MEMBERS, [], [(0, 1)])
    assert run.vectors["error"] == "imm"
    assert run.counts["internal"] == 1


def test_a_proved_proof_that_a_second_look_disagreed_with_never_scores():
    row = ResultRow(0, 1, "proved", confirmation="disagreed")
    run = summarise(MEMBERS, [row], [(0, 1)])
    assert run.vectors["first"] == [0, 0, 0]
    assert run.vectors["error"] == "imm"
    assert run.counts["verdicts"] == {"internal": 1}
    assert run.counts["proved"] == 0


def test_a_proof_whose_confirmation_is_pending_counts():
    run = summarise(MEMBERS, [ResultRow(0, 1, "proved", confirmation="pending")], [(0, 1)])
    assert (run.counts["proved"], run.counts["confirmed"], run.counts["pending"]) == (1, 0, 1)


def test_rejected_proofs_are_failures_of_class_other_and_have_no_checking_time():
    run = summarise(MEMBERS, [ResultRow(0, 1, "rejected", "empty", "other")], [(0, 1)])
    assert run.vectors["error"] == "omm"
    assert run.counts["categories"]["P1"]["times"] == {"proofs": 0}
    assert run.counts["categories"]["P1"]["reasons"] == {"empty": 1}


def test_table_3_of_the_paper_comes_out_of_its_counts():
    table = {"P1": (139, 38, 41, 2), "P2": (104, 37, 55, 4), "P3": (59, 21, 31, 7), "D": (38, 12, 20, 2)}
    shares = {"P1": (47, 51, 2), "P2": (39, 57, 4), "P3": (36, 52, 12), "D": (35, 59, 6)}
    members, rows = [], []
    for name, (total, undefined, logic, other) in table.items():
        outcomes = ["undefined"] * undefined + ["logic"] * logic + ["other"] * other
        outcomes += ["proved"] * (total - len(outcomes))
        for outcome in outcomes:
            index = len(members)
            members.append(Member(f"{name}_{index}", name))
            rows.append(
                ResultRow(index, 0, "proved") if outcome == "proved" else ResultRow(index, 0, "failed", "x", outcome)
            )
    run = summarise(members, rows, [(index, 0) for index in range(len(members))])
    for name, (total, *classes) in table.items():
        outcomes = run.counts["categories"][name]["outcomes"]
        assert [outcomes[letter] for letter in "ulo"] == classes
        failed = sum(classes)
        assert total - failed == outcomes.get("-", 0)
        for number, share in zip(classes, shares[name], strict=True):
            assert abs(100 * number / failed - share) < 1
    assert sum(solved(run.vectors, 0, 1)) == 58 + 8 + 0 + 4


@given(outcome_tables)
def test_a_second_plain_counting_agrees(outcomes):
    run = run_of(outcomes)
    greedy = any(attempt == 0 and outcome != "missing" for (_, attempt), outcome in outcomes.items())
    assert run.counts["scoring"] == (0 if greedy else 1)
    for k in range(1, 6):
        wanted = [
            any(
                outcomes.get((index, attempt)) == "proved"
                for attempt in ([0] if greedy and k == 1 else range(1, k + 1))
            )
            for index in range(3)
        ]
        assert solved(run.vectors, run.counts["scoring"], k) == wanted
    assert run.vectors["count"] == [
        sum(outcomes.get((index, attempt)) == "proved" for attempt in range(1, 6)) for index in range(3)
    ]
    assert sum(run.counts["verdicts"].values()) == run.counts["uploaded"]
    assert len(run.vectors["error"]) == 3


@given(outcome_tables)
def test_a_verdict_is_owed_where_it_could_still_change_the_score(outcomes):
    run = run_of(outcomes)
    for k in range(1, 6):
        best = outcomes | {place: "proved" for place, outcome in outcomes.items() if outcome == "internal"}
        now, then = (solved(run_of(each).vectors, run.counts["scoring"], k) for each in (outcomes, best))
        assert owed(run.vectors, run.counts["scoring"], k) == [a != b for a, b in zip(now, then, strict=True)]


@given(outcome_tables)
def test_evidence_of_samples_adds_up_to_all_that_was_proved_by_samples(outcomes):
    run = run_of(outcomes)
    pieces = [piece for part in run.counts["categories"].values() for piece in part["sampled"]]
    wanted = sum(outcome == "proved" and attempt > 0 for (_, attempt), outcome in outcomes.items())
    assert sum(piece["proved"] for piece in pieces) == sum(piece["confirmed"] for piece in pieces) == wanted


@given(outcome_tables)
def test_acc_grows_with_k_over_the_samples(outcomes):
    run = run_of(outcomes)
    totals = [sum(solved(run.vectors, 1, k)) for k in range(1, 6)]
    assert totals == sorted(totals)


@given(outcome_tables, st.integers(0, 2), st.integers(1, 5))
def test_adding_an_unsolved_attempt_never_raises_a_score(outcomes, index, attempt):
    if outcomes.get((index, attempt), "missing") != "missing":
        return
    before, after = run_of(outcomes), run_of(outcomes | {(index, attempt): "logic"})
    for k in range(1, 6):
        assert sum(solved(after.vectors, after.counts["scoring"], k)) <= sum(
            solved(before.vectors, before.counts["scoring"], k)
        )


@given(outcome_tables)
def test_the_order_of_rows_changes_nothing_and_the_summary_survives_json(outcomes):
    rows, uploaded = rows_of(outcomes)
    first = summarise(MEMBERS, rows, uploaded)
    second = summarise(MEMBERS, rows[::-1], uploaded[::-1])
    assert first == second
    assert json.loads(json.dumps([first.counts, first.vectors])) == [first.counts, first.vectors]


@given(st.integers(1, 9), st.data())
def test_pass_at_k_is_the_share_of_draws_that_hold_a_proved_sample(n, data):
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    draws = list(itertools.combinations(range(n), k))
    hits = sum(any(sample < c for sample in draw) for draw in draws)
    assert math.isclose(pass_at_k(n, c, k), hits / len(draws), abs_tol=1e-12)


def test_pass_at_k_refuses_more_draws_than_samples():
    with pytest.raises(ValueError, match="pass@5 needs"):
        pass_at_k(3, 1, 5)
    assert mean_pass_of_tally([1, 1], 3, 5) is None


def test_pass_at_k_equals_acc_k_when_all_samples_are_drawn():
    assert mean_pass_of_tally([2, 1, 1], 5, 5) == 0.5


def test_acc_beyond_one_needs_a_second_sample():
    assert [has_acc(samples, 5) for samples in (0, 1, 2, 5)] == [False, False, True, True]
    assert has_acc(0, 1)


def test_macro_weighs_categories_alike_and_leaves_empty_ones_out():
    assert macro([(1, 2), (10, 10), (0, 0)]) == 0.75
    assert macro([]) is None


@given(st.lists(st.integers(0, 100), min_size=1), st.floats(0.01, 1))
def test_a_percentile_is_the_smallest_value_that_enough_values_do_not_exceed(values, share):
    found = percentile(values, share)
    assert sum(value <= found for value in values) >= share * len(values) - 1e-9
    lower = [value for value in values if value < found]
    assert not lower or sum(value <= max(lower) for value in values) < share * len(values) + 1e-9
