"""Two kinds of exception: a fault of the input, which its author can mend, and a fault of the platform."""

from collections.abc import Sequence

from verifier.core.finding import Finding


class SelenError(Exception):
    """Root of everything raised on purpose."""


class InputFault(SelenError):
    """The input cannot be used; `findings` names every place, what is wrong and what to do."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("; ".join(f"{f.member}:{f.line or ''} {f.message}" for f in self.findings))


class PlatformFault(SelenError):
    """The platform could not do its part; never counted against a submission."""
