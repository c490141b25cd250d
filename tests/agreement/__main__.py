# ruff: noqa: T201 (the figures are printed)
"""`python -m tests.agreement`: every problem, sample system and attack of both packs, all looks, all differences.

`--seed N --count M` takes M proofs of each pack, chosen by that seed. Exits 1 when two looks differ.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.agreement.looks import PACKS, attacks, compare, tasks_of
from verifier import engine
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack
from verifier.core.result import ProofTask
from verifier.packs.loader import load_pack
from verifier.sandbox.bubblewrap import Bubblewrap

SANDBOX_UID = 61992


def looked_at(pack: Pack, tasks: list[ProofTask], sandbox: Bubblewrap) -> int:
    """Build, take all looks, print a line; the number of differences."""
    try:
        found = engine.toolchain(pack, sandbox)
    except PlatformFault as fault:
        print(f"{pack.slug} | skipped: {fault}")
        return 0
    isabelle = pack.prover == "isabelle"
    with tempfile.TemporaryDirectory(prefix="selen-agreement-") as name:
        root = Path(name)
        root.chmod(0o755)
        folder = root / "environment"
        folder.mkdir()
        folder.chmod(0o755)
        environment = engine.build(pack, found, folder, sandbox, lambda _: None)
        tally = compare(pack, environment, tasks, sandbox, failing=isabelle, audit=isabelle)
    audited = f", {tally.audited} audited" if isabelle else ""
    print(
        f"{pack.slug} | {tally.judged} judged, {tally.proved} proved, {tally.confirmed} confirmed{audited} | "
        f"{len(tally.differences)} differences",
        flush=True,
    )
    for difference in tally.differences:
        print(f"  {difference}")
    return len(tally.differences)


def main() -> int:
    """All packs, one after the other."""
    parser = argparse.ArgumentParser(description="Hold the product's looks at proofs against each other.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, help="proofs of each pack; all by default")
    options = parser.parse_args()
    sandbox = Bubblewrap(SANDBOX_UID)
    shipped = [load_pack(slug, PACKS) for slug in ("minikernel-rocq", "minikernel-isabelle")]
    differences = 0
    for pack, tasks in [*((pack, tasks_of(pack)) for pack in shipped), attacks()]:
        chosen = tasks
        if options.count is not None and options.count < len(tasks):
            chosen = random.Random(options.seed).sample(tasks, options.count)
        differences += looked_at(pack, chosen, sandbox)
    return int(differences > 0)


if __name__ == "__main__":
    sys.exit(main())
