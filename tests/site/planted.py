"""A benchmark whose every ground truth holds marks of its own, its site with people and runs, and who may see what.

The marks stand in a comment and in the code of each proof: what strips the one still shows the other.
"""

import io
import itertools
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, reverse

from submissions.models import Draft, Invitation, Membership, Submission, System, Team, User
from submissions.services.judging import Judge, slice_judge
from submissions.services.leases import slice_claim
from tests.seed import PASSWORD, person
from verifier.core.problem import Pack, Split
from verifier.extract.facts import Rules
from verifier.extract.isabelle import extract_pack
from verifier.extract.pack import write
from verifier.extract.rocq import extract_rocq_pack
from verifier.models import Environment
from verifier.packs import load_pack

LEMMAS = 6
BROKEN = "lemma_1"  # its own proof does not go through, and the prover quotes it
MARK = re.compile(rb"(?i)planted(?:comment|code)_(\d+)x")

_PLANTED = re.compile(r"\(\* planted\w+ \*\) pose proof I as \w+\.\n\s*|supply \(\* planted\w+ \*\) \w+ = TrueI\n\s*")

_ROCQ_HEAD = "Definition twice (n : nat) := n + n.\n\n"
_ROCQ = """(* What stands before lemma {0}. *)
Lemma lemma_{0} : twice {0} = {0} + {0}.
(* plantedcomment_{0}x *)
Proof.
  (* plantedcomment_{0}x *) pose proof I as plantedcode_{0}x.
  {1}
Qed.

"""
_ISABELLE = """text \\<open>What stands before lemma {0}.\\<close>

lemma lemma_{0}: "twice {0} = {0} + {0}"
  (* plantedcomment_{0}x *) supply (* plantedcomment_{0}x *) plantedcode_{0}x = TrueI
  {1}

"""
_BASELINE = """[[baseline]]
system = "Another model"
source = "Example 2026, Table 1"
k = 1
scores = { all = 50.0 }
"""


def _rocq(home: Path, *, broken: bool) -> None:
    lines = ["exact plantedcode_1x." if broken and f"lemma_{n}" == BROKEN else "reflexivity." for n in range(LEMMAS)]
    (home / "Marked.v").write_text(_ROCQ_HEAD + "".join(_ROCQ.format(n, line) for n, line in enumerate(lines)))


def _isabelle(home: Path, *, broken: bool) -> None:
    lines = [
        "by (rule plantedcode_1x)" if broken and f"lemma_{n}" == BROKEN else "by (simp add: twice_def)"
        for n in range(LEMMAS)
    ]
    head = 'theory Marked\n  imports Main\nbegin\n\ndefinition "twice n = (n::nat) + n"\n\n'
    body = "".join(_ISABELLE.format(n, line) for n, line in enumerate(lines))
    (home / "ROOT").write_text("session Marked = HOL +\n  theories Marked\n")
    (home / "Marked.thy").write_text(f"{head}{body}end\n")


def marked_pack(prover: str, packs: Path, *, broken: bool) -> Pack:
    """The benchmark, made from sources as a host makes one."""
    sources = packs.parent / f"sources-{prover}"
    sources.mkdir()
    if prover == "rocq":
        _rocq(sources, broken=broken)
        _, written = extract_rocq_pack(sources, Rules.FULL)
    else:
        _isabelle(sources, broken=broken)
        _, written = extract_pack(sources, [], Rules.FULL, "ARM")
    write(written, packs / f"marked-{prover}")
    (packs / f"marked-{prover}" / "baselines.toml").write_text(_BASELINE)
    return load_pack(f"marked-{prover}", packs)


def marks_in(data: bytes) -> set[str]:
    """Lemmas whose ground truth shows in what somebody got; archives are opened."""
    found = {match.group(1).decode() for match in MARK.finditer(data)}
    if data.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                found |= marks_in(archive.read(name))
    return {f"lemma_{number}" if number.isdigit() else number for number in found}


