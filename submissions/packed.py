"""How values are kept that only one page reads: JSON, compressed."""

import json
import zlib
from typing import Any


def packed(value: Any) -> bytes:
    """A value that JSON can hold, as few bytes."""
    return zlib.compress(json.dumps(value).encode("ascii"))


def unpacked(data: bytes | memoryview) -> Any:
    """The value of `packed`; databases hand its bytes out as either type."""
    return json.loads(zlib.decompress(data))
