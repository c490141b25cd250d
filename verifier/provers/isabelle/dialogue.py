"""One ML process on the image that checks many proofs, each from the recorded state of its problem."""

import secrets
from collections.abc import Mapping
from typing import Final

from verifier.core.errors import PlatformFault
from verifier.core.limits import Limits
from verifier.core.problem import ProblemSpec
from verifier.core.process import Command
from verifier.core.result import ProofTask
from verifier.provers.base import Dialogue, Opening, Request
from verifier.provers.isabelle import policy, records
from verifier.provers.isabelle.records import Expected

_START_SECONDS: Final = 300.0
_CHECKS: Final = 200  # after so many the process is replaced: caches and counters of the prover only grow
_NOBODY: Final = "-"


def nonce() -> str:
    """A word that nothing in a proof can know; it ends an answer and names the request."""
    return secrets.token_hex(16)


def grace(limits: Limits) -> float:
    """Seconds over the proof's own limit after which the outer clock ends the process."""
    return max(3.0, 0.25 * limits.wall_seconds)


def request(word: str, problem: ProblemSpec | None, text: str, limits: Limits) -> bytes:
    """The bytes of one request: a line with the lengths, then what is permitted, then the proof."""
    permitted = "\n".join(problem.permitted_axioms).encode() if problem else b""
    body = policy.normalised(text).encode()
    name = problem.id if problem else _NOBODY
    limit = round(limits.wall_seconds * 1000)
    return f"{word} {name} {limit} {len(permitted)} {len(body)}\n".encode() + permitted + body


class IsabelleSession:
    """What the adapter knows about one live process."""

    def __init__(self, command: Command, environment_digest: str, problems: Mapping[str, str]) -> None:
        self.command = command
        self._digest = environment_digest
        self._problems = problems
        self._checks = 0

    @property
    def spent(self) -> bool:
        """Whether the process has done enough and is to be replaced before the next proof."""
        return self._checks >= _CHECKS

    def opening(self) -> Opening:
        """Wait for the heaps to be loaded: the process answers a request that names no problem."""
        word = nonce()
        reply = yield Request(request(word, None, "", Limits(wall_seconds=1)), f"\n{word}\n".encode(), _START_SECONDS)
        if records.parse(reply.stdout, word).get("status") != "unknown_problem":
            raise PlatformFault(f"The image answered its first request in an unknown way: {reply.stdout[-300:]!r}")

    def check(self, problem: ProblemSpec, task: ProofTask, limits: Limits) -> Dialogue:
        """Check one proof. States are values, so the process is ready for the next whatever became of this one."""
        self._checks += 1
        word = nonce()
        digest = self._problems.get(problem.id)
        if digest is None:
            raise PlatformFault(f"The image does not hold problem {problem.id}.")
        reply = yield Request(
            request(word, problem, task.text, limits),
            f"\n{word}\n".encode(),
            limits.wall_seconds + grace(limits),
            timed=True,
        )
        expected = Expected(word, digest, self._digest)
        return records.result(records.parse(reply.stdout, word), task, expected, limits)
