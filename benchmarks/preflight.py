"""Preflight against its budgets: time on one core and memory of an ordinary upload and of the largest legal one.

Prints `name | figure | budget | ok|over`, with the ratio of figure to budget last; exits 1 when one is over. Each
figure is taken in a process of its own, which has loaded the vocabulary and has seen the pack once.
"""

import io
import json
import random
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.provers.small_pack import written_pack
from verifier.core.archive_limits import UploadLimits
from verifier.core.limits import Limits
from verifier.core.problem import Pack
from verifier.core.tokens import load_vocabulary
from verifier.intake import examine
from verifier.provers import REGISTRY

ORDINARY_PROBLEMS, ORDINARY_ATTEMPTS, ORDINARY_LINES = 340, 5, 7
LARGE_PROBLEMS, LARGE_ATTEMPTS, LARGE_LINES = 4_000, 5, 76
LARGE_BYTES = 4_900  # of one proof
TACTICS = (
    "intros {a} {b} H{n}.",
    "destruct (step_{a} {b}) as [{a}{n} | {b}{n}] eqn:E{n}; simpl in *; try discriminate.",
    "- rewrite lookup_{a}_{b} by lia. (* the entry {n} stays *)",
    "assert (Hvalid{n} : valid_{a} (update {b} {n})) by (apply update_keeps_{b}; auto).",
    "- inversion H{n}; subst; eauto using cap_{a}, cap_{b}.",
    "apply {a}_preserves_{b} with (k := {n}); [assumption | lia].",
)
NAMES = ("cap", "slot", "obj", "space", "frame", "right", "thread", "queue", "page", "table")


def names(count: int) -> list[str]:
    """Lemmas of a benchmark that does not exist."""
    return [f"{NAMES[n % 10]}_{NAMES[n // 10 % 10]}_invariant_{n}" for n in range(count)]


def pack(count: int, root: Path) -> Pack:
    """A pack of one theory, laid into the folder `root`."""
    lemmas = (f"Lemma {name} : forall n : nat, n = n.\nProof. auto. Qed.\n" for name in names(count))
    return written_pack(root, {"Kernel": "\n".join(lemmas)}, limits=Limits())


def isabelle(rocq: Pack) -> Pack:
    """The same problems as lemmas of an Isabelle theory."""
    (rocq.root / "theories" / "Kernel.thy").write_text("theory Kernel imports Main begin end\n", encoding="utf-8")
    problems = tuple(replace(one, statement=f'lemma {one.id}: "(n::nat) = n"') for one in rocq.problems)
    return replace(rocq, prover="isabelle", problems=problems)


def proof(dice: random.Random, lines: int) -> str:
    """A text that looks like a proof and compresses like one."""
    rows = (
        dice.choice(TACTICS).format(a=dice.choice(NAMES), b=dice.choice(NAMES), n=dice.randrange(100))
        for _ in range(lines)
    )
    return "Proof.\n" + "\n".join(rows) + "\nQed.\n"


def archive(count: int, attempts: int, lines: int) -> bytes:
    """The zip of one proof for each problem and attempt, the same bytes on every run."""
    dice = random.Random(7)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zipped:
        for attempt in range(1, attempts + 1):
            for name in names(count):
                zipped.writestr(f"{attempt}/{name}.v", proof(dice, lines))
    return buffer.getvalue()


def refused(prover: str) -> bytes:
    """The largest legal zip of proofs that policy refuses word by word; of all that was tried it takes longest."""
    text = {"rocq": "admit. Check x. 1_ fix ", "isabelle": "\u27f9 tactic ML \\1 @{ \u00e9 \\<x "}[prover]
    text *= LARGE_BYTES // len(text.encode())
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zipped:
        for attempt in range(1, LARGE_ATTEMPTS + 1):
            for name in names(LARGE_PROBLEMS):
                zipped.writestr(f"{attempt}/{name}{REGISTRY[prover].extension}", text)
    return buffer.getvalue()


def jsonl(record: dict[str, str]) -> bytes:
    """One record as a file."""
    return json.dumps(record).encode()


