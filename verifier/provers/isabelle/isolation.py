"""One lemma as two sessions, the way of the paper (Selene, section 4.2): everything before it, then it alone.

`X_DEP` holds the theory up to the lemma, `X_TGT` the statement with a proof. A lemma inside a locale or context takes
the whole open block with it into `X_TGT`, for a block cannot be left half way. The sources hold the proofs of earlier
lemmas, so they are the host's.
"""

from verifier.core import isar
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack, ProblemSpec
from verifier.provers.isabelle import policy, theories

_OPTIONS = "[document = false, quick_and_dirty = false, skip_proofs = false]"


def fact_of(pack: Pack, problem: ProblemSpec) -> tuple[str, isar.StatedFact]:
    """The text of the problem's theory and the fact as it stands there."""
    text = pack.source(problem.unit, ".thy").read_text(encoding="utf-8")
    for fact in isar.stated(text, pack.commands):
        if fact.index == problem.position and fact.name == problem.lemma:
            return text, fact
    raise PlatformFault(f"{problem.unit}.thy of pack {pack.slug} does not state {problem.lemma}.")


def name_of(problem: ProblemSpec) -> str:
    """What `_DEP` and `_TGT` are put behind to name the two sessions of a problem."""
    return f"Isolated_{problem.unit}_{problem.position}"


def isolated(pack: Pack, problem: ProblemSpec, proof: str) -> dict[str, str]:
    """Files by path, for `isabelle build -d <folder of the pack's theories> -d . <name>_TGT`."""
    text, fact = fact_of(pack, problem)
    session, name = theories.session_of(pack, problem.unit), name_of(problem)
    before = text[: fact.block_start]
    inside = text[fact.block_start : fact.start]
    ends = "\nend" * len(fact.scope)
    dependencies = theories.renamed(before, session, problem.unit, f"{name}_DEP") + "\nend\n"
    target = (
        f'theory {name}_TGT\n  imports "{name}_DEP.{name}_DEP"\nbegin\n\n'
        f"{inside}{fact.statement}\n{policy.normalised(proof)}\n{ends}\n\nend\n"
    )
    root = (
        f'session "{name}_DEP" in DEP = "{session}" +\n  options {_OPTIONS}\n  theories {name}_DEP\n\n'
        f'session "{name}_TGT" in TGT = "{name}_DEP" +\n  options {_OPTIONS}\n  theories {name}_TGT\n'
    )
    return {"ROOT": root, f"DEP/{name}_DEP.thy": dependencies, f"TGT/{name}_TGT.thy": target}
