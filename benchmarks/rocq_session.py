"""Rocq, 20 lemmas end to end: the engine (check and confirm) against one hand-fed prover plus the official check.

Both sides run here, one after the other, three times each; the best of each counts. The ratio stands last.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.provers import rocq_environment
from tests.provers.small_pack import written_pack
from verifier import engine
from verifier.core.limits import Limits
from verifier.core.problem import Pack
from verifier.core.result import ProofTask
from verifier.core.verdict import Verdict
from verifier.sandbox.bubblewrap import Bubblewrap

BUDGET = 1.3
COUNT = 20
SANDBOX_UID = 61990
HEADER = "From Coq Require Import Lia Arith List.\n"
ENTRY = """
Lemma step_{n} : forall a b c : nat, a + (b + {n}) <= c -> {n} + a <= c.
Proof.
  intros a b c H.
  assert (K : a + {n} <= c) by lia.
  rewrite Nat.add_comm. exact K.
Qed.
"""


def pack_in(root: Path) -> Pack:
    """Twenty lemmas in one file, each a problem."""
    return written_pack(root, {"Steps": HEADER + "".join(ENTRY.format(n=n) for n in range(COUNT))}, limits=Limits())


def by_engine(pack: Pack, environment: engine.BuiltEnvironment, sandbox: Bubblewrap) -> float:
    """Seconds of check and confirmation through the engine."""
    tasks = [ProofTask(one.id, 1, one.ground_truth) for one in pack.problems]
    started = time.perf_counter()
    results = list(engine.check(environment, pack, tasks, sandbox, pack.limits))
    second = list(engine.confirm(environment, pack, tasks, sandbox, pack.limits))
    seconds = time.perf_counter() - started
    assert all(result.verdict is Verdict.PROVED for result in results), results
    assert all(result.agreed for result in second), second
    return seconds


def by_hand(pack: Pack, folder: Path) -> float:
    """The same work without any judge: coqtop on a pipe, then spec, submission and check file, then coqchk."""
    source = (pack.root / "theories" / "Steps.v").read_text(encoding="utf-8")
    names = [one.lemma for one in pack.problems]
    (folder / "Sub.v").write_text(source, encoding="utf-8")
    spec = [
        f"Definition g_{one.lemma} : Prop := {one.statement.partition(':')[2].rstrip()[:-1]}." for one in pack.problems
    ]
    (folder / "Spec.v").write_text(HEADER + "\n".join(spec), encoding="utf-8")
    check = [f"Definition c_{name} : Spec.g_{name} := Sub.{name}." for name in names]
    final = f"Definition all := ({', '.join(f'c_{name}' for name in names)}).\nPrint Assumptions all.\n"
    (folder / "Chk.v").write_text("Require Spec Sub.\n" + "\n".join(check) + f"\n{final}", encoding="utf-8")
    started = time.perf_counter()
    run(["coqtop", "-q", "-emacs"], folder, source)
    for name in ("Spec", "Sub", "Chk"):
        run(["coqc", "-q", "-noglob", "-Q", ".", "", f"{name}.v"], folder)
    run(["coqchk", "-silent", "-norec", "Sub", "-Q", ".", ""], folder)
    return time.perf_counter() - started


def run(argv: list[str], folder: Path, text: str = "") -> None:
    """Run one program of the prover, as a person would."""
    subprocess.run(argv, cwd=folder, input=text.encode(), capture_output=True, check=True)


def main() -> int:
    """Run both sides and print the ratio last."""
    sandbox = Bubblewrap(SANDBOX_UID)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        pack = pack_in(root)
        environment = rocq_environment.built(root / "environments", SANDBOX_UID, pack)
        hand, judge = [], []
        for turn in range(3):
            folder = root / f"hand-{turn}"
            folder.mkdir()
            hand.append(by_hand(pack, folder))
            judge.append(by_engine(pack, environment, sandbox))
    ratio = min(judge) / min(hand)
    figure = f"{min(judge):.2f} s, by hand {min(hand):.2f} s"
    print(
        f"rocq, {COUNT} lemmas end to end | {figure} | {BUDGET} x | {'ok' if ratio <= BUDGET else 'over'} | {ratio:.2f}"
    )
    return 0 if ratio <= BUDGET else 1


if __name__ == "__main__":
    sys.exit(main())
