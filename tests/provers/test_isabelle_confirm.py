"""What the second look makes of the answers of a fresh process, played by a script."""

import json
from collections.abc import Callable

import pytest

from tests.provers.isabelle_pack import LIMITS, isabelle_pack
from verifier.core.process import Command, LimitHit, Outcome
from verifier.core.result import ConfirmationResult, ProofTask
from verifier.provers.isabelle import confirm

PACK = isabelle_pack()
IDS = ("dbl_length", "dbl_rev")


def driver(status: Callable[[str, int], str], runs: list[int]) -> Callable[[Command], Outcome]:
    """A process that answers each request by its text and by how many requests it got; "" ends it silently."""

    def run(command: Command) -> Outcome:
        rest, asked = command.stdin, []
        while rest:
            line, _, rest = rest.partition(b"\n")
            nonce, name, _, permitted, size = line.decode().split()
            text, rest = rest[int(permitted) : int(permitted) + int(size)], rest[int(permitted) + int(size) :]
            asked.append((nonce, name, text.decode()))
        runs.append(len(asked))
        said = ""
        for nonce, name, text in asked:
            answer = status(text, len(asked))
            if not answer:
                return Outcome(None, 9, LimitHit.MEMORY, said.encode(), b"", 1, 1, 1)
            record = {"nonce": nonce, "status": answer, "digest": f"digest of {name}", "message": "", "elapsed_ms": 1}
            said += f"{json.dumps(record, separators=(',', ':'))}\n{nonce}\n"
        return Outcome(0, None, None, said.encode(), b"", 1, 1, 1)

    return run


def looked(status: Callable[[str, int], str], *texts: str) -> tuple[list[ConfirmationResult], list[int]]:
    runs: list[int] = []
    problems = {name: f"digest of {name}" for name in IDS}
    bench = confirm.Bench(Command(("/bin/poly",)), "environment", problems, PACK, LIMITS, driver(status, runs))
    tasks = [ProofTask(name, 1, text) for name, text in zip(IDS, texts, strict=False)]
    return confirm.confirm(bench, tasks), runs


@pytest.mark.parametrize(
    ("status", "agreed"),
    [("proved", True), ("goals_left", False), ("axiom_used", False), ("wall_time", None), ("interrupt", None)],
)
def test_a_limit_is_no_disagreement_and_every_other_refusal_is(status: str, agreed: bool | None) -> None:
    found, _ = looked(lambda _text, _number: status, "by simp")
    assert [one.agreed for one in found] == [agreed]


def test_what_the_common_process_could_not_answer_for_is_asked_again_alone() -> None:
    found, runs = looked(lambda text, number: "" if "eats" in text and number > 1 else "proved", "by auto", "by (eats)")
    assert [one.agreed for one in found] == [True, True]
    assert runs == [2, 1]


def test_a_process_that_never_answers_takes_nothing_back() -> None:
    found, runs = looked(lambda text, _number: "" if "eats" in text else "proved", "by (eats)", "by auto")
    assert [one.agreed for one in found] == [None, True]
    assert "did not answer" in found[0].message
    assert runs == [2, 1, 1]
