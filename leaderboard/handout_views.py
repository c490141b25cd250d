"""What a benchmark gives away: demonstrations with their proofs, the archive for teams, what became of its lemmas.

All of it is read from the benchmark's folder.
"""

import json
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from leaderboard.cache import answer, once
from leaderboard.selectors import Benchmark, benchmark_get
from verifier.core.digest import digest_bytes, digest_mapping
from verifier.core.errors import InputFault
from verifier.core.problem import Pack as LoadedPack
from verifier.core.problem import Split
from verifier.extract.freeze import table_object
from verifier.models import Environment, Pack, Problem
from verifier.packs.export import team_archive
from verifier.packs.loader import load_provable
from verifier.packs.manifest import MANIFEST
from verifier.selectors import environment_current, uses, uses_stamp

FOLDER_CHANGED: Final = "The folder of this benchmark is not the one that is shown; its organiser has to sync it."
LINES: Final = {
    "extracted": ("Extracted", "lemmas of the sources that a category takes"),
    "sampled": ("Sampled", "drawn from these, demonstrations included"),
    "correctly verified": ("Correctly verified", "their own proofs are accepted in isolation"),
    "demonstration": ("Demonstration", "given away with their proofs"),
    "evaluation": ("Evaluation", "the frozen set that scores"),
}


def given_proof(pack: Pack, problem: Problem) -> str:
    """The host's proof of a demonstration; empty for all else and where the folder states something else by now."""
    if problem.split != Split.DEMONSTRATION:
        return ""
    proofs = once(f"proofs|{pack.slug}|{pack.digest}", lambda: _given(pack))
    return proofs.get((problem.ident, problem.statement), "")


@require_safe
def pack_export(request: HttpRequest, slug: str) -> HttpResponse:
    """The zip for teams, byte for byte that of `packs export`: problems with context, masked theories, the rules."""
    pack = get_object_or_404(Pack, slug=slug)
    stamp = f"{pack.digest}|{_beside(slug)}|{uses_stamp(slug)}"

    def response() -> HttpResponse:
        loaded = _required(pack)
        archive = once(f"archive|{slug}|{stamp}", lambda: team_archive(loaded, uses(loaded)))
        made = HttpResponse(archive, "application/zip")
        made["Content-Disposition"] = f'attachment; filename="{slug}.zip"'
        return made

    return answer(request, stamp, response, personal=False)


@require_safe
def lemmas(request: HttpRequest, slug: str) -> HttpResponse:
    """What became of the lemmas between the sources and the set, line by line (Selene, Table 1)."""
    benchmark = benchmark_get(slug)
    environment, found = _became(benchmark)
    lines = [(LINES[name], row.values()) for name, row in found["lines"].items()]
    heads = [(each["name"], each["meaning"]) for each in benchmark.pack.manifest["categories"]]
    context = {"benchmark": benchmark, "environment": environment, "lines": lines, "heads": heads, "found": found}
    stamp = f"{environment.digest if environment else ''}|{_stamp(benchmark, found)}"
    return answer(request, stamp, lambda: render(request, "leaderboard/lemmas.html", context))


@require_safe
def lemmas_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The same as one object."""
    benchmark = benchmark_get(slug)
    environment, found = _became(benchmark)
    digest = environment.digest if environment else None
    told = {**found, "environment": digest}
    return answer(request, _stamp(benchmark, told), lambda: JsonResponse(told), personal=False)


def _stamp(benchmark: Benchmark, found: dict[str, Any]) -> str:
    return f"lemmas|{benchmark.state}|{json.dumps(found)}"


def _became(benchmark: Benchmark) -> tuple[Environment | None, dict[str, Any]]:
    """The environment that new runs are checked in, and the lines with what it refuses; 404 without the folder."""
    environment, row = environment_current(benchmark.pack), benchmark.problem_set
    refused = dict(environment.refused) if environment else None

    def found() -> dict[str, Any]:
        loaded = _required(benchmark.pack)
        chosen = next((one for one in loaded.sets if one.digest == row.digest), None)
        if chosen is None:
            raise Http404(FOLDER_CHANGED)
        return table_object(loaded, chosen, refused)

    key = f"lemmas|{benchmark.pack.slug}|{benchmark.pack.digest}|{row.digest}|{json.dumps(refused, sort_keys=True)}"
    return environment, once(key, found)


def _beside(slug: str) -> str:
    """Digest of what a pack's digest leaves out and its archive shows: title, licence, categories, sets, splits."""
    root = settings.PACKS_DIR / slug
    paths = [root / MANIFEST, *sorted(root.glob("problems/*.toml")), *sorted(root.glob("sets/*.toml"))]
    return digest_mapping({str(path): digest_bytes(path.read_bytes()) for path in paths if path.is_file()})


def _required(pack: Pack) -> LoadedPack:
    loaded = _loaded(pack)
    if loaded is None:
        raise Http404(FOLDER_CHANGED)
    return loaded


def _given(pack: Pack) -> dict[tuple[str, str], str]:
    loaded = _loaded(pack)
    specs = loaded.problems if loaded else ()
    return {(spec.id, spec.statement): spec.ground_truth for spec in specs if spec.split is Split.DEMONSTRATION}


def _loaded(pack: Pack) -> LoadedPack | None:
    """The pack's folder, None where it is gone, broken or not the one that was mirrored."""
    try:
        loaded = load_provable(pack.slug, settings.PACKS_DIR)
    except (InputFault, OSError):
        return None
    return loaded if loaded.digest == pack.digest else None
