"""One `coqtop` that checks many proofs of one file, one sentence at a time.

It walks forward through the file to the state just before each lemma, so sections, modules, notations and hints are
as they stand there and later facts are invisible; after each proof it goes back to that state, which takes back
whatever the proof left behind (hints, universes, side effects). The lemma is stated under a name that nothing can know,
as in the second look: a proof can read what its lemma is called, and must not tell the looks apart.
"""

import re
import secrets
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Final

from verifier.core import rocq
from verifier.core.digest import digest_text
from verifier.core.errors import PlatformFault
from verifier.core.limits import Limits
from verifier.core.problem import Pack, ProblemSpec
from verifier.core.process import Command, Reply
from verifier.core.reason import REASONS, Reason
from verifier.core.result import Place, ProofResult, ProofTask
from verifier.core.verdict import ErrorClass, Verdict
from verifier.provers.base import UNSURE, AnswerLost, Dialogue, Opening, Request
from verifier.provers.rocq import messages, nearby, recursion, statements, units
from verifier.provers.rocq.turns import Channel, Turn

_STEP_SECONDS: Final = 600.0  # for the judge's own sentences; never counts against a proof
_SPARE_SECONDS: Final = 30.0  # for what only adds to a result: goals, near names, a term to look at
_CHUNK: Final = 40
_SHOWN: Final = 20_000
_UNKNOWN_NAME: Final = re.compile(r"The (?:reference|variable|constructor) (\S+) was not found")
_TAKES_FACT: Final = re.compile(
    r"(?:apply|rewrite|exact|proof|using|unfold|auto|at|in|with|destruct|specialize)\b[^.;|]*\Z"
)
_TACTIC_PLACE: Final = re.compile(
    r"(?:\A|[;|]|(?:\ball|\d|!|\])\s*:|(?:;|first|solve|>)\s*\[|=>|"
    r"\b(?:try|repeat|do \d+|by|now|first|solve|progress|once|abstract))[\s(]*\Z"
)
_TERM_PLACE: Final = re.compile(r"\b(?:fun|forall|let|:=)\b[^;]*\Z")

_Steps = Generator[Request, Reply, Turn]


