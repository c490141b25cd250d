"""Isabelle, one lemma: the paper's way (`isabelle build` of its X_TGT session) against the product, in one run.

Both sides judge ground truths of packs/minikernel-isabelle on ready heaps. The paper's way builds 20 sessions of one
lemma each, X_DEP and all heaps below being there; the product checks and confirms 200 proofs, every process, sandbox
and second look included, with the two workers that a machine of two cores runs (`isabelle build` may use both cores as
well). The audit, which is `isabelle build` again, is told apart. The ratio stands last.
"""

import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from math import ceil
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.isabelle_bench import BUDGET_RATIO, SANDBOX_UID, environment_of, pack_of, say, spread
from verifier import engine
from verifier.core.problem import Pack, ProblemSpec
from verifier.core.result import ProofTask
from verifier.core.verdict import Verdict
from verifier.provers.base import BuiltEnvironment, ToolchainInfo
from verifier.provers.isabelle import isolation, theories
from verifier.provers.isabelle.builds import Bench, errors, fresh_home
from verifier.sandbox.bubblewrap import Bubblewrap

PAPERS, OURS, WORKERS = 20, 200, 2
PACK_INSIDE, SESSIONS_INSIDE = "/build/pack", "/build/sessions"


def by_product(environment: BuiltEnvironment, pack: Pack, tasks: list[ProofTask], sandbox: Bubblewrap) -> float:
    """Seconds a lemma, from nothing running to everything confirmed."""

    def work(part: list[ProofTask]) -> None:
        results = list(engine.check(environment, pack, part, sandbox, pack.limits))
        second = list(engine.confirm(environment, pack, part, sandbox, pack.limits))
        assert all(result.verdict is Verdict.PROVED for result in results), results
        assert all(result.agreed for result in second), second

    started = time.perf_counter()
    with ThreadPoolExecutor(WORKERS) as workers:
        list(workers.map(work, [tasks[at::WORKERS] for at in range(WORKERS)]))
    return (time.perf_counter() - started) / len(tasks)


def by_paper(pack: Pack, found: ToolchainInfo, problems: list[ProblemSpec], folder: Path, sandbox: Bubblewrap) -> float:
    """Seconds a lemma by `isabelle build` of X_TGT, with X_DEP and everything below built before."""
    sources = folder / "sessions"
    for problem in problems:
        for name, text in isolation.isolated(pack, problem, problem.ground_truth).items():
            path = sources / isolation.name_of(problem) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    names = [isolation.name_of(problem) for problem in problems]
    (sources / "ROOTS").write_text("\n".join(names) + "\n", encoding="utf-8")
    mounts = {str(theories.folder(pack)): PACK_INSIDE, str(sources): SESSIONS_INSIDE}
    bench = Bench(found.tools, mounts, fresh_home(folder), sandbox.run, pack.variables)
    folders = ("-d", PACK_INSIDE, "-d", SESSIONS_INSIDE)
    ready = bench.isabelle("build", "-b", *folders, *(f"{name}_DEP" for name in names))
    assert ready.exit_code == 0, errors(ready)
    started = time.perf_counter()
    for name in names:
        outcome = bench.isabelle("build", *folders, f"{name}_TGT")
        assert outcome.exit_code == 0, errors(outcome)
        assert f"Finished {name}_TGT".encode() in outcome.stdout, "it was built before"
    return (time.perf_counter() - started) / len(names)


def main() -> int:
    """Both sides, then the audit of the same proofs."""
    sandbox = Bubblewrap(SANDBOX_UID)
    pack = pack_of()
    with tempfile.TemporaryDirectory(prefix="selen-bench-") as name:
        root = Path(name)
        root.chmod(0o755)
        found = engine.toolchain(pack, sandbox)
        environment = environment_of(pack, root / "environment", sandbox)
        rounds = range(ceil(OURS / len(pack.problems)))  # the pack holds fewer: the first ones are checked twice
        tasks = [ProofTask(one.id, at + 1, one.ground_truth) for at in rounds for one in pack.problems][:OURS]
        ours = by_product(environment, pack, tasks, sandbox)
        started = time.perf_counter()
        looked = list(engine.audit(environment, pack, tasks[: len(pack.problems)], sandbox))
        audit = time.perf_counter() - started
        assert all(found.agreed for found in looked), looked
        papers = by_paper(pack, found, spread(pack, PAPERS), root / "paper", sandbox)
    ratio = papers / ours
    each = audit / len(looked)
    print(f"isabelle, audit of {len(looked)} proofs in one build | {audit:.1f} s | none | ok | {each / ours:.1f}")
    figure = f"{ours * 1000:.0f} ms a lemma, by isabelle build {papers:.1f} s"
    return say("isabelle, one lemma", figure, f"at least {BUDGET_RATIO} x", ratio, ok=ratio >= BUDGET_RATIO)


if __name__ == "__main__":
    sys.exit(main())
