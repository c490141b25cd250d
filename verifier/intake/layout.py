"""Which problem and attempt a file of an upload is meant for: the three forms of design, section 6."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,3}")


@dataclass(frozen=True, slots=True)
class Slot:
    """A problem id (maybe unknown) and an attempt."""

    problem: str
    attempt: int


def wrapper_of(names: Iterable[str], extension: str) -> str:
    """The folders that stand around all proofs and mean nothing, with a slash at the end, or an empty text."""
    paths = [name.split("/") for name in names if _counts(name, extension)]
    depth = 0
    while paths and _is_wrapper(paths, depth):
        depth += 1
    return "/".join(paths[0][:depth]) + "/" if depth else ""


def _counts(name: str, extension: str) -> bool:
    return name.endswith((extension, ".jsonl"))


def _is_wrapper(paths: list[list[str]], depth: int) -> bool:
    if any(len(path) <= depth + 1 for path in paths):
        return False
    first = paths[0][depth]
    if any(path[depth] != first for path in paths):
        return False
    if NUMBER.fullmatch(first):  # an attempt, unless attempts or problems stand below it
        return all(len(path) > depth + 2 for path in paths)
    names_a_problem = all(len(path) == depth + 2 and NUMBER.fullmatch(_stem(path[-1])) for path in paths)
    return not names_a_problem


def slot_of(path: str, extension: str) -> Slot | None:
    """The slot of a path inside the wrapper: `<id>.ext`, `<attempt>/<id>.ext` or `<id>/<attempt>.ext`."""
    if not path.endswith(extension):
        return None
    *folders, base = path.split("/")
    stem = base.removesuffix(extension)
    if not folders:
        return Slot(stem, 1)
    if len(folders) > 1:
        return None
    if NUMBER.fullmatch(folders[0]):
        return Slot(stem, int(folders[0]))
    if NUMBER.fullmatch(stem):
        return Slot(folders[0], int(stem))
    return None


def _stem(base: str) -> str:
    return base.partition(".")[0]
