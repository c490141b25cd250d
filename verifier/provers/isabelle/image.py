"""The image of an environment: one more session whose heap holds the driver and every problem's recorded state.

Its sources are written here, as any Isabelle user could write them: a ROOT, one theory, the driver's ML files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Final

from verifier.core.digest import digest_bytes, digest_mapping

SESSION: Final = "Selen_Image"
THEORY: Final = f"{SESSION}.{SESSION}"
CAPSULE: Final = "selen_capsule.ML"
_DRIVER: Final = (
    "selen_json.ML",
    "selen_oracles.ML",
    "selen_problems.ML",
    "selen_nearby.ML",
    "selen_check.ML",
    "selen_serve.ML",
    "selen_image.ML",
)
# Proofs run one after the other, so that the first error is the first in the text; oracles keep their propositions.
OPTIONS: Final[Mapping[str, str]] = {
    "threads": "1",
    "parallel_proofs": "0",
    "record_proofs": "1",
    "quick_and_dirty": "false",
    "skip_proofs": "false",
    "document": "false",
}


@dataclass(frozen=True, slots=True)
class Unit:
    """A theory to replay: its session, where it stands inside the sandbox, and its problems."""

    session: str
    name: str
    path: str
    targets: tuple["Target", ...]


@dataclass(frozen=True, slots=True)
class Target:
    """A problem with the symbol at which its statement begins, from 1.

    A statement without a name is given one, for what has none leaves nothing to compare: `name` is put before the
    symbol `named_at` of the statement's own, from 0; empty for a statement that stays as it is.
    """

    problem: str
    symbol: int
    named_at: int = 0
    name: str = ""


def driver_files() -> dict[str, bytes]:
    """The driver's sources by name."""
    folder = resources.files(__package__) / "driver"
    return {name: (folder / name).read_bytes() for name in (*_DRIVER, CAPSULE)}


def driver_digest() -> str:
    """What a verdict depends on beside the prover and the theories: the driver and how its session is set up."""
    files = {name: digest_bytes(data) for name, data in driver_files().items()}
    return digest_mapping({**files, **{f"option {name}": value for name, value in OPTIONS.items()}})


def sources(parent: str, units: Sequence[Unit], report: str, *, given: bool) -> dict[str, bytes]:
    """The files of the image's session; `report` is where it writes what it found.

    With `given`, proofs that the theories leave out are taken as given.
    """
    return {
        "ROOT": _root(parent, sorted({unit.session for unit in units} - {parent})).encode(),
        f"{SESSION}.thy": _theory(units, report, given=given).encode(),
        **driver_files(),
    }


def _root(parent: str, others: Sequence[str]) -> str:
    options = ", ".join(f"{name} = {value}" for name, value in OPTIONS.items())
    sessions = "".join(f'\n    "{name}"' for name in others)
    wanted = f"  sessions{sessions}\n" if others else ""
    return f'session "{SESSION}" = "{parent}" +\n  options [{options}]\n{wanted}  theories\n    {SESSION}\n'


def _theory(units: Sequence[Unit], report: str, *, given: bool) -> str:
    imports = "\n    ".join(f'"{unit.session}.{unit.name}"' for unit in units)
    files = "\n".join(f'ML_file "{name}"' for name in _DRIVER)
    rows = ",\n  ".join(_row(unit) for unit in units)
    make = f'Selen_Image.make {str(given).lower()} \\<^theory> (Path.explode "{report}")'
    return (
        f"theory {SESSION}\n  imports\n    {imports}\nbegin\n\n{files}\n\n"
        f"ML \\<open>\n{make}\n [{rows}]\n\\<close>\n\nend\n"
    )


def _row(unit: Unit) -> str:
    targets = ", ".join(
        f'{{id = "{one.problem}", offset = {one.symbol}, named_at = {one.named_at}, name = "{one.name}"}}'
        for one in unit.targets
    )
    return f'("{unit.session}", Path.explode "{unit.path}", [{targets}])'
