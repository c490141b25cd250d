"""What teams download: problems with their context, demonstrations with proofs, rules, a sample; no other proof.

The archive is a pack of its own, the edition for teams, to judge with: lemmas without proof are taken as given there.
Every proof of an evaluation problem, whatever its status, is replaced by a mark before any text leaves this module.
The same pack gives the same bytes: members in fixed order, one fixed time, one fixed compression.
"""

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from types import MappingProxyType
from typing import Any, Final

from verifier.core.digest import digest_text
from verifier.core.problem import Pack, ProblemSpec, SetSpec, Split, Status, Use
from verifier.core.sizes import size_words
from verifier.core.tokens import count_tokens
from verifier.packs.context import Masked, context_records
from verifier.packs.manifest import MANIFEST
from verifier.packs.theories import SOURCES, Source

_TIME: Final = (1980, 1, 1, 0, 0, 0)
_MODE: Final = 0o100644 << 16


def current_set(pack: Pack) -> SetSpec:
    """The set that new submissions go to."""
    return next(one for one in pack.sets if one.name == pack.current_set)


def problem_ids(pack: Pack) -> list[str]:
    """Ids of the current set, in its order."""
    return [name for name, _ in current_set(pack).members]


def theory_masked(pack: Pack, unit: str) -> tuple[str, dict[int, int]]:
    """Text of a unit without the proofs that the host keeps, and by position where each lemma starts in it."""
    source = SOURCES[pack.prover]
    text = pack.source(unit, source.extension).read_bytes().decode("utf-8")
    secret = {p.position for p in pack.problems if p.unit == unit and p.split is Split.EVALUATION}
    parts: list[str] = []
    starts: dict[int, int] = {}
    written, at = 0, 0
    for lemma in source.stated(text, pack.commands):
        starts[lemma.position] = written + lemma.start - at
        if lemma.position in secret:
            head = source.head.match(text, lemma.proof_start, lemma.proof_end)
            stated = lemma.start + len(lemma.statement)
            gap = text[stated : lemma.proof_start]
            between = gap if gap.isspace() else "\n"  # a comment there may tell of the proof
            piece = text[at:stated] + between + (head.group() if head else "") + source.kept
        else:
            piece = text[at : lemma.proof_end]
        parts.append(piece)
        written, at = written + len(piece), lemma.proof_end
    return "".join([*parts, text[at:]]), starts


def problem_records(
    pack: Pack, masked: Masked, uses: Mapping[str, Sequence[Use]] = MappingProxyType({})
) -> Iterator[dict[str, Any]]:
    """One record a problem with its context: the current set in its order, then demonstrations with their proofs.

    `tokens` are the sizes of the texts of the record itself; every excerpt of the context has its own.
    """
    problems = _in_order(pack)
    for problem, context in zip(problems, context_records(pack, problems, masked, uses), strict=True):
        text, starts = masked[problem.unit]
        texts = {"statement": problem.statement, "preamble": text[: starts[problem.position]]}
        if problem.split is Split.DEMONSTRATION:
            texts["proof"] = problem.ground_truth
        tokens = {name: count_tokens(one) for name, one in texts.items()}
        yield {**_record(problem), **texts, "tokens": tokens, **context}


def _in_order(pack: Pack) -> list[ProblemSpec]:
    """Problems of the current set in its order, then the demonstrations."""
    by_id = {problem.id: problem for problem in pack.problems}
    given = [one for one in pack.problems if one.split is Split.DEMONSTRATION and one.status is Status.ACTIVE]
    return [*(by_id[name] for name in problem_ids(pack)), *given]


def _record(problem: ProblemSpec) -> dict[str, Any]:
    return {
        "id": problem.id,
        "revision": problem.revision,
        "split": str(problem.split),
        "category": problem.category,
        "status": str(problem.status),
        "bundle": problem.bundle,
        "theory": problem.unit,
        "lemma": problem.lemma,
        "scope": list(problem.scope),
        "statement_sha256": digest_text(problem.statement),
        "permitted_axioms": list(problem.permitted_axioms),
        "tags": list(problem.tags),
    }


def handed_out(pack: Pack) -> list[ProblemSpec]:
    """Problems of the current set and the demonstrations; drafts and what older sets alone hold stay with the host."""
    chosen = set(problem_ids(pack))
    return [
        problem
        for problem in pack.problems
        if problem.id in chosen or (problem.split is Split.DEMONSTRATION and problem.status is Status.ACTIVE)
    ]


def manifests(pack: Pack) -> dict[str, str]:
    """The files that make the archive a pack: pack.toml, problems by unit, the current set."""
    chosen = current_set(pack)
    files = {
        MANIFEST: f'edition = "team"\n{(pack.root / MANIFEST).read_text(encoding="utf-8")}',
        f"sets/{chosen.name}.toml": _toml(
            title=chosen.title,
            members=[f"{name}@{revision}" for name, revision in chosen.members],
            digest=chosen.digest,
        ),
    }
    for unit in pack.units:
        tables = ["[[problem]]\n" + _entry(problem) for problem in handed_out(pack) if problem.unit == unit]
        if tables:
            files[f"problems/{unit}.toml"] = "\n".join(tables)
    return files