class RocqSession:
    """What the adapter knows about one live process; `looks` says that accepted terms are searched for recursion.

    `trusted` proofs are the host's own, in which commands such as `Open Scope` may stand.
    """

    def __init__(
        self, command: Command, environment_digest: str, pack: Pack, unit: str, *, looks: bool, trusted: bool
    ) -> None:
        self.command = command
        self._digest = environment_digest
        self._unit = units.read(pack, unit)
        self._channel = Channel()
        self._looks = looks
        self._trusted = trusted
        self._gone = False  # the process ended over a spare request
        self._at = 0  # sentences of the file that were taken so far
        self._states: dict[int, int] = {}  # index of a sentence -> state just before it

    @property
    def spent(self) -> bool:
        """Going back to a recorded state takes back everything, so only a process that is gone is spent."""
        return self._gone

    def opening(self) -> Opening:
        """Bring the fresh process to the point where it takes proofs."""
        turn = yield from self._channel.say("Set Silent.", _STEP_SECONDS)  # goals are asked for, not printed always
        if not turn.ok:
            raise PlatformFault(f"The prover refused its first sentence: {turn.error[:300]}")
        self._states[0] = turn.state

    def check(self, problem: ProblemSpec, task: ProofTask, limits: Limits) -> Dialogue:
        """Check one proof and leave the process ready for the next; raises PlatformFault on unknown answers."""
        lemma = self._unit.lemma_of(problem)
        yield from self._walk_to(self._unit.indices[lemma.index])
        before = self._channel.state
        name = f"sx_{secrets.token_hex(8)}"
        stated = statements.renamed(problem.statement, problem.lemma, name)
        turn = yield from self._channel.say(stated, _STEP_SECONDS)
        if not turn.ok or turn.proofs != name:
            raise PlatformFault(f"The statement of {problem.id} was refused in its place: {turn.error[:300]}")
        found = yield from self._prove(problem, name, task, limits)
        message, goals = (text.replace(name, problem.lemma) for text in (found.message, found.goals))
        result = replace(found, message=message, goals=goals)
        if self._gone:
            return result
        turn = yield from self._channel.say(f"BackTo {before}.", _STEP_SECONDS)
        if turn.state != before:
            raise PlatformFault("The prover did not go back to the state before the lemma.")
        return result

    def _walk_to(self, index: int) -> Generator[Request, Reply, None]:
        if index in self._states and (index < self._at or self._channel.state != self._states[index]):
            self._at = index
            turn = yield from self._channel.say(f"BackTo {self._states[index]}.", _STEP_SECONDS)
            if turn.state != self._states[index]:
                raise PlatformFault("The prover did not go back to an earlier place of the file.")
        elif index < self._at:
            raise PlatformFault("Problems of a file were not asked in the order of their positions.")
        while self._at < index:
            part = self._unit.sentences[self._at : min(index, self._at + _CHUNK)]
            handed_out = self._channel.handed_out
            turn = yield from self._channel.say("\n".join(sentence.text for sentence in part), _STEP_SECONDS)
            if not turn.ok or turn.error or not _in_step(turn, handed_out, part, _commands_among(part)):
                where = f"{self._unit.name}.v, line {part[0].line}"
                raise PlatformFault(f"The file was refused near {where}: {turn.error[:300]}")
            self._at += len(part)
        self._states[index] = self._channel.state

    def _prove(self, problem: ProblemSpec, name: str, task: ProofTask, limits: Limits) -> Dialogue:
        parts = rocq.sentences(task.text)
        spent = 0
        for number, part in enumerate(parts):
            handed_out = self._channel.handed_out
            left = limits.wall_seconds - spent / 1000
            if left <= 0:
                message = f"The proof was still running after {limits.wall_seconds:g} s."
                return self._failed(task, part, Reason.WALL_TIME, message)
            turn = yield from self._channel.say(part.text, left, timed=True)
            spent += turn.wall_ms
            last = number == len(parts) - 1
            commands = _commands_among([part]) if self._trusted else 0
            if turn.ok and not _in_step(turn, handed_out, [part], commands):
                message = "The prover reads this as more than one sentence."
                return self._failed(task, part, Reason.SYNTAX, message)
            ends = part.words[:1] in {("Qed",), ("Defined",)}
            if turn.ok and turn.proofs == ("" if ends else name):
                if last and ends:
                    return (yield from self._evidence(problem, name, task))
                continue
            if turn.ok:
                return self._failed(task, part, Reason.WRONG_MODE, "The sentence left the proof that was open.")
            return (yield from self._explain(task, part, turn))
        return (yield from self._unfinished(task, parts))

    def _evidence(self, problem: ProblemSpec, name: str, task: ProofTask) -> Dialogue:
        """Positive evidence: after the proof's end the lemma exists under its name, outside every proof."""
        nonce = secrets.token_hex(8)
        turn = yield from self._channel.say(f"Definition sx_{nonce} := @{name}.", _STEP_SECONDS)
        if not turn.ok or turn.proofs:
            raise PlatformFault(f"The lemma {problem.lemma} was not there after its proof: {turn.error[:300]}")
        evidence = {
            "nonce": nonce,
            "environment": self._digest,
            "statement": digest_text(problem.statement),
            "proof": digest_text(task.text),
            "state": str(turn.state),
        }
        hidden = "Defined" in task.text and "abstract" in task.text  # steps under names of their own stay so there
        if self._looks and (hidden or not (yield from self._free_of_recursion(name))):
            evidence[UNSURE] = "recursion"
        return ProofResult(task.problem, task.attempt, Verdict.PROVED, evidence=evidence)

    def _free_of_recursion(self, name: str) -> Generator[Request, Reply, bool]:
        turn = yield from self._extra(recursion.QUESTION.format(name=name))
        return turn is not None and recursion.not_in_print(name, turn.printed)

    def _unfinished(self, task: ProofTask, parts: list[rocq.Sentence]) -> Dialogue:
        goals = yield from self._goals()
        done = goals.startswith("No more goals")
        message = "The proof does not end with Qed or Defined." if done else "The proof ends while goals are left."
        reason = Reason.UNFINISHED if done else Reason.GOALS_LEFT
        return replace(self._failed(task, parts[-1], reason, message), goals="" if done else goals)

    def _explain(self, task: ProofTask, part: rocq.Sentence, turn: Turn) -> Dialogue:
        reason = messages.classify(turn.error)
        start, end = _characters(part.text, turn.span)
        name = _UNKNOWN_NAME.search(" ".join(turn.error.split()))
        if name and reason is Reason.UNDEFINED_NAME:
            start, end = _named(part.text, name.group(1), (start, end))
            reason = _what_is_missing(part.text[:start])
        goals = yield from self._goals()
        result = replace(self._failed(task, part, reason, turn.error, (start, end)), goals=goals, verbatim=True)
        if name and REASONS[reason].error_class is ErrorClass.UNDEFINED:
            search = yield from self._extra(nearby.question(name.group(1)))
            if search is not None and search.ok:
                result = replace(result, near=nearby.nearest(name.group(1), search.printed))
        return result

    def _goals(self) -> Generator[Request, Reply, str]:
        turn = yield from self._extra("Show.")
        return turn.printed.strip()[:_SHOWN] if turn is not None and turn.ok else ""

    def _extra(self, text: str) -> Generator[Request, Reply, Turn | None]:
        """Ask what only adds to a result; None where the process ended over it, or had ended before."""
        if self._gone:
            return None
        try:
            return (yield from self._channel.say(text, _SPARE_SECONDS, spare=True))
        except AnswerLost:
            self._gone = True
            return None

    @staticmethod
    def _failed(
        task: ProofTask, part: rocq.Sentence, reason: Reason, message: str, span: tuple[int, int] | None = None
    ) -> ProofResult:
        start, end = span or (0, len(part.text))
        lines = rocq.Lines(task.text)
        line, column = lines.place(part.start + start)
        end_line, end_column = lines.place(part.start + end)
        return ProofResult(
            task.problem,
            task.attempt,
            REASONS[reason].verdict,
            reason,
            message=message[:_SHOWN],
            place=Place(line, column, end_line, end_column),
            command=part.text[:_SHOWN],
        )


