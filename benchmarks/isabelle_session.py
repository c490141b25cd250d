"""Isabelle, a warm session: what a check costs over the proof itself, how long a start takes, what memory it holds.

The start is held to the bare ML process that loads the same heaps outside every wall and ends. Both run in this run,
one after the other. The ratios stand last.
"""

import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import contextlib

from benchmarks.isabelle_bench import SANDBOX_UID, environment_of, pack_of, say
from verifier import engine
from verifier.core.limits import Limits
from verifier.core.problem import Pack
from verifier.provers.base import BuiltEnvironment
from verifier.provers.isabelle import capsule, dialogue, records
from verifier.sandbox.bubblewrap import Bubblewrap

CHECKS = 1000
BUDGET_MS = 10.0
BUDGET_START = 1.5
STARTS = 5


def started(environment: BuiltEnvironment, pack: Pack, sandbox: Bubblewrap):  # noqa: ANN201 - plan and live session
    """A session that has loaded its heaps, and the seconds that took."""
    plan = engine.prover_of(pack).session(environment, pack, "", pack.limits)
    begun = time.perf_counter()
    session = sandbox.open(plan.command)
    opening = plan.opening()
    request = next(opening)
    with contextlib.suppress(StopIteration):
        opening.send(session.ask(request.data, request.until, request.wall_seconds))
    return plan, session, time.perf_counter() - begun


def overheads(environment: BuiltEnvironment, pack: Pack, sandbox: Bubblewrap) -> tuple[list[float], int]:
    """Milliseconds of each check beyond the running of its text, and the peak memory of the session in bytes."""
    short = [problem for problem in pack.problems if len(problem.ground_truth.splitlines()) == 1]
    _, session, _ = started(environment, pack, sandbox)
    spent: list[float] = []
    for number in range(CHECKS):
        problem = short[number % len(short)]
        word = dialogue.nonce()
        data = dialogue.request(word, problem, problem.ground_truth, Limits(wall_seconds=30))
        begun = time.perf_counter()
        reply = session.ask(data, f"\n{word}\n".encode(), 60)
        milliseconds = (time.perf_counter() - begun) * 1000
        record = records.parse(reply.stdout, word)
        assert record["status"] == "proved", record
        spent.append(milliseconds - int(str(record["text_us"])) / 1000)
    return spent, session.close().peak_bytes


def bare(environment: BuiltEnvironment, pack: Pack, sandbox: Bubblewrap) -> float:
    """Seconds of the ML process on the same heaps, started by hand and ended at once."""
    tools = engine.toolchain(pack, sandbox).tools
    kept = capsule.load(environment.folder)
    paths = [capsule.host_path(kept, inside, environment.folder, tools["home"]) for inside in kept.heaps]
    program = capsule.host_path(kept, kept.program, environment.folder, tools["home"])
    loads = ", ".join(f'"{path}"' for path in paths)
    with tempfile.TemporaryDirectory() as name:
        options = Path(name) / "options"
        options.write_text(kept.options, encoding="utf-8")
        tables = Path(name) / "init_session"
        tables.write_text(kept.init_session, encoding="utf-8")
        argv = [str(program), "-q", "--gcthreads", "1"]
        for text in (
            f"(PolyML.SaveState.loadHierarchy [{loads}]; PolyML.print_depth 0)",
            "Options.load_default ()",
            "Resources.init_session_env ()",
            "Isabelle_Process.init_options ()",
            "OS.Process.exit OS.Process.success",
        ):
            argv += ["--eval", text]
        moved = {
            key: re.sub(rf"^{re.escape(kept.home)}", tools["home"], value) for key, value in kept.environment.items()
        }
        moved |= {"ISABELLE_PROCESS_OPTIONS": str(options), "ISABELLE_INIT_SESSION": str(tables), "HOME": name}
        moved |= {"ISABELLE_TMP": name, "POLYSTATSDIR": name}
        begun = time.perf_counter()
        subprocess.run(argv, env=moved, check=True, capture_output=True)
        return time.perf_counter() - begun


def main() -> int:
    """The three figures."""
    sandbox = Bubblewrap(SANDBOX_UID)
    pack = pack_of()
    with tempfile.TemporaryDirectory(prefix="selen-bench-") as name:
        root = Path(name)
        root.chmod(0o755)
        environment = environment_of(pack, root / "environment", sandbox)
        spent, peak = overheads(environment, pack, sandbox)
        walled, raw = [], []
        for _ in range(STARTS):
            raw.append(bare(environment, pack, sandbox))
            _, session, seconds = started(environment, pack, sandbox)
            session.close()
            walled.append(seconds)
    median = statistics.median(spent)
    ratio = min(walled) / min(raw)
    figure = f"median {median:.1f} ms, p95 {sorted(spent)[int(0.95 * len(spent))]:.1f} ms"
    failed = say(
        f"isabelle, over a proof's own time ({CHECKS})",
        figure,
        f"{BUDGET_MS} ms",
        median / BUDGET_MS,
        ok=median <= BUDGET_MS,
    )
    print(f"isabelle, memory of a warm session after {CHECKS} checks | {peak / 2**20:.0f} MiB | none | ok | 1.00")
    figure = f"{min(walled):.2f} s, bare process {min(raw):.2f} s"
    return failed | say("isabelle, session start", figure, f"{BUDGET_START} x", ratio, ok=ratio <= BUDGET_START)


if __name__ == "__main__":
    sys.exit(main())
