"""What a benchmark gives away: demonstrations with their proofs, and the archive for teams; read from its folder."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from leaderboard.cache import answer, once
from verifier.core.errors import InputFault
from verifier.core.problem import Pack as LoadedPack
from verifier.core.problem import Split
from verifier.models import Pack, Problem
from verifier.packs.export import team_archive
from verifier.packs.loader import load_provable


def given_proof(pack: Pack, problem: Problem) -> str:
    """The host's proof of a demonstration; empty for all else and where the folder states something else by now."""
    if problem.split != Split.DEMONSTRATION:
        return ""
    proofs = once(f"proofs|{pack.slug}|{pack.digest}", lambda: _given(pack))
    return proofs.get((problem.ident, problem.statement), "")


@require_safe
def pack_export(request: HttpRequest, slug: str) -> HttpResponse:
    """The zip for teams: problems, masked theories, a sample submission and the rules."""
    pack = get_object_or_404(Pack, slug=slug)

    def response() -> HttpResponse:
        loaded = _loaded(pack)
        if loaded is None:
            raise Http404("The folder of this benchmark is not the one that is shown; its organiser has to sync it.")
        archive = once(f"archive|{pack.slug}|{pack.digest}", lambda: team_archive(loaded))
        made = HttpResponse(archive, "application/zip")
        made["Content-Disposition"] = f'attachment; filename="{slug}.zip"'
        return made

    return answer(request, pack.digest, response, personal=False)


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
