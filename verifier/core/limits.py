"""Limits that one proof is held to. A pack states them; self-tests run under their own shorter ones."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Wall seconds, memory and output in bytes, tokens of cl100k_base, size of one proof in bytes."""

    wall_seconds: float = 600.0
    memory_bytes: int = 4 * 2**30
    output_bytes: int = 1 * 2**20
    tokens: int = 2048
    proof_bytes: int = 1 * 2**20