@dataclass
class Site:
    """Everything that addresses name, and the people who open them."""

    pack: Pack
    environment: Environment
    people: dict[str, User]
    team: Team
    system: System
    invitation: Invitation
    submissions: list[Submission] = field(default_factory=list)
    draft: Draft | None = None

    @property
    def secret(self) -> set[str]:
        """Lemmas whose proofs nobody but the host may see."""
        return {problem.lemma for problem in self.pack.problems if problem.split is Split.EVALUATION}

    def client(self, reader: str) -> Client:
        client = Client(raise_request_exception=False)
        if reader in self.people:
            assert client.login(email=self.people[reader].email, password=PASSWORD)
        return client

    def addresses(self, pattern: URLPattern) -> list[str]:
        """Every address of a pattern that this site has; a parameter that is not known here fails the caller."""
        idents = [problem.id for problem in self.pack.problems]
        names = [submission.public_id for submission in self.submissions]
        values = {
            "slug": [self.pack.slug], "ident": idents, "problem": idents, "attempt": [1],
            "digest": [self.environment.digest], "submission": names, "submission_id": names,
            "system": [self.system.public_id], "system_id": [self.system.public_id], "team_id": [self.team.public_id],
            "draft_id": [self.draft.public_id] if self.draft else ["none"], "token": [self.invitation.token],
            "number": [self.invitation.pk], "user_id": [self.people["member"].public_id],
            "key": ["nothing"], "uidb36": ["a"],
        }  # fmt: skip
        parts = list(pattern.pattern.regex.groupindex) or list(pattern.pattern.converters)
        found = itertools.product(*(values[part] for part in parts))
        return [reverse(pattern.name, kwargs=dict(zip(parts, each, strict=True))) for each in found]


def site_made(pack: Pack, environment: Environment) -> Site:
    """People in every role but the organiser's, with a team and a system."""
    people = {name: person(f"{name}@example.org", name=name.title()) for name in ("owner", "member", "stranger")}
    team = Team.objects.create(name="Sample Lab")
    Membership.objects.create(team=team, user=people["owner"], role="owner")
    Membership.objects.create(team=team, user=people["member"], role="member")
    system = System.objects.create(team=team, name="Model A", model="model-a", augmentations=["similar"])
    owner = Client()
    assert owner.login(email="owner@example.org", password=PASSWORD)
    owner.post(reverse("invite", args=[team.public_id]), {"email": "stranger@example.org", "role": "member"})
    return Site(pack, environment, people, team, system, Invitation.objects.get())


def proofs_of(pack: Pack) -> dict[str, str]:
    """What the team sends: the host's own proofs without the marks, every third one wrong."""
    texts = {}
    for number, problem in enumerate(one for one in pack.problems if one.split is Split.EVALUATION):
        bare = _PLANTED.sub("", problem.ground_truth)
        wrong = "reflexivity. exact missing_fact.\nQed." if pack.prover == "rocq" else "by (rule missing_fact)"
        texts[problem.id] = wrong if number % 3 == 1 else bare
    assert not marks_in("".join(texts.values()).encode()) - {BROKEN}
    return texts


def upload(site: Site, client: Client) -> str:
    """Send the team's proofs through the form; the address of the draft."""
    extension = ".v" if site.pack.prover == "rocq" else ".thy"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in proofs_of(site.pack).items():
            archive.writestr(f"{name}{extension}", text.replace("plantedcode_1x", "I"))
        archive.writestr(f"lemma_nine{extension}", "by auto")
        archive.comment = str(site.team.drafts.count()).encode()  # no upload is the same as another
    sent = {
        "system": site.system.public_id,
        "problem_set": site.pack.current_set,
        "file": SimpleUploadedFile("proofs.zip", out.getvalue(), "application/zip"),
    }
    answer = client.post(reverse("submit", args=[site.pack.slug]), sent)
    assert answer.status_code == 302, answer.content.decode()
    return answer["Location"]


def confirmed(site: Site, client: Client) -> Submission:
    """An upload that became a submission."""
    draft = upload(site, client)
    answer = client.post(f"{draft}confirm/")
    return Submission.objects.get(public_id=answer["Location"].strip("/").rpartition("/")[2])


def judged(site: Site, judge: Judge, between: Callable[[], None]) -> None:
    """Work through all that waits."""
    for _ in range(50):
        claim = slice_claim(environment_id=site.environment.pk, worker="w1")
        if claim is None:
            return
        slice_judge(claim=claim, judge=judge, stopped=lambda: False)
        between()
    raise AssertionError("the queue never runs dry")


def handed_out_by_command(site: Site, folder: Path) -> Iterator[tuple[str, bytes]]:
    """What the host gives teams by hand."""
    call_command("packs", "export", site.pack.slug, "--out", str(folder / "team.zip"))
    yield "packs export", (folder / "team.zip").read_bytes()
