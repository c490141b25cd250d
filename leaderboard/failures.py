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
from verifier.core.said import first_sentence

EXAMPLE_LENGTH: Final = 200
CLUSTERS: Final = 40
_QUOTED = re.compile(r"\"[^\"]*(?:\"|$)|“[^”]*(?:”|$)|`[^`]*`|‹[^›]*(?:›|$)|'[^']*'")
_NUMBER = re.compile(r"\b\d+\b")
_NAME = re.compile(r"(?<![\w.])(?:[?]\w+|\w+(?:[._]\w+)+|\w*\d\w*)")
_BLANKS = re.compile(r"\s+")


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
        said = first_sentence(log_unpack(log).get("message", ""), EXAMPLE_LENGTH) if log else headline
        found.append(Message(*(*facts, said)))
    return found


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
