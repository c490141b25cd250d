"""Which ground truths does a fresh environment accept: each is tried once, however often the build is interrupted.

Until all are tried, the record of what the prover made stands below `begun`, with one line a ground truth.
"""

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack
from verifier.core.reason import Reason
from verifier.core.result import ConfirmationResult, ProofResult
from verifier.provers.base import BEGUN, MADE, BuiltEnvironment
from verifier.provers.record import record_read, record_written

_TRIED: Final = "tried.jsonl"
_SAID: Final = 500  # characters
_TOLD_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Tried:
    """One ground truth: why it was not accepted, empty where it was, the prover's words, milliseconds of the proof.

    `looked` says that the second look has been made.
    """

    problem: str
    reason: str
    said: str
    wall_ms: int
    looked: bool = False


class Trial:
    """The folder of one environment while it is built."""

    def __init__(self, folder: Path, pack: Pack) -> None:
        self._folder, self._pack = folder, pack
        self._made, self._tried = folder / BEGUN / MADE, folder / BEGUN / _TRIED

    def made(self) -> BuiltEnvironment | None:
        """What an interrupted build made, if all of it was and for the same problems, which no recipe names."""
        with suppress(FileNotFoundError, ValueError, TypeError, KeyError):
            values = json.loads(self._made.read_text(encoding="utf-8"))
            if values["problems"] == self._pack.digest:
                return record_read(values["record"], self._folder)
        return None

    def begin(self, made: BuiltEnvironment) -> None:
        """From here on an interruption costs nothing of what was made."""
        self._made.parent.mkdir(exist_ok=True)
        self._made.parent.chmod(0o755)
        beside = self._made.with_suffix(".new")
        values = {"problems": self._pack.digest, "record": record_written(made)}
        beside.write_text(json.dumps(values), encoding="utf-8")
        beside.replace(self._made)

    def clear(self) -> None:
        """Take away what was made for other problems or is damaged; heaps of a build that made not all of it stay."""
        if not self._made.exists():
            return
        for left in self._folder.iterdir():
            if left.is_dir():
                shutil.rmtree(left)
            else:
                left.unlink()

    def tried(self) -> dict[str, Tried]:
        """What became of those that were tried; a line that was cut off is left out, so that it is tried again."""
        found: dict[str, Tried] = {}
        lines = self._tried.read_text(encoding="utf-8").splitlines() if self._tried.is_file() else []
        for line in lines:
            with suppress(ValueError, TypeError):
                one = Tried(**json.loads(line))
                found[one.problem] = one
        return found

    def follow(self, results: Iterator[ProofResult], number: int, say: Callable[[str], None]) -> Iterator[Tried]:
        """Each of `number` results as it is known, remembered across an interruption; now and then how many are left.

        PlatformFault where the prover could not be asked, which says nothing of the ground truth.
        """
        began = told = time.monotonic()
        with self._lines() as note:
            for done, result in enumerate(results, start=1):
                if result.reason is Reason.SANDBOX_FAILED:
                    raise _not_asked(result.problem, result.message)
                one = Tried(result.problem, str(result.reason or ""), result.message[:_SAID], result.wall_ms)
                note(one)
                yield one
                now = time.monotonic()
                if now - told >= _TOLD_SECONDS:
                    told, left = now, (now - began) / done * (number - done)
                    say(f"{done:,} of {number:,} tried, about {timedelta(seconds=round(left))} left")

    def look(self, looks: Iterator[ConfirmationResult], tried: Mapping[str, Tried]) -> Iterator[Tried]:
        """What the second look says of each of `tried` that was accepted; one without an answer takes nothing back."""
        with self._lines() as note:
            for look in looks:
                if look.reason is Reason.SANDBOX_FAILED:
                    raise _not_asked(look.problem, look.message)
                one = replace(tried[look.problem], looked=True)
                if look.agreed is False:
                    reason = look.reason or (Reason.AXIOM_USED if look.axioms else Reason.CONFIRMATION_DISAGREED)
                    one = replace(one, reason=str(reason), said=look.message[:_SAID])
                note(one)
                yield one

    @contextmanager
    def _lines(self) -> Iterator[Callable[[Tried], None]]:
        with self._tried.open("a", encoding="utf-8") as file:
            file.write("\n")  # the last line may have been cut off

            def note(one: Tried) -> None:
                file.write(f"{json.dumps(asdict(one))}\n")
                file.flush()

            yield note


def _not_asked(problem: str, message: str) -> PlatformFault:
    return PlatformFault(
        f"The ground truth of {problem} could not be tried: {message} "
        "Those that were tried are kept for a day; run the command again when this is mended."
    )
