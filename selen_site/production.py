"""What production refuses to start with. Asked by the web server's entry point and by `manage.py check --deploy`."""

from typing import Any

from django.conf import settings
from django.core.checks import Error, Tags, register
from django.core.exceptions import ImproperlyConfigured

from verifier.sandbox.present import sandbox_fault


def production_faults() -> list[str]:
    """Every reason not to start in production mode, each naming the variable or package to change."""
    if not settings.PRODUCTION:
        return []
    faults = []
    if settings.SECRET_KEY == settings.DEFAULT_SECRET:
        faults.append("SELEN_SECRET_KEY is not set: set it to 50 random characters.")
    if settings.DEBUG:
        faults.append("SELEN_DEBUG is on: unset it, it shows settings and source to every visitor.")
    if fault := sandbox_fault(settings.COMMAND_UID):
        faults.append(f"No sandbox: {fault}")
    return faults


def refuse_unsafe() -> None:
    """Raise with all reasons at once where production mode would be unsafe."""
    if faults := production_faults():
        lines = "\n".join(f"  * {fault}" for fault in faults)
        raise ImproperlyConfigured(
            f"Selen does not start in production mode:\n{lines}\n"
            "For development on your own machine set SELEN_MODE=development."
        )


@register(Tags.security, deploy=True)
def production_check(**_: Any) -> list[Error]:
    """The same reasons as findings of `manage.py check --deploy`."""
    return [Error(fault, id="selen.E001") for fault in production_faults()]