def peak_bytes() -> int:
    """Highest memory of this process since it was last reset."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) * 1024 if found else 0


def measure(path: Path, count: int, prover: str, wanted: str) -> None:
    """Examine one archive and print seconds, memory growth and inflated size."""
    load_vocabulary()
    rocq = pack(count, path.parent)
    benchmark = isabelle(rocq) if prover == "isabelle" else rocq
    first = jsonl({"problem": benchmark.problems[0].id, "proof": "Proof. auto. Qed."})
    examine(benchmark, REGISTRY[prover], None, first, "first.jsonl", UploadLimits())  # the pack is known by now
    Path("/proc/self/clear_refs").write_text("5")  # peak := now
    before, started = peak_bytes(), time.process_time()
    with path.open("rb") as file:
        report = examine(benchmark, REGISTRY[prover], None, file, path.name, UploadLimits())
    seconds = time.process_time() - started
    kept = not report.rejected if wanted == "kept" else report.rejected == len(report.proofs)
    if not report.accepted or report.missing or not kept:
        raise SystemExit(f"the benchmark's own upload has other findings: {report.findings[:3]}")
    print(seconds, peak_bytes() - before, report.inflated)


def measured(path: Path, count: int, prover: str = "rocq", wanted: str = "kept") -> tuple[float, int, int]:
    """The same from a fresh process."""
    # stderr is shown: a failed measurement explains itself there
    command = [sys.executable, __file__, "--measure", str(path), str(count), prover, wanted]
    seconds, growth, inflated = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return float(seconds), int(growth), int(inflated)


def line(name: str, figure: str, budget: str, ratio: float) -> bool:
    """Print one figure; whether it keeps its budget."""
    print(f"{name} | {figure} | {budget} | {'ok' if ratio < 1 else 'over'} | {ratio:.2f}")
    return ratio < 1


def main() -> int:
    """All figures; 1 when one is over."""
    with tempfile.TemporaryDirectory() as folder:
        ordinary, large = Path(folder) / "ordinary.zip", Path(folder) / "large.zip"
        ordinary.write_bytes(archive(ORDINARY_PROBLEMS, ORDINARY_ATTEMPTS, ORDINARY_LINES))
        large.write_bytes(archive(LARGE_PROBLEMS, LARGE_ATTEMPTS, LARGE_LINES))
        runs = [measured(ordinary, ORDINARY_PROBLEMS) for _ in range(3)]
        seconds, growth = min(run[0] for run in runs), max(run[1] for run in runs)
        inflated = runs[0][2]
        size = ordinary.stat().st_size
        what = f"340 x 5 proofs, {size / 1e6:.2f} MB zip, {inflated / 1e6:.2f} MB inflated"
        kept = [
            line(f"preflight time, {what}", f"{seconds:.2f} s", "under 1 s", seconds),
            line(
                "preflight memory, the same", f"{growth / inflated:.1f} x inflated", "under 4 x", growth / inflated / 4
            ),
        ]
        seconds, growth, inflated = measured(large, LARGE_PROBLEMS)
        what = f"20,000 proofs, {large.stat().st_size / 1e6:.1f} MB zip, {inflated / 1e6:.1f} MB inflated"
        kept += [
            line(f"preflight time, {what}", f"{seconds:.1f} s", "under 20 s", seconds / 20),
            line(
                "preflight memory, the same", f"{growth / inflated:.1f} x inflated", "under 4 x", growth / inflated / 4
            ),
        ]
        for prover in ("rocq", "isabelle"):
            large.write_bytes(refused(prover))
            seconds, growth, inflated = measured(large, LARGE_PROBLEMS, prover, "rejected")
            what = f"20,000 {prover} proofs of forbidden words alone, {inflated / 1e6:.1f} MB inflated"
            kept += [
                line(f"preflight time, {what}", f"{seconds:.1f} s", "under 20 s", seconds / 20),
                line(
                    "preflight memory, the same",
                    f"{growth / inflated:.1f} x inflated",
                    "under 4 x",
                    growth / inflated / 4,
                ),
            ]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5])
    else:
        sys.exit(main())
