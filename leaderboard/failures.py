"""What fails and how: classes per system, and clusters of similar messages with an example each."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from submissions.models import Result, Submission
from submissions.selectors.results import log_unpack
from submissions.selectors.submissions import proofs_are_public
from verifier.core.reason import REASONS, Reason

EXAMPLE_LENGTH: Final = 200
CLUSTERS: Final = 40
WRAPPED: Final = 6  # lines that one sentence of a prover takes at most
_QUOTED = re.compile(r"\"[^\"]*(?:\"|$)|“[^”]*(?:”|$)|`[^`]*`|‹[^›]*(?:›|$)|'[^']*'")
_NUMBER = re.compile(r"\b\d+\b")
_NAME = re.compile(r"(?<![\w.])(?:[?]\w+|\w+(?:[._]\w+)+|\w*\d\w*)")
_BLANKS = re.compile(r"\s+")
_CONTEXT = re.compile(r"[\w', ]+ :=? |\s")  # a line of the hypotheses that Rocq prints before it says what is wrong
_ENDS = (".", ":", ";", "!", "?")


@dataclass(frozen=True, slots=True)
class Message:
    """One failed proof of the scoring attempt and the first sentence that the prover said of it."""

    problem: str
    category: str
    attempt: int
    reason: str
    error_class: str
    headline: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """Failures of one reason whose messages differ in names and numbers alone; `example` is the first in the set."""

    shape: str
    reason: str
    error_class: str
    sentence: str
    number: int
    problems: int
    example: Message


def messages_are_public(submission: str) -> bool:
    """Whether everybody may read what the prover said: it can quote the proof, so it is as public as the text."""
    row = Submission.objects.select_related("problem_set__pack").filter(public_id=submission).first()
    return row is not None and proofs_are_public(row)


def messages_of(run: str, scoring: int, category: str = "") -> list[Message]:
    """Failures of a run's scoring attempt, in the order of the theories; internal results are no failures."""
    rows = Result.objects.filter(run__public_id=run, proof__attempt=scoring).exclude(error_class="")
    if category:
        rows = rows.filter(proof__problem__category=category)
    columns = (
        "proof__problem__ident",
        "proof__problem__category",
        "proof__attempt",
        "reason",
        "error_class",
    )
    ordered = rows.order_by("proof__problem__unit", "proof__problem__position")
    found = []
    for *facts, headline, log in ordered.values_list(*columns, "headline", "log__data"):
        said = first_sentence(log_unpack(log).get("message", "")) if log else headline
        found.append(Message(*(*facts, said)))
    return found


def first_sentence(message: str) -> str:
    """What a message says first, on one line however the prover broke it; hypotheses printed before it are left out.

    A sentence ends with its mark, with an empty line, or after a handful of lines: what follows quotes goals.
    """
    lines = message.strip().removeprefix("Error:").strip().split("\n")
    if lines[0].strip() == "In environment":
        told = [place for place, line in enumerate(lines) if place and not _CONTEXT.match(line)]
        lines = lines[told[0] :] if told else lines
    said: list[str] = []
    for line in lines[:WRAPPED]:
        if not line.strip() or (said and said[-1].endswith(_ENDS)):
            break
        said.append(line.strip())
    return _BLANKS.sub(" ", " ".join(said))[:EXAMPLE_LENGTH]


def clusters(messages: Iterable[Message]) -> list[Cluster]:
    """Messages put together by reason and shape, most frequent first."""
    found: dict[tuple[str, str], list[Message]] = defaultdict(list)
    for message in messages:
        found[message.reason, message_shape(message.headline)].append(message)
    made = [
        Cluster(
            shape=shape,
            reason=reason,
            error_class=inside[0].error_class,
            sentence=REASONS[Reason(reason)].sentence,
            number=len(inside),
            problems=len({message.problem for message in inside}),
            example=inside[0],
        )
        for (reason, shape), inside in found.items()
    ]
    return sorted(made, key=lambda each: (-each.number, each.reason, each.shape))


def message_shape(headline: str) -> str:
    """A message without what changes from proof to proof: quoted words, names with dots or digits, numbers, breaks."""
    text = _QUOTED.sub("…", _BLANKS.sub(" ", headline[:EXAMPLE_LENGTH]))
    text = _NAME.sub("…", _NUMBER.sub("…", text))
    return text.strip()
