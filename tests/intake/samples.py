"""A small pack and a prover without a process, so that intake is tested on its own."""

from pathlib import Path

from verifier.core.finding import Consequence, Finding
from verifier.core.limits import Limits
from verifier.core.problem import Category, Pack, ProblemSpec, ProofVisibility, SetSpec, Split, Status
from verifier.core.reason import Reason


class FakeProver:
    """Statements are the text up to `Proof.`; the word `admit` is forbidden."""

    name = "fake"
    title = "Fake"
    extension = ".v"

    def lint(self, pack, problem, text):
        findings = []
        for number, line in enumerate(text.split("\n"), 1):
            if "admit" in line:
                findings.append(
                    Finding(
                        Consequence.REJECTED,
                        "The proof contains `admit`.",
                        "Prove it.",
                        line=number,
                        column=line.index("admit") + 1,
                        reason=Reason.CHEAT_WORD,
                    )
                )
        return findings

    def split_statement(self, problem, text):
        if not text.lstrip().startswith("Lemma"):
            return text, 0
        if not text.lstrip().startswith(problem.statement):
            return Finding(
                Consequence.REJECTED, "Another statement.", "Restate it.", line=1, reason=Reason.STATEMENT_CHANGED
            )
        proof = text[text.index(problem.statement) + len(problem.statement) :].lstrip()
        return proof, text[: len(text) - len(proof)].count("\n")


def problem(name, category="P1", **values):
    statement = f"Lemma {name} : True."
    return ProblemSpec(name, 1, category, "Base", name, statement, 0, **values)


def pack(problems=None, **values):
    problems = problems or (
        problem("add_zero"),
        problem("add_comm"),
        problem("cap_valid", "P2"),
        problem("shown_proof", split=Split.DEMONSTRATION),
        problem("old_one", status=Status.WITHDRAWN),
    )
    settings = {
        "slug": "tiny",
        "root": Path("/nowhere"),
        "title": "Tiny",
        "summary": "",
        "prover": "fake",
        "toolchain": "",
        "licence": "",
        "citation": "",
        "limits": Limits(),
        "selftest_limits": Limits(),
        "categories": (Category("P1", ""), Category("P2", "")),
        "k_values": (1, 5),
        "primary_metric": "acc1",
        "proofs": ProofVisibility.CHOICE,
        "problems": tuple(problems),
        "sets": (),
        "selftests": (),
        "units": ("Base",),
        "digest": "0" * 64,
    }
    return Pack(**{**settings, **values})


def problem_set(*ids):
    return SetSpec("v0", "Set", tuple((one, 1) for one in ids), "0" * 64)
