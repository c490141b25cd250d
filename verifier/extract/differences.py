"""Where do two ways of reading the same theories part, and by which rule."""

from collections import Counter
from collections.abc import Sequence

from verifier.extract.facts import MOST_LINES, Ending, Fact, category_of


def differences(rough: Sequence[tuple[Fact, bool]], exact: Sequence[tuple[Fact, bool]]) -> Counter[str]:
    """How many facts count for one reading alone or in another category, by what the two take for true.

    Both are all facts seen by one reading, each with whether it counts. A fact is the same where file and line are.
    """
    first = {(fact.member, fact.line): (fact, counts) for fact, counts in rough}
    second = {(fact.member, fact.line): (fact, counts) for fact, counts in exact}
    found: Counter[str] = Counter()
    for place in first.keys() | second.keys():
        one, in_first = first.get(place, (None, False))
        other, in_second = second.get(place, (None, False))
        if in_first and not in_second:
            found[f"counted by lines alone: {_left_out(other)}"] += 1
        elif in_second and not in_first:
            found[f"counted by tokens alone: {_missed(one)}"] += 1
        elif in_first and one and other and category_of(one) != category_of(other):
            found[f"{category_of(other)} by tokens, {category_of(one)} by lines"] += 1
    return found


def _left_out(fact: Fact | None) -> str:
    """Why a fact that lines show does not count by tokens."""
    if fact is None:
        return "no statement, but text or part of another command"
    if fact.in_block:
        return "stands in a block that a missed end of a proof hides"
    if fact.target:
        return "stated with (in …)"
    if fact.proof_lines > MOST_LINES:
        return "the proof goes on, beyond twenty lines"
    return "the proof is not finished"


def _missed(fact: Fact | None) -> str:
    """Why a fact that tokens show does not count by lines."""
    if fact is None:
        return "in the text that a missed end swallows, or not at the start of a line"
    if fact.in_block:
        return "after an end that a missed end of a proof hides"
    if fact.ending is not Ending.PROVED:
        return "its end is missed and none follows"
    return "its end is missed, so it seems longer than twenty lines"
