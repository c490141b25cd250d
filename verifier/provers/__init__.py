"""The provers that Selen can judge with. A new one is a folder here and a line in the registry."""

from collections.abc import Mapping
from typing import Final

from verifier.provers.base import Prover
from verifier.provers.isabelle.adapter import IsabelleProver
from verifier.provers.rocq.adapter import RocqProver

REGISTRY: Final[Mapping[str, Prover]] = {
    "rocq": RocqProver(),
    "isabelle": IsabelleProver(),
}
