"""Which problems does a seed put into a new set, and which of them are almost demonstrations."""

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding
from verifier.core.originality import likeness, proof_tokens
from verifier.core.problem import Pack, ProblemSpec, SetSpec, Split, Status
from verifier.extract.choice import chosen, shares
from verifier.extract.written import set_file
from verifier.packs.identity import set_digest
from verifier.packs.manifest import MANIFEST

NEAR: Final = 0.9  # Dice coefficient of neighbouring token pairs of statement and proof
_CURRENT: Final = re.compile(r"^current_set\s*=.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """A problem to be evaluated whose statement and proof are almost those of a demonstration; likeness from 0 to 1."""

    problem: str
    demonstration: str
    likeness: float


@dataclass(frozen=True, slots=True)
class Frozen:
    """A new set: members in the pack's order, what was drawn by category, near-duplicates, the files to write."""

    name: str
    members: tuple[tuple[str, int], ...]
    digest: str
    drawn: Mapping[str, int]
    near: tuple[NearDuplicate, ...]
    files: Mapping[str, str]


def freeze(pack: Pack, *, seed: int, size: int, name: str, refused: Collection[str]) -> Frozen:
    """A stratified sample of `size` problems, less those whose ground truth was refused; demonstrations stay.

    Every category has its share of the problems that may be drawn. InputFault when the set exists already: a set is
    never changed, a later revision is a new one.
    """
    if any(one.name == name for one in pack.sets):
        remedy = "Choose another --name; a frozen set is never changed."
        raise InputFault([Finding(Consequence.REFUSED, "this set exists", remedy, f"sets/{name}.toml", None)])
    free = [one for one in pack.problems if one.split is Split.EVALUATION and one.status is Status.ACTIVE]
    if not 1 <= size <= len(free):
        message = f"a set of {size:,} cannot be drawn from {len(free):,} problems"
        raise InputFault([Finding(Consequence.REFUSED, message, "Choose another --size.", MANIFEST, None)])
    quotas = shares(Counter(problem.category for problem in free), size)
    names = {
        problem
        for category, quota in quotas.items()
        for problem in chosen([one.id for one in free if one.category == category], quota, seed)
    }
    kept = [problem for problem in free if problem.id in names and problem.id not in refused]
    members = tuple((problem.id, problem.revision) for problem in kept)
    given = [problem for problem in pack.problems if problem.split is Split.DEMONSTRATION]
    drawn = {category.name: quotas.get(category.name, 0) for category in pack.categories}
    return Frozen(
        name,
        members,
        set_digest(members),
        drawn,
        near_duplicates(kept, given),
        _files(pack, name, members, len(free), drawn, seed),
    )


def near_duplicates(evaluated: Sequence[ProblemSpec], given: Sequence[ProblemSpec]) -> tuple[NearDuplicate, ...]:
    """Pairs whose texts agree to `NEAR` and more, the likest first; the lemmas' own names do not count."""
    texts = {problem.id: _tokens(problem) for problem in (*evaluated, *given)}
    found = [
        NearDuplicate(one.id, other.id, round(near, 3))
        for one in evaluated
        for other in given
        if (near := likeness("", texts[one.id], texts[other.id]).similarity) >= NEAR
    ]
    return tuple(sorted(found, key=lambda pair: (-pair.likeness, pair.problem, pair.demonstration)))


def table(pack: Pack, chosen_set: SetSpec, refused: Collection[str] | None) -> dict[str, dict[str, int | None]]:
    """The lines of the paper's Table 1 by category, `all` being over all; None where nothing was built yet.

    Sampled is the set, what was drawn for it and refused, and the demonstrations; verified is what of these the
    environment did not refuse.
    """
    members = {name for name, _ in chosen_set.members}
    given = {problem.id for problem in pack.problems if problem.split is Split.DEMONSTRATION}
    category = {problem.id: problem.category for problem in pack.problems}
    drawn = Counter(chosen_set.drawn) or Counter(category[name] for name in members)
    sampled = drawn + Counter(category[name] for name in given)
    out = Counter(category[name] for name in (refused or ()) if name in members | given)
    if chosen_set.drawn:
        out += drawn - Counter(category[name] for name in members)
    lines = {
        "extracted": Counter(problem.category for problem in pack.problems),
        "sampled": sampled,
        "correctly verified": None if refused is None else sampled - out,
        "demonstration": Counter(category[name] for name in given),
        "evaluation": Counter(category[name] for name in members),
    }
    columns = [one.name for one in pack.categories]
    return {
        line: {
            **{name: None if counts is None else counts[name] for name in columns},
            "all": None if counts is None else counts.total(),
        }
        for line, counts in lines.items()
    }


def table_object(pack: Pack, chosen_set: SetSpec, refused: Collection[str] | None) -> dict[str, Any]:
    """The same lines as one object that names the set for ever."""
    return {
        "pack": pack.slug,
        "pack_digest": pack.digest,
        "set": chosen_set.name,
        "set_digest": chosen_set.digest,
        "lines": table(pack, chosen_set, refused),
    }


def _tokens(problem: ProblemSpec) -> tuple[str, ...]:
    statement = proof_tokens(problem.statement, "")
    return tuple(token for token in (*statement, *proof_tokens(problem.ground_truth, "")) if token != problem.lemma)


def _files(  # noqa: PLR0917 - one caller
    pack: Pack, name: str, members: Sequence[tuple[str, int]], free: int, drawn: Mapping[str, int], seed: int
) -> dict[str, str]:
    manifest = (pack.root / MANIFEST).read_text(encoding="utf-8")
    title = f"{len(members):,} of {free:,} problems that may be drawn, seed {seed}"
    return {
        f"sets/{name}.toml": set_file(title, members, seed, drawn),
        MANIFEST: _CURRENT.sub(lambda _: f"current_set = {json.dumps(name)}", manifest, count=1),
    }
