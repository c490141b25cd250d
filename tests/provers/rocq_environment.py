"""An environment of the small pack on this machine, built once for a test module, with every problem open to proofs."""

from dataclasses import replace
from pathlib import Path

from tests.provers.small_pack import small_pack
from verifier import engine, store
from verifier.core.digest import digest_mapping
from verifier.core.problem import Pack
from verifier.provers.base import BuiltEnvironment
from verifier.sandbox.bubblewrap import Bubblewrap


def built(root: Path, uid: int, pack: Pack | None = None) -> BuiltEnvironment:
    pack = pack or small_pack()
    sandbox = Bubblewrap(uid)
    found = engine.toolchain(pack, sandbox)
    digest = digest_mapping(engine.prover_of(pack).recipe(pack, found))
    return store.save(root, digest, lambda folder: engine.build(pack, found, folder, sandbox, lambda _: None))


def opened(environment: BuiltEnvironment) -> BuiltEnvironment:
    """The same with the statements that have no proof let in, for attacks on them."""
    return replace(environment, refused={})
