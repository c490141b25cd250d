"""JSON-LD for machines that look for data sets: the benchmark and its results in the words of schema.org."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from leaderboard.filters import Filters
from leaderboard.selectors import Benchmark
from leaderboard.standings import Board, Row
from verifier.core.ranking import Standing

CONTEXT = "https://schema.org"


@dataclass(frozen=True, slots=True)
class Places:
    """Absolute addresses of what is described; `archive` is empty where nothing can be downloaded."""

    benchmark: str
    board: str
    state: str
    csv: str
    json: str
    archive: str
    submission: str  # with {} for the id


def benchmark_jsonld(benchmark: Benchmark, board: Board, changed: datetime | None, places: Places) -> str:
    """Two data sets: the problems, and the results that the board shows, each row an observation."""
    return json.dumps(
        {"@context": CONTEXT, "@graph": [_problems(benchmark, places), _results(benchmark, board, changed, places)]},
        indent=1,
        ensure_ascii=False,
    )


def _problems(benchmark: Benchmark, places: Places) -> dict[str, Any]:
    pack, problem_set = benchmark.pack, benchmark.problem_set
    manifest = pack.manifest
    return _filled(
        {
            "@type": "Dataset",
            "@id": places.benchmark,
            "url": places.benchmark,
            "name": pack.title,
            "description": pack.summary,
            "identifier": [problem_set.digest, pack.digest],
            "version": problem_set.name,
            "license": manifest.get("licence"),
            "citation": manifest.get("citation"),
            "sameAs": manifest.get("homepage"),
            "isAccessibleForFree": True,
            "keywords": ["formal proof", "theorem proving", pack.prover],
            "size": f"{benchmark.total} problems",
            "variableMeasured": [
                _filled({"@type": "PropertyValue", "name": each.name, "description": each.meaning, "value": each.total})
                for each in benchmark.categories
            ],
            "distribution": [_download(places.archive, "application/zip")] if places.archive else None,
        }
    )


def _results(benchmark: Benchmark, board: Board, changed: datetime | None, places: Places) -> dict[str, Any]:
    pack = benchmark.pack
    return _filled(
        {
            "@type": "Dataset",
            "@id": places.state,
            "url": places.state,
            "name": f"{pack.title}: results",
            "description": f"Proofs of {pack.title} by machine, each checked by {pack.prover.title()}; "
            f"{board.filters.label} over {benchmark.total} problems.",
            "isBasedOn": places.benchmark,
            "dateModified": changed.astimezone(UTC).isoformat(timespec="seconds") if changed else None,
            "isAccessibleForFree": True,
            "measurementTechnique": "Proofs are checked by the prover in a sandbox and once more in a fresh process.",
            "distribution": [_download(places.csv, "text/csv"), _download(places.json, "application/json")],
            "hasPart": _observations(board.ranked, board.filters, places),
        }
    )


def _observations(rows: Sequence[Row], filters: Filters, places: Places) -> list[dict[str, Any]]:
    return [_observation(row, filters, places) for row in rows if row.standing is Standing.RANKED and row.entry.public]


def _observation(row: Row, filters: Filters, places: Places) -> dict[str, Any]:
    entry = row.entry
    address = places.submission.format(entry.submission)
    return _filled(
        {
            "@type": "Observation",
            "@id": address,
            "url": address,
            "name": f"{entry.system} by {entry.team}",
            "observationAbout": {"@type": "SoftwareApplication", "name": entry.system, "author": entry.team},
            "observationDate": entry.since.astimezone(UTC).isoformat(timespec="seconds"),
            "variableMeasured": filters.label,
            "value": None if row.value is None else round(row.value, 6),
            "minValue": round(row.score.interval.low, 6) if row.score else None,
            "maxValue": round(row.score.interval.high, 6) if row.score else None,
            "identifier": entry.environment,
        }
    )


def _download(address: str, kind: str) -> dict[str, str]:
    return {"@type": "DataDownload", "contentUrl": address, "encodingFormat": kind}


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    """Without what is not known."""
    return {name: value for name, value in values.items() if value not in (None, "", [])}
