"""What the benchmarks of Isabelle share: pack, environment, problems spread over it, the line that is printed."""

from pathlib import Path

from verifier import engine
from verifier.core.problem import Pack, ProblemSpec
from verifier.packs.loader import load_pack
from verifier.provers.base import BuiltEnvironment
from verifier.sandbox.bubblewrap import Bubblewrap

SANDBOX_UID = 61991
BUDGET_RATIO = 200
_PACKS = Path(__file__).parents[1] / "packs"


def pack_of() -> Pack:
    """The shipped pack."""
    return load_pack("minikernel-isabelle", _PACKS)


def environment_of(pack: Pack, folder: Path, sandbox: Bubblewrap) -> BuiltEnvironment:
    """Built into `folder`, with every ground truth tried."""
    folder.mkdir()
    folder.chmod(0o755)
    built = engine.build(pack, engine.toolchain(pack, sandbox), folder, sandbox, lambda _: None)
    assert not built.refused, built.refused
    return built


def spread(pack: Pack, count: int) -> list[ProblemSpec]:
    """That many problems, evenly over the pack; all of them where there are fewer."""
    count = min(count, len(pack.problems))
    return [pack.problems[at * len(pack.problems) // count] for at in range(count)]


def say(name: str, figure: str, budget: str, ratio: float, *, ok: bool) -> int:
    """Print the line of a benchmark, the ratio last; the exit code."""
    print(f"{name} | {figure} | {budget} | {'ok' if ok else 'over'} | {ratio:.2f}")
    return 0 if ok else 1
