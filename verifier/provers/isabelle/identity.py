"""What of the judge itself a verdict depends on, as digests of sources: a change there is a new environment.

A module that no verdict depends on is named in `APART` with the reason; every other one of this folder counts.
"""

from functools import cache
from pathlib import Path
from typing import Final

from verifier.core import isar_lexer
from verifier.core.digest import digest_files
from verifier.provers import deaths

_FOLDER: Final = Path(__file__).parent
APART: Final = {
    "__init__.py": "holds nothing",
    "audit.py": "looks at verdicts that stand",
    "faults.py": "is shown beside the release",
    "identity.py": "says only what counts",
    "isolation.py": "writes sources for hosts",
    "steps.py": "counts what a build takes",
    "toolchain.py": "finds the prover, whose release is in the recipe itself",
}
POLICY: Final = ("keywords.py", "policy.py", "statements.py", "symbols.py")


@cache
def policy() -> str:
    """Digest of the scanner and of the rules on commands and words."""
    return digest_files([Path(str(isar_lexer.__file__)), *(_FOLDER / name for name in POLICY)])


@cache
def judge() -> str:
    """Digest of everything else here but the ML: records, reasons, dialogue, second look, the process and its flags."""
    own = (path for path in _FOLDER.glob("*.py") if path.name not in {*APART, *POLICY})
    return digest_files([*own, Path(str(deaths.__file__))])
