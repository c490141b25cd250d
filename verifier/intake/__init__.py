"""An upload matched to problems: the preflight report, without any database (design, sections 3 and 6)."""

from verifier.core.archive_limits import UploadLimits
from verifier.intake.meta import SubmissionFacts
from verifier.intake.preflight import examine, examine_path
from verifier.intake.report import Coverage, Missing, Report, SubmittedProof

__all__ = [
    "Coverage",
    "Missing",
    "Report",
    "SubmissionFacts",
    "SubmittedProof",
    "UploadLimits",
    "examine",
    "examine_path",
]
