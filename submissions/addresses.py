"""Parts of addresses that Django does not know: problem ids and small numbers."""


class ProblemId:
    """A problem's id (design, section 1)."""

    regex = r"[A-Za-z0-9][A-Za-z0-9_'-]{0,99}"

    def to_python(self, value: str) -> str:
        """The id as it stands."""
        return value

    def to_url(self, value: str) -> str:
        """The id as it stands."""
        return value


class Number:
    """A number that every database can compare with."""

    regex = "[0-9]{1,9}"

    def to_python(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Its digits."""
        return str(value)
