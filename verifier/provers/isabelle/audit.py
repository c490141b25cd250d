"""The independent look: accepted proofs put in place of the ground truths and built by plain `isabelle build`.

Nothing of the driver takes part. The theories are copied, the proofs of one team for different problems are spliced
in, and the distribution builds the session in a fresh home. A last theory, of the product but outside the image, asks
the kernel which facts rest on an oracle. Where the build fails it is halved until the proof at fault stands alone among
the host's own: neither lines nor names of facts tell surely whose fault it is, an instance or interpretation has none.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from verifier.core import isar
from verifier.core.errors import PlatformFault
from verifier.core.problem import Pack
from verifier.core.process import Outcome
from verifier.core.result import ConfirmationResult, ProofTask
from verifier.provers.base import Run
from verifier.provers.isabelle import policy, theories
from verifier.provers.isabelle.builds import BUILD, Bench, errors, fresh_home

_SESSION: Final = "Selen_Audit"
_SOURCES: Final = "/build/audit"
_OPTIONS: Final = "[document = false, quick_and_dirty = false, skip_proofs = false, threads = 1, parallel_proofs = 0]"
_FINISHED: Final = f"Finished {_SESSION}"
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
  | tainted => error ("These facts rest on an oracle: " ^ commas_quote (map #1 tainted)))
end
\\<close>
"""


def audit(  # noqa: PLR0917 - values are passed, not globals
    pack: Pack, tasks: Sequence[ProofTask], known: Sequence[str], tools: Mapping[str, str], workspace: Path, run: Run
) -> list[ConfirmationResult]:
    """One answer per proof; at most one proof for each problem, all of one team.

    `known` are facts that rest on an oracle already in the environment; `workspace` is an empty folder. Nothing is said
    of any proof where the host's own do not build.
    """
    site = _Site(pack, known, tools, workspace, run)
    outcome = site.built(tasks)
    refused = outcome.exit_code != 0 and outcome.limit is None
    if refused and (own := site.built(())).exit_code != 0:
        return _answers(tasks, None, f"The theories do not build with the host's own proofs: {errors(own)}")
    return _looked(site, tasks, outcome)


def _looked(site: "_Site", tasks: Sequence[ProofTask], outcome: Outcome) -> list[ConfirmationResult]:
    """What a build says of the proofs in it, and the builds of its halves where it cannot tell them apart."""
    said = errors(outcome).replace("*** ", "")
    if outcome.exit_code == 0:
        return _answers(tasks, True)
    if outcome.limit is not None:
        return _answers(tasks, None, said)
    if len(tasks) == 1:
        return _answers(tasks, False, said)
    middle = len(tasks) // 2
    return [one for half in (tasks[:middle], tasks[middle:]) for one in _looked(site, half, site.built(half))]


def _answers(tasks: Sequence[ProofTask], agreed: bool | None, message: str = "") -> list[ConfirmationResult]:
    return [ConfirmationResult(task.problem, task.attempt, agreed, message) for task in tasks]


@dataclass(frozen=True, slots=True)
class _Site:
    """Where one audit builds, again and again, and out of what."""

    pack: Pack
    known: Sequence[str]
    tools: Mapping[str, str]
    workspace: Path
    run: Run

    def built(self, tasks: Sequence[ProofTask]) -> Outcome:
        """The theories with these proofs; PlatformFault when one has no place, or where nothing was built."""
        folder, own = self.workspace / "build", theories.folder(self.pack)
        sources, home = folder / "sources", fresh_home(folder)
        if self.pack.files:
            shutil.copytree(own, sources)
        checks = sources / _SESSION if self.pack.files else sources
        checks.mkdir(parents=True)
        for unit in self.pack.units:
            path = self.pack.source(unit, ".thy")
            text = _spliced(self.pack, unit, path.read_text(encoding="utf-8"), tasks)
            (sources / path.relative_to(own)).write_text(text, encoding="utf-8")
        (checks / f"{_SESSION}.thy").write_text(_check(self.pack, self.known), encoding="utf-8")
        (sources / theories.ROOT).write_text(_root(self.pack), encoding="utf-8")
        for place in (folder, checks, sources):
            place.chmod(0o755)
        bench = Bench(self.tools, {str(sources): _SOURCES}, home, self.run, self.pack.variables)
        outcome = bench.isabelle(*BUILD, "-d", _SOURCES, _SESSION)
        if outcome.exit_code == 0 and _FINISHED.encode() not in outcome.stdout:
            raise PlatformFault(f"isabelle build did not say that it built the session: {errors(outcome)}")
        shutil.rmtree(folder)  # heaps are large, and there may be many builds
        return outcome


def _spliced(pack: Pack, unit: str, text: str, tasks: Sequence[ProofTask]) -> str:
    """A theory with the proofs of its problems in their places."""
    problems = ((problem, task) for task in tasks if (problem := pack.problem(task.problem)) and problem.unit == unit)
    proofs = {problem.position: task for problem, task in problems}
    parts: list[str] = []
    at = 0
    for fact in isar.stated(text, pack.commands):
        if (task := proofs.pop(fact.index, None)) is None:
            continue
        named = fact.start
        if fact.naming:  # what has no name would escape the look at oracles
            named += fact.naming[0]
            parts += [text[at:named], fact.naming[1]]
            at = named
        parts += [text[at : fact.proof_start], policy.normalised(task.text)]
        at = fact.end
    if proofs:
        lost = ", ".join(task.problem for task in proofs.values())
        raise PlatformFault(f"The theories of pack {pack.slug} do not state {lost} in their places.")
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
    check = _ORACLES.format(known=names, theories=listed)
    return f"theory {_SESSION}\n  imports {imports}\nbegin\n{check}\nend\n"
