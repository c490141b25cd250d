"""What an upload is held to before anybody looks at its proofs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """Bytes uploaded, bytes inflated (all members together), number of members or records, bytes of a path.

    `ratio` is the inflated size per uploaded byte above which an archive is taken for a bomb, once it inflates to
    more than `ratio_from` bytes: a small archive of much the same text does no harm.
    """

    upload_bytes: int = 50_000_000
    inflated_bytes: int = 100_000_000
    members: int = 20_000
    depth: int = 6
    path_bytes: int = 200
    ratio: int = 100
    ratio_from: int = 20_000_000
