"""The environment of a pack on this host: found, built, noted in the database where there is one."""

import shutil
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from django.conf import settings
from django.db import OperationalError, ProgrammingError

from verifier import engine, store
from verifier.core.digest import digest_mapping
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack
from verifier.core.process import Sandbox
from verifier.models import Pack as PackRow
from verifier.packs.toolchain import suits
from verifier.provers.base import BuiltEnvironment, ToolchainInfo
from verifier.services.environments import environment_record

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a pack needs here: the prover that was found and the digest of the recipe with it."""

    toolchain: ToolchainInfo
    digest: str


def folder() -> Path:
    """Where built environments are kept."""
    return Path(settings.DATA_DIR) / store.FOLDER


def wanted(pack: Pack, sandbox: Sandbox) -> Wanted:
    """The recipe on this host; PlatformFault when the prover is missing or of another release."""
    found = engine.toolchain(pack, sandbox)
    if not suits(found.version, pack.toolchain):
        raise PlatformFault(
            f"Pack {pack.slug} is meant for {pack.prover} {pack.toolchain}, and {found.name} is here. "
            "Install such a release, or widen `toolchain` in pack.toml and try the pack with it."
        )
    return Wanted(found, digest_mapping(engine.prover_of(pack).recipe(pack, found)))


def built(pack: Pack, sandbox: Sandbox) -> BuiltEnvironment:
    """The environment as it is built here; PlatformFault with the command when it is not."""
    found = store.load(folder(), wanted(pack, sandbox).digest)
    if found is None:
        raise PlatformFault(f"The environment of {pack.slug} is not built here. Run manage.py packs build {pack.slug}.")
    if why := _outdated(pack, found):
        raise PlatformFault(
            f"The environment of {pack.slug} is here, but {why}. Run manage.py packs build {pack.slug}."
        )
    return found


def build(pack: Pack, sandbox: Sandbox, *, say: Say, if_needed: bool) -> BuiltEnvironment:
    """Build the environment, or take the one of the same recipe if that is asked for; note it either way."""
    recipe = wanted(pack, sandbox)
    say(f"{recipe.toolchain.name}, recipe {recipe.digest[:12]}")
    present = folder() / recipe.digest
    log: list[str] = []
    started = time.monotonic()
    damage = _damage(pack, recipe.digest) if if_needed else ""
    if damage:
        say(f"built before with the same recipe, but {damage}")
    elif present.is_dir():
        say(f"built before with the same recipe; {'nothing to do' if if_needed else 'building again'}")
    heard = _heard(log, say)
    environment = store.save(
        folder(),
        recipe.digest,
        lambda empty: engine.build(pack, recipe.toolchain, empty, sandbox, heard),
        anew=bool(damage) or not if_needed,
    )
    seconds = time.monotonic() - started if log else 0.0
    if log:
        say(f"built in {seconds:.1f} s: {len(environment.images)} images under {environment.folder}")
    for problem, why in sorted(environment.refused.items()):
        said = environment.said.get(problem, "")
        say(f"refused {problem}: {why}{f': {said}' if said else ''}")
    _note(pack, environment, "\n".join(log), seconds, say)
    return environment


def adopt(pack: Pack, source: Path, sandbox: Sandbox, *, say: Say) -> BuiltEnvironment:
    """Take over an environment that another host built; PlatformFault when this host would build another one.

    One ground truth is tried with it before it counts.
    """
    recipe = wanted(pack, sandbox)
    offered = store.load(source.parent, source.name)
    if offered is None:
        raise PlatformFault(f"{source} is no built environment: it holds no environment.json. Name a folder of a host.")
    if offered.digest != recipe.digest:
        raise PlatformFault(
            f"{source} was built by another recipe ({offered.digest[:12]}) than this host's ({recipe.digest[:12]}): "
            f"{_difference(offered, dict(engine.prover_of(pack).recipe(pack, recipe.toolchain)))}."
        )
    if why := _outdated(pack, offered):
        raise PlatformFault(f"{source} cannot be taken over: {why}.")
    if (folder() / recipe.digest).is_dir():
        say("this host has it already; nothing to do")
    copied = store.save(folder(), recipe.digest, lambda empty: _copied(pack, offered, recipe, empty, sandbox))
    say(f"taken over from {source}: {len(copied.images)} images under {copied.folder}")
    _note(pack, copied, "", 0.0, say)
    return copied


def _difference(offered: BuiltEnvironment, here: dict[str, str]) -> str:
    names = sorted(name for name in {*offered.recipe, *here} if offered.recipe.get(name) != here.get(name))
    return (
        f"{', '.join(names[:5])} differ{'s' if len(names) == 1 else ''}" if names else "nothing but the digest differs"
    )


def _copied(pack: Pack, offered: BuiltEnvironment, recipe: Wanted, empty: Path, sandbox: Sandbox) -> BuiltEnvironment:
    shutil.copytree(offered.folder, empty, dirs_exist_ok=True)
    copy = replace(offered, folder=empty)
    engine.adopt(pack, copy, recipe.toolchain, sandbox)
    return copy


def _heard(log: list[str], say: Say) -> Say:
    """Progress lines go to the terminal and into the log that is kept."""

    def both(line: str) -> None:
        log.append(line)
        say(line)

    return both


def _damage(pack: Pack, digest: str) -> str:
    """Why a built environment cannot judge any more, or nothing."""
    try:
        present = store.load(folder(), digest)
        if present is None:
            return ""
        if why := _outdated(pack, present):
            return why
        engine.check_intact(pack, present)
    except PlatformFault as fault:
        return str(fault)
    return ""


def _outdated(pack: Pack, environment: BuiltEnvironment) -> str:
    """Why an environment of these theories does not know the pack's problems, or nothing; older records do not say."""
    changed = environment.problems and dict(environment.problems) != engine.places(pack)
    return "the pack has other problems now" if changed else ""


def _note(pack: Pack, environment: BuiltEnvironment, log: str, seconds: float, say: Say) -> None:
    try:
        row = PackRow.objects.filter(slug=pack.slug).first()
        if row is None:
            say(f"not noted: the database does not know {pack.slug}; run manage.py packs sync {pack.slug}, then this")
            return
        environment_record(pack=row, built=environment, host=socket.gethostname(), log=log, seconds=seconds)
    except (OperationalError, ProgrammingError) as error:
        say(f"not noted: no database here ({error}). Proofs can be judged on the command line all the same.")
