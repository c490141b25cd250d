"""`make bench`: every benchmark but the big board's, a line each: name, figure, budget, ok or over or skipped, ratio.

Exits 1 when one is over its budget (design, section 13) or breaks.
"""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NEEDS = {
    "rocq_session.py": ("coqc", "rocq"),
    "isabelle_isolation.py": ("isabelle",),
    "isabelle_session.py": ("isabelle",),
}
APART = {"run_all.py", "isabelle_bench.py", "big_board.py", "big_board_load.py", "big_board_rows.py"}


def main() -> int:
    """Run them one after the other, so that they do not slow each other down."""
    failed = False
    for script in sorted(HERE.glob("*.py")):
        if script.name in APART:
            continue
        needs = NEEDS.get(script.name, ())
        if needs and not any(shutil.which(tool) for tool in needs):
            print(f"{script.stem} | - | - | skipped: none of {', '.join(needs)} is on PATH | -", flush=True)
            continue
        outcome = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
        rows = [line for line in outcome.stdout.splitlines() if line.count(" | ") == 4]
        print("\n".join(rows) or f"{script.stem} | - | - | broken | -", flush=True)
        if outcome.returncode or not rows:
            failed = True
            if not any(" over " in row for row in rows):
                sys.stderr.write(outcome.stderr[-2000:])
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
