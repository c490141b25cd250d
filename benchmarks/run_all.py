# ruff: noqa: PLC0415 (the folder of the product is on the path by then)
"""`make bench`: every benchmark but the big board's, a line each: name, figure, budget, ok or over or skipped, ratio.

Exits 1 when one is over its budget (design, section 13) or breaks.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NEEDS = {"rocq_session.py": "Rocq", "isabelle_isolation.py": "Isabelle", "isabelle_session.py": "Isabelle"}
APART = {"run_all.py", "isabelle_bench.py", "big_board.py", "big_board_load.py", "big_board_rows.py"}


def main() -> int:
    """Run them one after the other, so that they do not slow each other down."""
    failed = False
    for script in sorted(HERE.glob("*.py")):
        if script.name in APART:
            continue
        needed = NEEDS.get(script.name)
        if needed and not _found(needed):
            print(f"{script.stem} | - | - | skipped: no {needed} found | -", flush=True)
            continue
        outcome = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
        rows = [line for line in outcome.stdout.splitlines() if line.count(" | ") == 4]
        print("\n".join(rows) or f"{script.stem} | - | - | broken | -", flush=True)
        if outcome.returncode or not rows:
            failed = True
            if not any(" over " in row for row in rows):
                sys.stderr.write(outcome.stderr[-2000:])
    return int(failed)


def _found(prover: str) -> bool:
    """Whether its adapter finds one to measure."""
    sys.path.insert(0, str(HERE.parent))
    from verifier.provers.isabelle.toolchain import places
    from verifier.provers.rocq.toolchain import candidates

    return bool(places() if prover == "Isabelle" else candidates())


if __name__ == "__main__":
    sys.exit(main())
