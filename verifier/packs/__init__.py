"""Packs: benchmarks as folders of data. docs/packs.md is for their authors."""

from verifier.packs.loader import load_pack, load_provable, packs_found

__all__ = ["load_pack", "load_provable", "packs_found"]
