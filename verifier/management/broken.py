"""How commands say that they cannot go on: exit codes, and every finding of a pack that cannot be used, a line each."""

from typing import Final

from verifier.core.errors import InputFault
from verifier.core.finding import Finding

UNREADABLE: Final = 2  # exit code: what was named cannot be read or used
PLATFORM: Final = 3  # exit code: this host could not do its part


def lines_of(name: str, fault: InputFault) -> str:
    """Place, fault and remedy of each finding about the pack `name` (a slug or a folder)."""
    return "\n".join(_line(name, finding) for finding in fault.findings)


def _line(name: str, finding: Finding) -> str:
    place = f"{name}/{finding.member}" if finding.member not in {"", name} else name
    line = f":{finding.line}" if finding.line else ""
    return f"{place}{line}: {finding.message}. {finding.remedy}"
