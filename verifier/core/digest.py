"""One way to name a value by its content, used wherever two hosts have to agree that they mean the same thing.

All digests are SHA-256 in lower-case hexadecimal. A mapping is written as JSON with sorted keys and escapes, so its
digest depends neither on the order of insertion nor on a locale.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path


def digest_bytes(data: bytes | bytearray | memoryview) -> str:
    """Digest of the bytes as they are."""
    return hashlib.sha256(data).hexdigest()


def digest_files(paths: Iterable[Path]) -> str:
    """Digest of files by their names, wherever they lie; raises OSError where one cannot be read."""
    return digest_mapping({path.name: digest_bytes(path.read_bytes()) for path in paths})


def digest_text(text: str) -> str:
    """Digest of the UTF-8 form of a proof, a statement or any other text; raises UnicodeEncodeError on surrogates."""
    return digest_bytes(text.encode("utf-8"))


def digest_mapping(values: Mapping[str, str]) -> str:
    """Digest of names and values, the same for every order in which they were put in."""
    return digest_bytes(json.dumps(dict(values), sort_keys=True, separators=(",", ":")).encode("ascii"))
