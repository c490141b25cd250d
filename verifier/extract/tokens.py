"""Which facts does a theory state, read with Isabelle's own rules for tokens and command spans."""

from collections.abc import Mapping

from isar_tools.source.keywords import THEORY_GOALS, CommandKind
from isar_tools.source.lexer import Kind
from isar_tools.source.theory import Command, GoalBlock, Theory, parse_theory, significant

from verifier.core.isar import behind_tags, given_name
from verifier.extract.facts import Ending, Fact
from verifier.extract.sources import SourceFault, Where
from verifier.extract.used import used_in


def facts_by_tokens(where: Where, text: str, keywords: Mapping[str, CommandKind]) -> list[Fact]:
    """Every stated fact of the theory in order. Raises SourceFault where a comment, string or cartouche never ends."""
    theory = parse_theory(text, keywords)
    last = theory.tokens[-1] if theory.tokens else None
    if last is not None and last.kind is Kind.ERROR:
        raise SourceFault(
            where.member,
            theory.lines.line(last.start),
            "a comment, string or cartouche begins here and never ends",
            "Close it.",
        )
    inside = _inside_blocks(theory)
    return [
        _fact(where, theory, block, in_block=block.statement in inside)
        for block in theory.goal_blocks()
        if theory.commands[block.statement].kind in THEORY_GOALS
    ]


def _inside_blocks(theory: Theory) -> frozenset[int]:
    """The commands that stand in a `begin … end` other than the theory's own, by position."""
    inside: set[int] = set()
    depth = 0
    for position, command in enumerate(theory.commands):
        if command.kind is CommandKind.THY_END:
            depth = max(0, depth - 1)
        elif depth:
            inside.add(position)
        if command.kind is CommandKind.THY_DECL_BLOCK and _opens(theory, command):
            depth += 1
    return frozenset(inside)


def _opens(theory: Theory, command: Command) -> bool:
    tokens = significant(command.tokens(theory.tokens))
    return any(token.kind is Kind.WORD and token.text == "begin" for token in tokens)


def _fact(where: Where, theory: Theory, block: GoalBlock, *, in_block: bool) -> Fact:
    statement = theory.commands[block.statement]
    proof = theory.commands[block.statement + 1 : block.stop]
    text = theory.text[theory.start(proof[0]) : _end(theory, proof[-1])] if proof else ""
    return Fact(
        session=where.session,
        theory=where.theory,
        member=where.member,
        line=theory.lines.line(theory.start(statement)),
        keyword=statement.name,
        name=given_name(theory, statement),
        proof_lines=sum(1 for line in text.splitlines() if line.strip()),
        declarative=any(command.name == "proof" for command in proof),
        ending=_ending(proof, closed=block.closed),
        target=_target(theory, statement),
        in_block=in_block,
        proposition=statement.kind is CommandKind.THY_GOAL_STMT or statement.name == "instance",
        used=used_in(theory, statement, proof),
    )


def _end(theory: Theory, command: Command) -> int:
    """Where the command ends without the comments behind it, which its span takes in."""
    end: int = max(token.end for token in significant(command.tokens(theory.tokens)))
    return end


def _ending(proof: list[Command], *, closed: bool) -> Ending:
    if any(command.name in {"oops", "sorry", "\\<proof>"} for command in proof):
        return Ending.GIVEN_UP
    return Ending.PROVED if closed else Ending.OPEN


def _target(theory: Theory, statement: Command) -> str:
    after = [token.text for token in behind_tags(theory, statement)[:3]]
    return after[2] if after[:2] == ["(", "in"] and len(after) > 2 else ""