def _entry(problem: ProblemSpec) -> str:
    return _toml(
        id=problem.id,
        lemma=".".join((*problem.scope, problem.lemma)),
        category=problem.category,
        revision=problem.revision,
        status=str(problem.status),
        split=str(problem.split),
        bundle=problem.bundle,
        permitted_axioms=list(problem.permitted_axioms),
        tags=list(problem.tags),
    )


def _toml(**values: str | int | list[str]) -> str:
    """Keys and values of a TOML table; JSON's strings, numbers and lists of strings are TOML's."""
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items())


def _theories(pack: Pack, masked: Masked) -> dict[str, bytes]:
    """All files that the environment is built from; those that hold problems without the proofs that the host keeps."""
    source = SOURCES[pack.prover]
    units = {pack.source(unit, source.extension): text for unit, (text, _) in masked.items()}
    paths = [path for path in (pack.root / "theories").rglob("*") if path.is_file()]
    shown = [path for path in paths if not any(part.startswith(".") for part in path.relative_to(pack.root).parts)]
    return {
        path.relative_to(pack.root).as_posix(): units[path].encode() if path in units else path.read_bytes()
        for path in shown
    }


def sample_submission(pack: Pack) -> str:
    """A `proofs.jsonl` that uploads without a finding: one well-formed text for every problem of the current set."""
    sample = SOURCES[pack.prover].sample
    lines = [_json({"problem": name, "attempt": 1, "proof": sample}) for name in problem_ids(pack)]
    return "".join(lines)


def rules(pack: Pack, source: Source) -> str:
    """README of the archive: what to do, in ten lines, then licence and citation."""
    chosen = current_set(pack)
    limits = pack.limits
    names = "; ".join(f"{category.name}, {category.meaning}" for category in pack.categories)
    most = max(pack.k_values)
    return f"""# {pack.title}

{pack.summary}

Set `{chosen.name}` ({chosen.title}): {len(chosen.members)} problems, digest {chosen.digest}.
Pack digest {pack.digest}. Prover: {pack.prover} {pack.toolchain}. Categories: {names}.

## Rules

1. `problems.jsonl` holds one problem a line; write a proof for each whose `split` is `evaluation`.
2. `preamble` is everything that stands before the lemma in its theory; facts stated later cannot be used.
3. Problems whose `split` is `demonstration` come with their `proof`; they do not score.
4. Upload a zip of `<id>{source.extension}` files, of folders `0/` to `{most}/` of them, or one `proofs.jsonl`.
5. Attempt 0 is the greedy answer, attempts 1 to {most} are samples; a single attempt is attempt 1.
6. A file holds the proof alone, or the statement as it stands and then the proof; it goes to the proof's very end
   (`Qed.` in Rocq; `by`, `done` or `qed` in Isabelle).
7. A proof may have {limits.tokens} tokens (cl100k_base), {limits.wall_seconds:g} seconds and \
{size_words(limits.memory_bytes)} of memory.
8. A text that skips, admits or aborts the proof, or that holds anything but a proof, is rejected.
9. A proof may rest on the axioms that `permitted_axioms` names, and on no other.
10. ACC#k counts a problem as solved when one of k attempts is proved; what is not sent counts as not solved.

Each problem comes with excerpts for prompts, with their sizes in tokens: `similar` parts of its theory before it, and
under `dependency` the definitions and facts that its statement depends on, all without proofs that the host keeps.
`proofs.jsonl` is a sample submission: it uploads without a finding and proves little.
`theories/` holds the sources with the proofs of evaluation problems left out.

## Judge at home

This folder is a pack. With Selen, {pack.prover} and bubblewrap on your machine,
`manage.py judge ./{pack.slug} proofs.zip` builds the environment from it once and checks every proof as the portal
does, without database or network. Keep the folder's name. Lemmas whose proofs are left out are taken as given there.

## Licence

{pack.licence}

## Citation

{pack.citation}
"""


def team_archive(pack: Pack, uses: Mapping[str, Sequence[Use]] = MappingProxyType({})) -> bytes:
    """The zip for teams; `uses` is by problem what the prover said that it uses, where it did."""
    masked = {unit: theory_masked(pack, unit) for unit in pack.units}
    texts = {
        "README.md": rules(pack, SOURCES[pack.prover]),
        **manifests(pack),
        "problems.jsonl": "".join(_json(record) for record in problem_records(pack, masked, uses)),
        "proofs.jsonl": sample_submission(pack),
    }
    members = {**{name: text.encode() for name, text in texts.items()}, **_theories(pack, masked)}
    if (pack.root / "LICENSE").is_file():
        members["LICENSE"] = (pack.root / "LICENSE").read_bytes()
    target = BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(members):
            info = zipfile.ZipInfo(f"{pack.slug}/{name}", _TIME)
            info.external_attr, info.compress_type, info.create_system = _MODE, zipfile.ZIP_DEFLATED, 3
            archive.writestr(info, members[name], compresslevel=6)
    return target.getvalue()


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
