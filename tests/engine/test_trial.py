"""Every ground truth is tried once, however often the build is interrupted; what was made is not made again."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.engine.scripted import ScriptedProver, ScriptedSandbox, ScriptedSession, pack
from verifier import engine, store
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack
from verifier.core.process import Reply
from verifier.core.reason import Reason
from verifier.core.result import ConfirmationResult, ProofTask
from verifier.provers.base import BuiltEnvironment, ToolchainInfo

DIGEST = "d" * 64
FOUND = ToolchainInfo("Scripted", "1", {}, tried=True)


@dataclass
class Building(ScriptedProver):
    """Makes one file; counts how often."""

    made: int = 0
    damaged: bool = False
    audits: bool = True

    def build(self, pack, toolchain, folder, run, say) -> BuiltEnvironment:
        assert [path.name for path in folder.iterdir()] == []
        self.made += 1
        (folder / "heap").write_text("whole")
        return BuiltEnvironment(DIGEST, pack.slug, self.name, "1", folder, {}, {})

    def session(self, environment, pack, unit, limits):
        if self.damaged:
            raise PlatformFault("The heap was changed.")
        assert (environment.folder / "heap").read_text() == "whole"
        return super().session(environment, pack, unit, limits)


@dataclass
class Stopping(ScriptedSandbox):
    """Ends the command at the proof of this number, from 1; 0 for never."""

    at: int = 0
    asked: list[str] = field(default_factory=list)

    def open(self, command):
        session = super().open(command)
        return _Stopped(self, session.opening)


class _Stopped(ScriptedSession):
    def ask(self, request: bytes, until: bytes, wall_seconds: float) -> Reply:
        if request != b"hello":
            self.sandbox.asked.append(request.decode())
            if len(self.sandbox.asked) == self.sandbox.at:
                raise KeyboardInterrupt
        return super().ask(request, until, wall_seconds)


@pytest.fixture
def prover(monkeypatch) -> Building:
    prover = Building()
    monkeypatch.setitem(engine.REGISTRY, "scripted", prover)
    return prover


def _pack(truths: Sequence[str] = ("proved a", "failed b", "proved c", "proved d")) -> Pack:
    empty = pack(Low=["a", "b"], High=["c", "d"])
    told = zip(empty.problems, truths, strict=True)
    return replace(empty, problems=tuple(replace(one, ground_truth=text) for one, text in told), digest=str(truths))


def _built(root: Path, some: Pack, sandbox: ScriptedSandbox, said: list[str] | None = None) -> BuiltEnvironment:
    say = [].append if said is None else said.append
    return store.save(root, DIGEST, lambda folder: engine.build(some, FOUND, folder, sandbox, say), anew=True)


def _interrupted(root: Path, some: Pack, at: int) -> Stopping:
    sandbox = Stopping(at=at)
    with pytest.raises(KeyboardInterrupt):
        _built(root, some, sandbox)
    assert store.environments(root) == []
    return sandbox


def test_an_interrupted_trial_goes_on_behind_the_last_ground_truth(prover, tmp_path):
    _interrupted(tmp_path, _pack(), at=3)
    said: list[str] = []
    sandbox = Stopping()
    whole = _built(tmp_path, _pack(), sandbox, said)
    assert sandbox.asked == ["proved c", "proved d"]
    assert prover.made == 1
    assert said[0] == "Trying 4 ground truths in isolation, 2 of them before the interruption"
    assert said[1].startswith("3 verified, 1 refused")
    assert whole.refused == {"b": "its own proof is not accepted (method_failed)"}
    assert whole.said == {"b": "no"}
    assert store.load(tmp_path, DIGEST) == whole
    assert sorted(path.name for path in whole.folder.iterdir()) == ["environment.json", "heap"]


def test_the_whole_is_the_same_with_interruptions_and_without(prover, tmp_path):
    straight = _built(tmp_path / "straight", _pack(), Stopping())
    for at in (1, 2, 1, 1):
        _interrupted(tmp_path / "often", _pack(), at)
    whole = _built(tmp_path / "often", _pack(), Stopping())
    assert replace(whole, folder=straight.folder) == straight
    assert prover.made == 2


def test_a_line_that_was_cut_off_is_tried_again(prover, tmp_path):
    _interrupted(tmp_path, _pack(), at=4)
    (lines,) = tmp_path.rglob("tried.jsonl")
    lines.write_text(lines.read_text().rstrip()[:-5])
    sandbox = _interrupted(tmp_path, _pack(), at=2)
    assert sandbox.asked[0] == "proved c"
    sandbox = Stopping()
    assert _built(tmp_path, _pack(), sandbox).refused.keys() == {"b"}
    assert sandbox.asked == ["proved d"]


def test_other_problems_are_built_and_tried_anew(prover, tmp_path):
    _interrupted(tmp_path, _pack(), at=3)
    sandbox = Stopping()
    _built(tmp_path, _pack(["proved x", "proved b", "proved c", "proved d"]), sandbox)
    assert len(sandbox.asked) == 4
    assert prover.made == 2


def test_what_was_damaged_since_is_made_anew(prover, tmp_path):
    _interrupted(tmp_path, _pack(), at=3)
    prover.damaged = True
    with pytest.raises(PlatformFault, match="could not be tried: The heap was changed"):
        _built(tmp_path, _pack(), Stopping())
    prover.damaged = False
    _built(tmp_path, _pack(), Stopping())
    assert prover.made == 2


def test_what_could_not_be_asked_is_no_refusal_and_is_asked_again(prover, tmp_path):
    with pytest.raises(PlatformFault, match=r"of c could not be tried: The walls .* run the command again"):
        _built(tmp_path, _pack(), Stopping(openings=["ok", "walls"]))
    sandbox = Stopping()
    assert _built(tmp_path, _pack(), sandbox).refused.keys() == {"b"}
    assert sandbox.asked == ["proved c", "proved d"]


def test_what_the_official_check_does_not_confirm_is_refused_and_looked_at_once(prover, tmp_path):
    prover.audits = False
    looked: list[str] = []

    def look(task: ProofTask) -> ConfirmationResult:
        looked.append(task.problem)
        if len(looked) == 2:
            raise KeyboardInterrupt
        axioms = ("classic",) if task.problem == "c" else ()
        return ConfirmationResult(task.problem, 1, not axioms, "It rests on classic.", axioms)

    prover.second_look = look
    with pytest.raises(KeyboardInterrupt):
        _built(tmp_path, _pack(), Stopping())
    said: list[str] = []
    sandbox = Stopping()
    built = _built(tmp_path, _pack(), sandbox, said)
    assert (sandbox.asked, looked) == ([], ["a", "c", "c", "d"])
    assert said[1:] == ["Looking at what 2 of them rest on", said[2]]
    assert said[2].startswith("2 verified, 2 refused")
    assert built.refused == {
        "b": "its own proof is not accepted (method_failed)",
        "c": "its own proof is not accepted (axiom_used)",
    }
    assert built.said == {"b": "no", "c": "It rests on classic."}


def test_what_no_team_could_send_is_not_looked_at_and_stays(prover, tmp_path):
    prover.audits = False
    prover.second_look = lambda task: ConfirmationResult(task.problem, 1, True)
    built = _built(tmp_path, _pack(["proved refuse", "proved b", "proved c", "proved d"]), Stopping())
    assert dict(built.refused) == {}


def test_a_problem_that_came_or_moved_since_is_not_judged_in_the_old_environment(prover, tmp_path):
    built = _built(tmp_path, _pack(), Stopping())
    moved = _pack()
    a, b, *others = moved.problems
    moved = replace(moved, problems=(replace(a, position=b.position), replace(b, id="new"), *others))
    tasks = [ProofTask(name, 1, "proved") for name in ("a", "new", "c")]
    results = {one.problem: one for one in engine.check(built, moved, tasks, Stopping(), moved.limits)}
    assert {name: one.reason for name, one in results.items()} == {
        "a": Reason.PACK_BROKEN,
        "new": Reason.PACK_BROKEN,
        "c": None,
    }
    assert "packs build script" in results["new"].message