def _in_step(turn: Turn, handed_out: int | None, part: Sequence[rocq.Sentence], commands: int) -> bool:
    """Whether the prover took as many sentences as were sent; one of `commands` inside a proof takes two states."""
    return handed_out is None or 0 <= turn.state - handed_out - len(part) <= commands


def _commands_among(part: Sequence[rocq.Sentence]) -> int:
    """Sentences that are a command and no tactic, as far as their first letter tells."""
    return sum(1 for sentence in part if (head := rocq.command_words(sentence)) and head[0][0].isupper())


def _characters(text: str, span: tuple[int, int] | None) -> tuple[int, int]:
    """A span of UTF-8 bytes as one of characters; the whole text where the prover named none."""
    if span is None:
        return 0, len(text)
    data = text.encode()
    start = len(data[: span[0]].decode(errors="ignore"))
    end = len(data[: span[1]].decode(errors="ignore"))
    return (start, end) if start < end <= len(text) else (0, len(text))


def _named(text: str, name: str, span: tuple[int, int]) -> tuple[int, int]:
    """Where the unknown name stands: the prover often points at the whole tactic that was given it."""
    start, end = span
    bare = rocq.without_comments(text)
    match = re.compile(rf"(?<![\w'.]){re.escape(name)}(?![\w'])").search(bare, start, end)
    return match.span() if match else span


def _what_is_missing(before: str) -> Reason:
    """What an unknown name was to be, by what stands before it in its sentence."""
    bare = rocq.without_comments(before)
    if _TACTIC_PLACE.search(bare) and not _TERM_PLACE.search(bare):
        return Reason.UNDEFINED_METHOD
    return Reason.UNDEFINED_FACT if _TAKES_FACT.search(bare) else Reason.UNDEFINED_NAME
