"""What names a pack and a set for ever: digests of everything a verdict depends on, and of a set's members."""

import json
from collections.abc import Iterable, Mapping, Sequence

from verifier.core.digest import digest_bytes, digest_mapping
from verifier.core.limits import Limits
from verifier.core.problem import ProblemSpec


def pack_digest(
    *, prover: str, toolchain: str, limits: Limits, problems: Iterable[ProblemSpec], sources: Mapping[str, bytes]
) -> str:
    """Digest of prover, releases, limits, theories (path -> bytes) and what of each problem a prover is told.

    Titles, dates, quotas, categories and sets are left out: no verdict depends on them.
    """
    values = {
        "prover": prover,
        "toolchain": toolchain,
        "limits": json.dumps(
            [limits.wall_seconds, limits.memory_bytes, limits.output_bytes, limits.tokens, limits.proof_bytes]
        ),
    }
    for problem in problems:
        values[f"problem {problem.id}"] = json.dumps(
            [
                problem.revision,
                problem.unit,
                problem.lemma,
                problem.position,
                problem.statement,
                list(problem.scope),
                sorted(problem.permitted_axioms),
            ]
        )
    for path, data in sources.items():
        values[f"source {path}"] = digest_bytes(data)
    return digest_mapping(values)


def set_digest(members: Sequence[tuple[str, int]]) -> str:
    """Digest of the (problem id, revision) list in its order; the title is not part of it."""
    return digest_bytes(json.dumps([[name, revision] for name, revision in members], separators=(",", ":")).encode())
