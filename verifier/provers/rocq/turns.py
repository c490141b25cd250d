"""One exchange with `coqtop -emacs`, read so that nothing a tactic prints can be taken for the prover's own word.

After every text the judge asks for a name that cannot exist and that nobody could know before: its refusal ends the
answer, and the prompt just before it is genuine, because between the two nothing of the submission runs. A sentence
succeeded exactly when that prompt's state number has grown. Where the prover reads on beyond the end that the scanner
saw, the question is swallowed; what follows it closes a string or comments, and a second question tells so at once.
"""

import re
import secrets
from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

from verifier.core.errors import PlatformFault
from verifier.core.process import Reply
from verifier.provers.base import Request

# In code: a string and signs, which is one syntax error, then a question. In a string: its end, then the same.
_RESCUE: Final = '" *) *) *) .\nCheck b_{nonce}.\n" *) *) *) .\nCheck b_{nonce}.\n'
_PROMPT_END: Final = "</prompt>"
_QUESTIONS: Final = 2  # each takes a state number, although it fails; what cannot be read takes none
_PROMPTS_BEHIND: Final = 3  # of the answered question and of both parts of the rescue
_PROMPT: Final = re.compile(r"<prompt>([^\n<]*) < (\d+) \|([^\n]*)\| (\d+) < </prompt>\Z")
_PLACE: Final = re.compile(r"(?:\A|\n)Toplevel input, characters (\d+)-(\d+):\n(?:> ?.*\n)*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Turn:
    """What one text led to: `state` and `proofs` after it, its error (empty for success), what it printed.

    `span` is the error's place in the text in bytes, where the prover names one.
    """

    state: int
    proofs: str
    ok: bool
    error: str
    span: tuple[int, int] | None
    printed: str
    wall_ms: int


class Channel:
    """Keeps count of the states of one process."""

    def __init__(self) -> None:
        self.state = 0
        self._handed_out: int | None = None  # the last state number in use, where it is certain
        self._rest: bytes | None = None  # what came after the last answer, or None before the first

    def say(
        self, text: str, wall_seconds: float, *, timed: bool = False, spare: bool = False
    ) -> Generator[Request, Reply, Turn]:
        """Send a text of one or more sentences; the answer says what became of it as a whole."""
        nonce = f"sx{secrets.token_hex(8)}"
        request = Request(
            data=f"{text}\nCheck a_{nonce}.\n{_RESCUE.format(nonce=nonce)}".encode(),
            until=f"_{nonce} was not".encode(),
            wall_seconds=wall_seconds,
            timed=timed,
            spare=spare,
        )
        reply = yield request
        return self._read(reply, nonce)

    @property
    def handed_out(self) -> int | None:
        """The last state number in use; None after a failure or a jump."""
        return self._handed_out

    def _read(self, reply: Reply, nonce: str) -> Turn:
        said, found, rest = reply.stderr.partition(f"_{nonce} was not".encode())
        if said.endswith(b" b"):
            raise PlatformFault("The prover reads a sentence as going on beyond the end that the scanner saw.")
        if self._rest is not None:
            said = (self._rest + said).split(_PROMPT_END.encode(), _PROMPTS_BEHIND)[-1]
        self._rest = rest
        text = (said + found).decode("utf-8", errors="replace")
        question = text.rfind(f"> Check a_{nonce}.\n")
        start = text.rfind("Toplevel input, characters ", 0, max(question, 0))
        match = _PROMPT.search(text, 0, start) if start >= 0 else None
        if match is None:
            raise PlatformFault(f"The prover answered in an unknown way: {text[-400:]!r}")
        state, ok = int(match.group(2)), int(match.group(2)) > self.state
        output = text[: match.start()].rstrip("\n")
        error, span = ("", None) if ok else _error(output)
        if state < self.state:
            ok = False
        self._handed_out = state + _QUESTIONS if ok else None
        self.state = state
        printed = reply.stdout.decode("utf-8", errors="replace")
        return Turn(state, match.group(3), ok, error, span, printed, reply.wall_ms)


def _error(said: str) -> tuple[str, tuple[int, int] | None]:
    """The last error that was printed, and its place."""
    places = list(_PLACE.finditer(said))
    if not places:
        return said.strip(), None
    last = places[-1]
    return said[last.end() :].strip(), (int(last.group(1)), int(last.group(2)))
