"""`submission.toml`: what a team may say about its system inside the archive. Optional, and never decisive."""

import re
import tomllib
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, ValidationError

from verifier.core.augmentation import Augmentation
from verifier.core.display import shown
from verifier.core.finding import Consequence, Finding

NAME = "submission.toml"
_MOST_BYTES = 64_000  # to read TOML takes long

_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")  # NUL among them, which no PostgreSQL stores


def _seen(text: str) -> str:
    """The text, where all of it can be stored and shown; lines and tabs may stay."""
    if found := _UNSEEN.search(text):
        raise ValueError(f"Character {found.start() + 1} (U+{ord(found[0]):04X}) cannot be seen")
    return text


_Link = Annotated[str, Field(max_length=500, pattern=r"^https?://[!-~]+$")]


class SubmissionFacts(BaseModel):
    """System, model, augmentations and links as the team states them; everything may be left out."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    system: Annotated[str, Field(max_length=80), AfterValidator(_seen)] = ""
    model: Annotated[str, Field(max_length=120), AfterValidator(_seen)] = ""
    augmentations: list[Annotated[Augmentation, Strict(strict=False)]] = []
    open_source: bool | None = None
    links: Annotated[list[_Link], Field(max_length=10)] = []
    description: Annotated[str, Field(max_length=2000), AfterValidator(_seen)] = ""


def read_facts(member: str, data: bytes) -> tuple[SubmissionFacts | None, list[Finding]]:
    """The facts, or None with one finding for each fault; a faulty file is left out, the proofs are not."""
    if len(data) > _MOST_BYTES:
        return None, [_left_out(member, f"The file is larger than {_MOST_BYTES // 1000} kB.", "Shorten it.")]
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError:
        return None, [_left_out(member, "The file is not UTF-8 text.", "Save it as UTF-8.")]
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        place = re.search(r"line (\d+)", str(error))
        message = f"The file is not TOML: {shown(str(error))}."
        return None, [_left_out(member, message, "Correct the line.", int(place[1]) if place else None)]
    try:
        return SubmissionFacts.model_validate(values), []
    except ValidationError as error:
        return None, [_fault(member, text, one["loc"], one["msg"]) for one in error.errors(include_url=False)]


def _fault(member: str, text: str, where: tuple[int | str, ...], what: str) -> Finding:
    key = str(where[0]) if where else ""
    known = ", ".join(f"`{name}`" for name in SubmissionFacts.model_fields)
    line = next((n for n, row in enumerate(text.split("\n"), 1) if row.strip().lstrip('"[').startswith(key)), None)
    what = what.removeprefix("Value error, ")
    return _left_out(member, f"`{shown(key)}`: {shown(what)}.", f"Known keys are {known}.", line)


def _left_out(member: str, message: str, remedy: str, line: int | None = None) -> Finding:
    return Finding(Consequence.IGNORED, message, f"{remedy} Nothing of this file is recorded.", shown(member), line)
