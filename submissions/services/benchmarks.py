"""From a row of a benchmark to the values that intake and engine work on."""

from functools import lru_cache

from django.conf import settings

from submissions.services.refusal import Refusal, Why
from verifier import models
from verifier.core.problem import Pack, SetSpec
from verifier.packs.loader import load_pack
from verifier.selectors import problems_of_set


def pack_value(row: models.Pack) -> Pack:
    """The pack as loaded from its folder; read again only when the mirrored digest changed.

    Raises InputFault when the folder is faulty, and Refusal when it is not the one that was mirrored.
    """
    pack = _loaded(row.slug, row.digest)
    if pack.digest != row.digest:
        _loaded.cache_clear()
        raise Refusal(
            Why.NO_ENVIRONMENT,
            f"{row.title} is being changed by its organisers.",
            "Wait a minute and try again; the organisers have to finish with `manage.py packs sync`.",
        )
    return pack


@lru_cache(maxsize=8)
def _loaded(slug: str, digest: str) -> Pack:  # noqa: ARG001 (the digest is part of the key)
    return load_pack(slug, settings.PACKS_DIR)


def set_value(row: models.ProblemSet) -> SetSpec:
    """The frozen set as a value, from the rows that submissions refer to."""
    listed = tuple((problem.ident, problem.revision) for problem in problems_of_set(row))
    return SetSpec(name=row.name, title=row.title, members=listed, digest=row.digest)
