"""What of the judge itself a verdict depends on, as two digests of sources: a change there is a new environment.

Scores are only comparable under one policy and one driver, so nobody has to remember to raise a number. A module that
no verdict depends on is named in `APART` with the reason; every other one of this folder counts.
"""

from functools import cache
from pathlib import Path
from typing import Final

from verifier.core import rocq, rocq_lexer, rocq_outline
from verifier.core.digest import digest_files
from verifier.provers import deaths

_FOLDER: Final = Path(__file__).parent
APART: Final = {
    "__init__.py": "holds nothing",
    "ending.py": "warns of proofs that the prover judges itself",
    "identity.py": "says only what counts",
    "nearby.py": "offers names beside a verdict that stands",
    "toolchain.py": "finds the prover, whose release is in the recipe itself",
}
POLICY: Final = ("faults.py", "policy.py", "wordguard.py")


@cache
def policy() -> str:
    """Digest of the scanner and of the rules on sentences and words."""
    scanners = (Path(str(module.__file__)) for module in (rocq, rocq_lexer, rocq_outline))
    return digest_files([*scanners, *(_FOLDER / name for name in POLICY)])


@cache
def driver() -> str:
    """Digest of everything else here: dialogue, reasons, second look, the processes and their flags."""
    own = (path for path in _FOLDER.glob("*.py") if path.name not in {*APART, *POLICY})
    return digest_files([*own, Path(str(deaths.__file__))])
