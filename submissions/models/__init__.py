"""Who sent what and what came out, in three files: people, uploads, runs. Constraints live here, rules in services."""

from submissions.models.people import Invitation, Membership, System, Team, User
from submissions.models.runs import BoardEntry, Result, ResultLog, Run, RunSummary, Slice, Trial, WorkerRow
from submissions.models.uploads import Draft, Proof, QuotaUse, Submission

__all__ = [
    "BoardEntry",
    "Draft",
    "Invitation",
    "Membership",
    "Proof",
    "QuotaUse",
    "Result",
    "ResultLog",
    "Run",
    "RunSummary",
    "Slice",
    "Submission",
    "System",
    "Team",
    "Trial",
    "User",
    "WorkerRow",
]
