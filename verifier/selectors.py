"""Reads of the verifier's rows, and of the environments on this host, that more than one place needs."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from django.conf import settings

from verifier import engine, store
from verifier.core.digest import digest_bytes
from verifier.core.problem import Pack as LoadedPack
from verifier.core.problem import Use
from verifier.models import Environment, Pack, Problem, ProblemSet


def problems_of_set(problem_set: ProblemSet) -> list[Problem]:
    """Problems in the order of the set, which is the order of the vectors of run summaries. One query."""
    return [member.problem for member in problem_set.members.select_related("problem").order_by("index")]


def environment_current(pack: Pack) -> Environment | None:
    """The environment that new runs are checked in; None before the first build."""
    return Environment.objects.filter(pack=pack, current=True).first()


def uses(pack: LoadedPack) -> Mapping[str, Sequence[Use]]:
    """What each problem uses in the prover's own word, from an environment of these theories; nothing without one."""
    theories = {path: digest_bytes(data) for path, data in _theories(pack)}
    for environment in store.environments(_folder()):
        same = environment.pack == pack.slug and theories.items() <= environment.recipe.items()
        if same and (found := engine.uses(environment)):
            return found
    return {}


def uses_stamp(slug: str) -> str:
    """Another text whenever `uses` of this pack may have changed: which environments are built, and when each was."""
    found = (environment for environment in store.environments(_folder()) if environment.pack == slug)
    return ",".join(f"{one.digest}@{one.folder.stat().st_mtime_ns}" for one in found)


def _folder() -> Path:
    return Path(settings.DATA_DIR) / store.FOLDER


def _theories(pack: LoadedPack) -> Iterator[tuple[str, bytes]]:
    for path in sorted((pack.root / "theories").rglob("*")):
        if path.is_file():
            yield path.relative_to(pack.root).as_posix(), path.read_bytes()
