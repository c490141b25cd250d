"""What is checked of every `pack.toml` beyond its schema, and how its limits are read."""

from dataclasses import replace
from typing import Final

from verifier.core.limits import Limits
from verifier.packs.report import Report, named
from verifier.packs.schema import Heading, LimitsTable

MANIFEST: Final = "pack.toml"
_MIB, _KIB = 2**20, 2**10


def check_heading(file: Heading, report: Report) -> None:
    """Metric and categories, which need more than one key to be judged."""
    metric = int(file.primary_metric.removeprefix("acc"))
    if metric not in file.k_values:
        remedy = f"Write one of {named([f'acc{k}' for k in file.k_values])}, or add {metric} to `k_values`."
        report.add(MANIFEST, f"`{file.primary_metric}` is no metric of this pack", remedy, at=("primary_metric",))
    seen: set[str] = set()
    for number, category in enumerate(file.categories):
        if category.name.lower() in seen or category.name.lower() == "all":
            message = f"category `{category.name}` is taken; `all` stands for all problems"
            report.add(MANIFEST, message, "Choose another name.", at=("categories", number, "name"))
        seen.add(category.name.lower())


def limits_of(table: LimitsTable, base: Limits) -> Limits:
    """`base` with what the table says."""
    return replace(
        base,
        wall_seconds=base.wall_seconds if table.wall_seconds is None else float(table.wall_seconds),
        memory_bytes=base.memory_bytes if table.memory_mb is None else table.memory_mb * _MIB,
        output_bytes=base.output_bytes if table.output_kb is None else table.output_kb * _KIB,
        tokens=base.tokens if table.tokens is None else table.tokens,
        proof_bytes=base.proof_bytes if table.proof_kb is None else table.proof_kb * _KIB,
    )
