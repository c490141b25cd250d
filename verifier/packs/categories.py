"""Whether a ground truth belongs to the category that its problem names."""

from verifier.packs.schema import CategoryTable
from verifier.packs.theories import Stated


def category_mismatch(category: CategoryTable, lemma: Stated) -> str:
    """What is wrong, as the end of the sentence "its ground truth …"; empty when it fits or there is no rule.

    Selene's rules: P1, P2 and P3 by lines of a procedural proof, D for declarative ones (paper, section 3).
    """
    if category.lines:
        fewest, most = category.lines
        if not fewest <= lemma.lines <= most:
            wanted = f"{fewest}" if fewest == most else f"{fewest} to {most}"
            return f"has {lemma.lines} lines, not {wanted}"
    if category.declarative is True and not lemma.declarative:
        return "states no intermediate goal"
    if category.declarative is False and lemma.declarative:
        return "states intermediate goals"
    return ""


def category_fitting(categories: list[CategoryTable], lemma: Stated) -> str:
    """Name of the first category with a rule that the ground truth fits, or an empty string."""
    ruled = (c for c in categories if c.lines or c.declarative is not None)
    return next((c.name for c in ruled if not category_mismatch(c, lemma)), "")
