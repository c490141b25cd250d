"""What simple systems without a language model send for an Isabelle pack, written as its sample submissions.

`python deploy/isabelle_samples.py packs/minikernel-isabelle` writes samples/<system>/proofs.jsonl, one line a proof;
the same pack gives the same bytes. The greedy answer (attempt 0) is a system's best guess, the samples after it are its
ladder from the bare method up. `portfolio` sends for each problem the first text of the others that their
expected.toml says is proved. `reference` is the ground truth as attempt 0, for the host's own check only.
"""

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from verifier.core.problem import Pack, ProblemSpec
from verifier.packs import load_pack

DEFINED = re.compile(r"^definition ([\w']+) ::", re.MULTILINE)
VARIABLES = {
    "ks": "induct ks", "xs": "induct xs", "ns": "induct ns arbitrary: u rs", "bits": "induct bits",
    "ps": "induct ps arbitrary: s", "ws": "induct ws arbitrary: m", "as": "induct as arbitrary: s",
}  # fmt: skip
RULES = {
    "walks": "induct rule: walks.induct", "derives": "induct rule: derives.induct",
    "descendant": "induct rule: descendant.induct", "steps": "induct rule: steps.induct",
    "resolve": "induct fuel n addr rule: resolve.induct", "strip": "induct g addr rule: strip.induct",
    "cut": "induct n addr rule: cut.induct", "unqueue": "induct q",
}  # fmt: skip
SPLITS = "option.splits if_splits"
# With the definitions `blast` searches about as long there as a proof may take: the host's speed would be the verdict.
NEAR_THE_LIMIT = {"running_not_queued", "waits_once"}


def definitions(pack: Pack, problem: ProblemSpec) -> str:
    """Names, with `_def`, of the definitions of any theory up to the problem's own that its statement speaks of."""
    known = [name for unit in pack.units[: pack.units.index(problem.unit) + 1] for name in defined(pack, unit)]
    words = set(re.findall(r"[A-Za-z_][\w']*", problem.statement))
    return " ".join(f"{name}_def" for name in known if name in words)


def defined(pack: Pack, unit: str) -> list[str]:
    """Names that a theory gives a definition."""
    return DEFINED.findall((pack.root / "theories" / f"{unit}.thy").read_text(encoding="utf-8"))


def using(problem: ProblemSpec) -> str:
    """`using assms` where the statement has named assumptions, else nothing."""
    return "using assms " if re.search(r"^\s*assumes\b", problem.statement, re.MULTILINE) else ""


def ladder(method: str, pack: Pack, problem: ProblemSpec) -> Iterator[str]:
    """A method bare, with assumptions, with the definitions of the statement, with case splits, with both."""
    start, known = using(problem), definitions(pack, problem)
    simp = f" simp: {known}" if method != "simp" else f" add: {known}"
    unfolded = simp if known else ""
    yield f"by {method}"
    yield f"{start}by {method}"
    yield f"{start}by ({method}{unfolded})" if known else f"{start}by {method}"
    yield f"{start}by ({method} split: {SPLITS})"
    yield f"{start}by ({method}{unfolded} split: {SPLITS})"


def blast(pack: Pack, problem: ProblemSpec) -> Iterator[str]:
    """The classical prover, which knows no definitions of its own."""
    start, known = using(problem), definitions(pack, problem)
    unfolding = f"unfolding {known} " if known else ""
    yield "by blast"
    yield f"{start}by blast"
    if problem.id in NEAR_THE_LIMIT:
        return
    yield f"{unfolding}by blast"
    yield f"{start}{unfolding}by blast"
    yield f"{start}{unfolding}by (intro iffI allI impI conjI) blast+"


def induct_auto(pack: Pack, problem: ProblemSpec) -> Iterator[str]:
    """Induction on what the statement offers, then `auto`; none where it offers nothing."""
    start, known = using(problem), definitions(pack, problem)
    simp = f" simp: {known}" if known else ""
    words = re.findall(r"[A-Za-z_][\w']*", problem.statement)
    inductions = [RULES[word] for word in dict.fromkeys(words) if word in RULES]
    inductions += [VARIABLES[word] for word in dict.fromkeys(words) if word in VARIABLES]
    for induction in inductions[:2]:
        yield f"{start}by ({induction}) auto"
        yield f"{start}by ({induction}) (auto{simp} split: {SPLITS})"


@cache
def verdicts(sample: Path) -> dict[str, dict[str, str]]:
    """Verdicts of a sample by problem and attempt, as the host knows them."""
    return tomllib.loads((sample / "expected.toml").read_text(encoding="utf-8"))


def portfolio(pack: Pack, problem: ProblemSpec) -> Iterator[str]:
    """What one of the others is known to prove this problem with; `auto` where none does."""
    for system in ("simp", "auto", "fastforce", "blast", "induct-auto"):
        sent = dict(numbered(system, pack, problem))
        for attempt, verdict in sorted(verdicts(pack.root / "samples" / system).get(problem.id, {}).items()):
            if verdict == "proved":
                yield sent[int(attempt)]
                return
    yield "by auto"


def reference(_pack: Pack, problem: ProblemSpec) -> Iterator[str]:
    """The proof that the theory gives."""
    yield problem.ground_truth


SYSTEMS: dict[str, Callable[[Pack, ProblemSpec], Iterator[str]]] = {
    "simp": partial(ladder, "simp"),
    "auto": partial(ladder, "auto"),
    "fastforce": partial(ladder, "fastforce"),
    "blast": blast,
    "induct-auto": induct_auto,
    "portfolio": portfolio,
    "reference": reference,
}
GREEDY_ONLY = {"portfolio", "reference"}


def numbered(system: str, pack: Pack, problem: ProblemSpec) -> Iterator[tuple[int, str]]:
    """A system's texts for one problem with their attempts; the same text is not sent twice as a sample."""
    texts = list(dict.fromkeys(SYSTEMS[system](pack, problem)))
    if texts:
        yield 0, texts[-1]
    if system not in GREEDY_ONLY:
        yield from enumerate(texts, start=1)


def written(pack: Pack, system: str) -> str:
    """The lines of one system's submission, in the order of the current set."""
    members = next(one.members for one in pack.sets if one.name == pack.current_set)
    by_id = {problem.id: problem for problem in pack.problems}
    rows = [
        {"problem": name, "attempt": attempt, "proof": f"{proof}\n"}
        for name, _ in members
        for attempt, proof in numbered(system, pack, by_id[name])
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main() -> None:
    """Write every system's sample of the pack whose folder is named."""
    pack = load_pack(Path(sys.argv[1]), Path(sys.argv[1]).resolve().parent)
    for system in SYSTEMS:
        folder = pack.root / "samples" / system
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "proofs.jsonl").write_text(written(pack, system), encoding="utf-8")


if __name__ == "__main__":
    main()
