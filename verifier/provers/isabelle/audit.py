"""The independent look: accepted proofs put in place of the ground truths and built by plain `isabelle build`.

Nothing of the driver takes part. The theories are copied, the proofs of one team for different problems are spliced
in, and the distribution builds the session in a fresh home. A last theory, of the product but outside the image, asks
the kernel which facts rest on an oracle. What fails is found by its line, taken out, and the rest is built again.
"""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from verifier.core import isar
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack
from verifier.core.process import Outcome
from verifier.core.result import ConfirmationResult, ProofTask
from verifier.provers.base import Run
from verifier.provers.isabelle import policy, theories
from verifier.provers.isabelle.builds import Bench, errors, fresh_home, marked

_SESSION: Final = "Selen_Audit"
_SOURCES: Final = "/build/audit"
_OPTIONS: Final = "[document = false, quick_and_dirty = false, skip_proofs = false, threads = 1, parallel_proofs = 0]"
_FINISHED: Final = f"Finished {_SESSION}"
_PLACE: Final = re.compile(r'\(line (\d+) of "[^"]*?([A-Za-z0-9_\']+)\.thy"\)')
_INSTANCE: Final = r"(?:arity|classrel)_[^\".\n]*"
_TAINTED: Final = "These facts rest on an oracle: "
# Isabelle numbers blocks `experiment` anew in every build, so their facts are known without the number.
_ORACLES: Final = """
ML \\<open>
let
  fun unnumbered part = if String.isPrefix "experiment" part then "experiment" else part;
  val plain = Long_Name.implode o map unnumbered o Long_Name.explode;
  val known = map plain [{known}];
  val facts = Facts.dest_static true [] (Global_Theory.facts_of \\<^theory>);
  fun rests (name, thms) =
    not (member (op =) known (plain name)) andalso
    not (null (Thm_Deps.all_oracles (map (Thm.transfer \\<^theory>) thms)));
  val new = [{theories}];
  fun is_new (name, _) = exists (fn theory => String.isPrefix (theory ^ ".") name) new;
in
  (case filter rests (filter is_new facts) of
    [] => ()
  | tainted => error ("{tainted}" ^ commas_quote (map #1 tainted)))
end
\\<close>
"""


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of a spliced theory, from 1, that belong to one proof, and the fact that it proves."""

    unit: str
    first: int
    last: int
    fact: str


def audit(  # noqa: PLR0917 - values are passed, not globals
    pack: Pack, tasks: Sequence[ProofTask], known: Sequence[str], tools: Mapping[str, str], workspace: Path, run: Run
) -> list[ConfirmationResult]:
    """One answer per proof; at most one proof for each problem, all of one team.

    `known` are facts that rest on an oracle already in the environment; `workspace` is an empty folder.
    """
    left = list(tasks)
    found: dict[tuple[str, int], ConfirmationResult] = {}
    for round_number in range(len(tasks) + 1):
        if not left:
            break
        folder = workspace / str(round_number)
        outcome, spans = _built(pack, left, known, tools, folder, run)
        said = errors(outcome)
        if outcome.exit_code == 0:
            if _FINISHED.encode() not in outcome.stdout:
                raise PlatformFault(f"isabelle build did not say that it built the session: {said}")
            found |= {(task.problem, task.attempt): _answer(task, True) for task in left}
            break
        guilty = _guilty(marked(outcome), left, spans)
        if outcome.limit is not None or not guilty:
            found |= {(task.problem, task.attempt): _answer(task, None, said) for task in left}
            break
        found |= {(task.problem, task.attempt): _answer(task, False, said.replace("*** ", "")) for task in guilty}
        left = [task for task in left if task not in guilty]
    return [found[task.problem, task.attempt] for task in tasks]


def _answer(task: ProofTask, agreed: bool | None, message: str = "") -> ConfirmationResult:
    return ConfirmationResult(task.problem, task.attempt, agreed, message)


def _built(  # noqa: PLR0917 - one caller
    pack: Pack, tasks: Sequence[ProofTask], known: Sequence[str], tools: Mapping[str, str], folder: Path, run: Run
) -> tuple[Outcome, dict[str, Span]]:
    sources, home = folder / "sources", fresh_home(folder)
    if pack.files:
        shutil.copytree(theories.folder(pack), sources)
    checks = sources / _SESSION if pack.files else sources
    checks.mkdir(parents=True)
    spans: dict[str, Span] = {}
    for unit in pack.units:
        path = pack.source(unit, ".thy")
        text = path.read_text(encoding="utf-8")
        proofs = {
            problem.position: task for task in tasks if (problem := pack.problem(task.problem)) and problem.unit == unit
        }
        spliced = sources / path.relative_to(theories.folder(pack))
        spliced.write_text(_spliced(pack, text, unit, proofs, spans), encoding="utf-8")
    if lost := [task.problem for task in tasks if task.problem not in spans]:
        raise PlatformFault(f"The theories of pack {pack.slug} do not state {', '.join(lost)} in their places.")
    (checks / f"{_SESSION}.thy").write_text(_check(pack, known), encoding="utf-8")
    (sources / theories.ROOT).write_text(_root(pack), encoding="utf-8")
    for place in (folder, checks, sources):
        place.chmod(0o755)
    bench = Bench(tools, {str(sources): _SOURCES}, home, run, pack.variables)
    return bench.isabelle("build", "-v", "-j", "1", "-d", _SOURCES, _SESSION), spans


def _spliced(pack: Pack, text: str, unit: str, proofs: Mapping[int, ProofTask], spans: dict[str, Span]) -> str:
    """The theory with the proofs in their places; `spans` learns on which lines they stand."""
    parts: list[str] = []
    at, line = 0, 1
    for fact in isar.stated(text, pack.commands):
        task = proofs.get(fact.index)
        if task is None:
            continue
        before, proof = text[at : fact.proof_start], policy.normalised(task.text)
        name = fact.name
        if fact.naming:  # what has no name would escape the look at oracles
            cut = fact.start + fact.naming[0] - at
            before = before[:cut] + fact.naming[1] + before[cut:]
            name = fact.naming[1].rstrip(": ")
        line += before.count("\n")
        spans[task.problem] = Span(unit, line, line + proof.count("\n"), name)
        line += proof.count("\n")
        parts += [before, proof]
        at = fact.end
    return "".join([*parts, text[at:]])


def _root(pack: Pack) -> str:
    if pack.files:
        return f"{(theories.folder(pack) / theories.ROOT).read_text(encoding='utf-8')}\n{_above(pack)}"
    parent = theories.sessions(pack)[0].parent
    base = parent.text if parent else "HOL"
    listed = "\n".join(f'    "{unit}"' for unit in (*pack.units, _SESSION))
    wanted = "".join(f'\n    "{name}"' for name in theories.other_sessions(pack))
    others = f"  sessions{wanted}\n" if wanted else ""
    return f'session "{_SESSION}" = "{base}" +\n  options {_OPTIONS}\n{others}  theories\n{listed}\n'


def _above(pack: Pack) -> str:
    """The session of the last theory, on top of sessions that keep their folders."""
    own = {session.name.text for session in theories.sessions(pack)} - {theories.parent(pack)}
    others = "".join(f'\n    "{name}"' for name in sorted(own))
    wanted = f"  sessions{others}\n" if others else ""
    heading = f'session "{_SESSION}" in "{_SESSION}" = "{theories.parent(pack)}" +'
    return f'{heading}\n  options {_OPTIONS}\n{wanted}  theories\n    "{_SESSION}"\n'


def _check(pack: Pack, known: Sequence[str]) -> str:
    names_of = [f"{unit.session}.{unit.name}" for unit in theories.units(pack)] if pack.files else pack.units
    imports = " ".join(f'"{unit}"' for unit in names_of)
    names = ", ".join(f'"{name}"' for name in known)
    listed = ", ".join(f'"{unit}"' for unit in pack.units)
    check = _ORACLES.format(known=names, theories=listed, tainted=_TAINTED)
    return f"theory {_SESSION}\n  imports {imports}\nbegin\n{check}\nend\n"


def _guilty(said: str, tasks: Sequence[ProofTask], spans: Mapping[str, Span]) -> list[ProofTask]:
    """The proofs on whose lines an error was reported, or else the first one whose fact rests on an oracle.

    What is stated later may rest on it only through that fact, so it is built again without it. `spans` come in the
    order of the theories.
    """
    places = {(unit, int(line)) for line, unit in _PLACE.findall(said)}
    hit = {
        problem
        for problem, span in spans.items()
        if any(unit == span.unit and span.first <= line <= span.last for unit, line in places)
    }
    if not hit and _TAINTED in said:
        hit = set(islice((problem for problem, span in spans.items() if _names(said, span)), 1))
    return [task for task in tasks if task.problem in hit]


def _names(said: str, span: Span) -> bool:
    """Whether a fact is among the quoted ones, by its full name; that of an instance is made by the prover."""
    fact = _INSTANCE if span.fact.startswith("instance#") else re.escape(span.fact)
    return re.search(rf'"{re.escape(span.unit)}\.(?:[^"\n]*\.)?{fact}"', said) is not None
