"""The good pack of the corpus, copied so that a test may change it."""

import shutil
from pathlib import Path

from verifier.core.problem import Pack
from verifier.packs import load_pack

CORPUS = Path(__file__).parent.parent / "corpora" / "packs"


class GoodPack:
    """A copy of the good pack under `home`; edits are plain replacements of text that must be there."""

    def __init__(self, home: Path) -> None:
        self.root = Path(shutil.copytree(CORPUS / "good", home / "good"))

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} does not hold {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def write(self, file: str, text: str) -> None:
        (self.root / file).parent.mkdir(parents=True, exist_ok=True)
        (self.root / file).write_text(text, encoding="utf-8")

    def load(self) -> Pack:
        return load_pack(self.root, self.root.parent)
