"""Where a score leads: the page of its run, narrowed to the problems that the score counts.

A score of nothing leads to the problems that it does not count, which are its evidence.
"""

from urllib.parse import urlencode

from django.urls import reverse

from leaderboard.scores import Score
from leaderboard.selectors import Entry

PLACE = "#lem"  # the table of lemmas on a submission's page


def counting(score: Score | None, k: int) -> int:
    """The k to ask for: 0 for a score of nothing, and for an average over samples, which counts no problem whole."""
    return k if score and score.solved else 0


def evidence_address(entry: Entry, category: str = "", k: int = 0) -> str:
    """The problems of a category, or of all, that ACC#k counts; every problem where `k` is 0.

    Empty where the submission was withdrawn, so that nobody may open it.
    """
    return evidence_of_run(reverse("submission", args=[entry.submission]), category, k) if entry.public else ""


def evidence_of_run(page: str, category: str = "", k: int = 0) -> str:
    """The same under the address of the submission's page, for callers that link many cells of one row."""
    asked = urlencode([(name, value) for name, value in (("category", category), ("k", k)) if value])
    return f"{page}?{asked}{PLACE}" if asked else page + PLACE
