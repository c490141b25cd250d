"""What a service answers when it will not do what was asked: a fault of the request, told to whoever made it."""

from enum import StrEnum

from verifier.core.errors import InputFault
from verifier.core.finding import Consequence, Finding


def input_fault(message: str, remedy: str) -> InputFault:
    """A fault of what was asked, without a code of its own: what is wrong, and what to do."""
    return InputFault([Finding(Consequence.REFUSED, message, remedy)])


class Why(StrEnum):
    """Machine code of a refusal."""

    NOT_ALLOWED = "not_allowed"
    NOT_OPEN = "not_open"
    CLOSED = "closed"
    QUOTA = "quota"
    TOO_MANY_DRAFTS = "too_many_drafts"
    DRAFT_GONE = "draft_gone"
    DRAFT_UNREAD = "draft_unread"
    NO_ENVIRONMENT = "no_environment"
    UPLOADED_BEFORE = "uploaded_before"
    STORAGE_FULL = "storage_full"
    TOO_LARGE = "too_large"
    NOT_CHECKED = "not_checked"
    WRONG_STATE = "wrong_state"


class Refusal(InputFault):
    """Nothing was changed. `message` says what is in the way, `remedy` what to do, `submission` an earlier one."""

    def __init__(self, why: Why, message: str, remedy: str, submission: str = "") -> None:
        self.why = why
        self.message = message
        self.remedy = remedy
        self.submission = submission
        super().__init__([Finding(Consequence.REFUSED, message, remedy)])
