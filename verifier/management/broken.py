"""What commands say of a pack that cannot be used: every finding, a line each."""

from verifier.core.errors import InputFault
from verifier.core.finding import Finding


def lines_of(name: str, fault: InputFault) -> str:
    """Place, fault and remedy of each finding about the pack `name` (a slug or a folder)."""
    return "\n".join(_line(name, finding) for finding in fault.findings)


def _line(name: str, finding: Finding) -> str:
    place = f"{name}/{finding.member}" if finding.member not in {"", name} else name
    line = f":{finding.line}" if finding.line else ""
    return f"{place}{line}: {finding.message}. {finding.remedy}"
