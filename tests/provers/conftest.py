"""What the live tests of one prover share: an environment, built once."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.provers import isabelle_pack
from verifier import engine
from verifier.core.errors import PlatformFault
from verifier.provers.base import BuiltEnvironment
from verifier.sandbox.bubblewrap import Bubblewrap


@pytest.fixture(scope="session")
def isabelle_environment() -> Iterator[BuiltEnvironment]:
    """The corpora's pack, built by the Isabelle that is found here; skips with the reason where none is."""
    pack = isabelle_pack.isabelle_pack()
    try:
        engine.toolchain(pack, Bubblewrap(isabelle_pack.SANDBOX_UID))
    except PlatformFault as fault:
        pytest.skip(str(fault))
    # Not below pytest's own folder, which only its owner may enter: the sandbox builds as a user of its own.
    with tempfile.TemporaryDirectory(prefix="selen-isabelle-") as name:
        Path(name).chmod(0o755)
        yield isabelle_pack.built(Path(name) / "environment")
