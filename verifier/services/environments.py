"""Environments as they are built on hosts."""

from dataclasses import asdict

from django.db import transaction
from django.utils import timezone

from verifier.models import Environment, Image, Pack
from verifier.provers.base import BuiltEnvironment


@transaction.atomic
def environment_record(
    *, pack: Pack, built: BuiltEnvironment, host: str, log: str = "", seconds: float = 0.0
) -> Environment:
    """Note a built environment and this host's copy of it; new runs of the pack are checked in it from now on.

    `seconds` is the time the build took; an environment that was found ready and is recorded already keeps its log.
    """
    values = {
        "pack": pack,
        "prover": built.prover,
        "version": built.version,
        "recipe": dict(built.recipe),
        "faults": [asdict(fault) for fault in built.faults],
        "refused": dict(built.refused),
        "remarks": list(built.remarks),
        "current": True,
    }
    environment, _ = Environment.objects.update_or_create(digest=built.digest, defaults=values)
    Environment.objects.filter(pack=pack, current=True).exclude(pk=environment.pk).update(current=False)
    anew = {"log": log, "seconds": seconds, "built": timezone.now()} if log else {}
    image = {"digests": dict(built.images), **anew}
    Image.objects.update_or_create(environment=environment, host=host, defaults=image)
    return environment
