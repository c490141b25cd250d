"""JSON-LD for machines that look for data sets: the benchmark and its results in the words of schema.org."""

import json
from dataclasses import dataclass
from typing import Any

from leaderboard.addresses import State, written
from leaderboard.filters import Filters
from leaderboard.selectors import Benchmark
from leaderboard.standings import Board, Row

CONTEXT = "https://schema.org"


@dataclass(frozen=True, slots=True)
class Places:
    """Absolute addresses of what is described."""

    benchmark: str
    archive: str
    csv: str
    json: str
    submission: str  # with {} for the id


def benchmark_jsonld(benchmark: Benchmark, board: Board, state: State, places: Places) -> str:
    """Two data sets: the problems, and the results that the board shows, a list in which each row is an observation."""
    return json.dumps(
        {"@context": CONTEXT, "@graph": [_problems(benchmark, places), _results(benchmark, board, state, places)]},
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
            "distribution": [_download(places.archive, "application/zip")],
        }
    )


def _results(benchmark: Benchmark, board: Board, state: State, places: Places) -> dict[str, Any]:
    pack, filters = benchmark.pack, board.filters
    part = f" of {filters.category}" if filters.category else ""
    return _filled(
        {
            "@type": "Dataset",
            "@id": state.address,
            "url": state.address,
            "name": f"{pack.title}: results",
            "description": f"Proofs of {pack.title} by machine, each checked by {pack.prover.title()}; "
            f"{filters.label} over {benchmark.number(filters.category)} problems{part}.",
            "isBasedOn": places.benchmark,
            "dateModified": written(state.moment) if state.moment else None,
            "isAccessibleForFree": True,
            "measurementTechnique": "Proofs are checked by the prover in a sandbox and once more in a fresh process.",
            "distribution": [_download(places.csv, "text/csv"), _download(places.json, "application/json")],
            "mainEntity": {"@type": "ItemList", "itemListElement": _items(board, places)},
        }
    )


def _items(board: Board, places: Places) -> list[dict[str, Any]]:
    """The ranked rows that are still published, each at its rank."""
    return [
        {"@type": "ListItem", "position": row.rank, "item": _observation(row, board.filters, places)}
        for row in board.ranked
        if row.entry.public
    ]


def _observation(row: Row, filters: Filters, places: Places) -> dict[str, Any]:
    entry = row.entry
    address = places.submission.format(entry.submission)
    return _filled(
        {
            "@type": "Observation",
            "@id": address,
            "url": address,
            "name": f"{entry.system} by {entry.team}",
            "observationAbout": {
                "@type": "SoftwareApplication",
                "name": entry.system,
                "author": {"@type": "Organization", "name": entry.team},
            },
            "observationDate": written(entry.since),
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
