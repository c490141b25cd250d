"""Whether this host can put up the walls at all; asked before anything is served or judged."""

from verifier.core.errors import PlatformFault
from verifier.core.process import Command
from verifier.sandbox.bubblewrap import Bubblewrap


def sandbox_fault(uid: int) -> str | None:
    """Why no sandbox can be had here and what to do, or None. `uid` is what a sandbox drops to when root starts it."""
    try:
        outcome = Bubblewrap(uid).run(Command(argv=("/usr/bin/true",), readonly={"/usr": "/usr"}, wall_seconds=10))
    except PlatformFault as fault:
        return str(fault)
    return None if outcome.exit_code == 0 else f"A trial run ended with {outcome.exit_code}."
