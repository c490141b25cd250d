"""What stands beside the problems of a pack: frozen sets and self-tests."""

from verifier.core.problem import SelfTest, SetSpec, Split, Status
from verifier.core.verdict import Verdict
from verifier.packs.folder import Folder, toml_read
from verifier.packs.identity import set_digest
from verifier.packs.positions import Path
from verifier.packs.problems import Problems
from verifier.packs.report import Report, nearest
from verifier.packs.schema import PackFile, SetFile
from verifier.packs.theories import Source


def sets_read(folder: Folder, pack: PackFile, problems: Problems, report: Report) -> list[SetSpec]:
    """Every set, each member held to the problem it names."""
    found: list[SetSpec] = []
    for member in folder.under("sets"):
        name = member.removeprefix("sets/").removesuffix(".toml")
        if not member.endswith(".toml") or name != name.lower() or not name.replace("-", "a").isalnum():
            remedy = "Name it sets/<name>.toml in lower-case letters, digits and `-`."
            report.add(member, "no name of a set", remedy)
            continue
        entry = toml_read(folder, member, SetFile, report)
        if entry is not None:
            found.append(_set(entry, name, member, problems, report, current=name == pack.current_set))
    if not any(member == f"sets/{pack.current_set}.toml" for member in folder.files):
        guess = nearest(pack.current_set, [one.name for one in found])
        remedy = f"Write `{guess}`." if guess else f"Add sets/{pack.current_set}.toml."
        message = f"no file sets/{pack.current_set}.toml"
        report.add("pack.toml", message, remedy, at=("current_set",))
    return found


def _set(entry: SetFile, name: str, member: str, problems: Problems, report: Report, *, current: bool) -> SetSpec:
    members: list[tuple[str, int]] = []
    seen: set[str] = set()
    for number, written in enumerate(entry.members):
        problem_id, _, revision = written.partition("@")
        at: Path = ("members", number)
        if problem_id in seen:
            report.add(member, f"`{problem_id}` is a member twice", "Name it once.", at=at)
        seen.add(problem_id)
        members.append((problem_id, int(revision)))
        wrong = _member_fault(problem_id, int(revision), problems, current=current)
        if wrong:
            report.add(member, *wrong, at=at)
    digest = set_digest(members)
    if entry.digest and entry.digest != digest:
        message = f"the digest of its members is {digest}, not the one written here"
        remedy = "Restore the members; to change a set, write a new one under a new name."
        report.add(member, message, remedy, at=("digest",))
    return SetSpec(name, entry.title, tuple(members), digest, entry.drawn)


def _member_fault(problem_id: str, revision: int, problems: Problems, *, current: bool) -> tuple[str, str] | None:
    problem = problems.by_id.get(problem_id)
    if problem is None:
        if problem_id in problems.named or not problems.complete:
            return None
        guess = nearest(problem_id, problems.by_id)
        remedy = f"Write `{guess}@{problems.by_id[guess].revision}`." if guess else "Take it away or add the problem."
        return f"no problem `{problem_id}` in this pack", remedy
    if problem.split is Split.DEMONSTRATION:
        return f"`{problem_id}` is a demonstration", "Take it away; demonstrations are given out with their proofs."
    if problem.status is Status.DRAFT:
        return f"`{problem_id}` is a draft", 'Take it away, or set its `status = "active"`.'
    if revision > problem.revision or (current and revision != problem.revision):
        return f"`{problem_id}` stands at revision {problem.revision}", f"Write `{problem_id}@{problem.revision}`."
    return None


def selftests_read(folder: Folder, source: Source, problems: Problems, report: Report) -> list[SelfTest]:
    """Every case under selftest/; the folder it stands in is the verdict it must get."""
    found: list[SelfTest] = []
    for member in folder.under("selftest"):
        parts = member.split("/")
        if len(parts) != 3 or not parts[2].endswith(source.extension):
            remedy = f"Name it selftest/<verdict>/<problem-id>{source.extension}."
            report.add(member, "no name of a self-test", remedy)
            continue
        problem_id = parts[2].removesuffix(source.extension).partition(".")[0]
        if problem_id not in problems.named and problems.complete:
            guess = nearest(problem_id, problems.by_id)
            remedy = f"Rename it to {guess}{source.extension}." if guess else "Name it after a problem of this pack."
            report.add(member, f"no problem `{problem_id}` in this pack", remedy)
            continue
        path = folder.root / member
        found.append(SelfTest(problem_id, Verdict(parts[1]), path.read_bytes(), path))
    return found
