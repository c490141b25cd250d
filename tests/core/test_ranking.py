"""Places on a board: shared ranks, and what never holds one."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from verifier.core.ranking import Contender, Standing, rank

contenders = st.lists(
    st.builds(
        Contender,
        key=st.text("abcdefgh", min_size=1, max_size=4),
        score=st.one_of(st.none(), st.builds(Fraction, st.integers(0, 5), st.just(5))),
        since=st.sampled_from(["2026-01-01", "2026-01-02"]),
        incomplete=st.booleans(),
        reference=st.booleans(),
        reported=st.booleans(),
    ),
    unique_by=lambda row: row.key,
)


def places(*rows):
    return [(place.key, place.rank) for place in rank(rows)]


def test_equal_scores_share_a_rank_and_the_next_is_skipped():
    rows = [Contender(key, Fraction(score, 9), "2026") for key, score in (("a", 3), ("b", 5), ("c", 5), ("d", 1))]
    assert places(*rows) == [("b", 1), ("c", 1), ("a", 3), ("d", 4)]


def test_equal_scores_are_listed_by_earlier_date():
    late, early = Contender("a", Fraction(1), "2026-02"), Contender("b", Fraction(1), "2026-01")
    assert places(late, early) == [("b", 1), ("a", 1)]


def test_scores_that_round_alike_are_told_apart():
    close = [Contender("a", Fraction(33333, 100000), "x"), Contender("b", Fraction(1, 3), "x")]
    assert places(*close) == [("b", 1), ("a", 2)]


def test_what_is_not_ranked_stands_below_in_its_own_group_with_references_last():
    rows = [
        Contender("ref", Fraction(1), "x", reference=True),
        Contender("paper", Fraction(1), "x", reported=True),
        Contender("owed", Fraction(1), "x", incomplete=True),
        Contender("none", None, "x"),
        Contender("good", Fraction(0), "x"),
    ]
    assert places(*rows) == [("good", 1), ("none", None), ("owed", None), ("paper", None), ("ref", None)]


@given(contenders, st.randoms())
def test_the_order_of_submissions_changes_nothing(rows, source):
    shuffled = list(rows)
    source.shuffle(shuffled)
    assert rank(rows) == rank(shuffled)


@given(contenders)
def test_a_rank_is_one_more_than_the_number_of_better_ranked_systems(rows):
    scores = {row.key: row.score for row in rows}
    ranked = [place for place in rank(rows) if place.standing is Standing.RANKED]
    for place in ranked:
        assert place.rank == 1 + sum(scores[other.key] > scores[place.key] for other in ranked)
