"""How near a run's accepted proofs are to the host's own; computed where the ground truth lives, kept as figures."""

import logging
from collections.abc import Mapping
from functools import lru_cache

from django.conf import settings
from django.db import transaction

from submissions.models import Result, Run, RunSummary
from submissions.services.locks import locked
from submissions.services.summaries import stamp_bump
from verifier.core.errors import InputFault
from verifier.core.originality import likeness, originality, proof_tokens
from verifier.core.verdict import Confirmation, Verdict
from verifier.packs.loader import load_pack

logger = logging.getLogger(__name__)


def run_originality(*, run_id: int) -> bool:
    """Add `originality` to the counts of the run's summary; False where this host has not the pack's folder.

    Accepted proofs of the scoring attempt are compared. Text of the ground truth is neither stored nor logged.
    """
    run = Run.objects.select_related("submission__problem_set__pack", "summary").get(pk=run_id)
    pack = run.submission.problem_set.pack
    truths = _truths(pack.slug, pack.digest, pack.prover)
    if not truths:
        return False
    accepted = Result.objects.filter(
        run=run, verdict=Verdict.PROVED, proof__attempt=run.summary.counts["scoring"]
    ).exclude(confirmation=Confirmation.DISAGREED)
    columns = ("proof__problem__category", "proof__problem__ident", "proof__problem__statement", "proof__text")
    found = [
        likeness(category, proof_tokens(text, pack.prover), truths[ident, statement])
        for category, ident, statement, text in accepted.values_list(*columns)
        if (ident, statement) in truths
    ]
    with transaction.atomic():
        locked(Run.objects.filter(pk=run_id)).get()
        summary = RunSummary.objects.get(run=run)
        summary.counts["originality"] = originality(found)
        summary.save(update_fields=["counts", "made"])
        if run.entries.exists():
            stamp_bump(pack_id=pack.pk)
    return True


@lru_cache(maxsize=2)
def _truths(slug: str, digest: str, prover: str) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Tokens of the host's proofs by problem and statement; empty where the folder is gone or another one."""
    try:
        pack = load_pack(slug, settings.PACKS_DIR)
    except (InputFault, OSError):
        logger.info("No folder of benchmark %s here: originality is not computed.", slug)
        return {}
    if pack.digest != digest:
        return {}
    specs = (spec for spec in pack.problems if spec.ground_truth)
    return {(spec.id, spec.statement): proof_tokens(spec.ground_truth, prover) for spec in specs}
