"""Which facts an Isabelle theory states, and the proof that stands there. Read as tokens and command spans.

The lexer and the commands of the distribution are those of isar-tools; a theory's header adds its own commands.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from isar_tools.source.keywords import BUILTIN_COMMANDS, THEORY_GOALS, CommandKind, commands_of_import
from isar_tools.source.lexer import IGNORABLE, Kind, Token, iter_tokens
from isar_tools.source.theory import (
    Command,
    GoalBlock,
    Theory,
    parse_header,
    parse_theory,
    significant,
    unquote,
)

from verifier.core.digest import digest_text

_GIVEN_UP = frozenset({"oops", "sorry", "\\<proof>"})
_DEFINES = frozenset(
    {"definition", "abbreviation", "fun", "function", "primrec", "primcorec", "datatype", "codatatype", "record"}
    | {"type_synonym", "typedef", "inductive", "coinductive", "inductive_set", "coinductive_set", "locale", "class"}
    | {"lemmas", "consts", "axiomatization", "lift_definition"}
)
_STATES_GOALS = frozenset({"proof"})
_WITHOUT_NAME = frozenset({"instance"})  # what it proves is a fact, though no name can be written
_NO_NAMES = frozenset(  # words of the outer syntax: unquoted, none of them can be a name
    {"fixes", "constrains", "assumes", "defines", "notes", "includes", "obtains", "shows", "rewrites", "imports"}
    | {"if", "for", "and", "is", "when", "where", "in", "begin", "keywords", "abbrevs", "premises", "structure"}
    | {"infix", "infixl", "infixr", "binder", "open", "output", "overloaded", "pervasive", "unchecked", "attach"}
)


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact as a theory states it, with its proof.

    Where the theory gives no name, `name` is the keyword, `#` and eight digits of a digest of the statement and the
    blocks around it, which other lines of the theory do not change; of equal ones the second ends in `#2`. `naming`
    is then how the same statement is given a name: where, counted from `start`, and what to put there; None for a fact
    with a name, and for an instance, which can have none.

    `index` orders the facts of the theory; `line` is that of the statement's keyword, from 1. `scope` names the blocks
    (locale, context, class) that are open around it, an unnamed one by its keyword. `proof_lines` leaves out comments
    and blank lines; `declarative` says that the proof is one of the structured language. `finished` is False where
    the proof is given up. Offsets are those of characters; the proof ends before `end`; `block_start` is where the
    outermost open block begins, or the statement itself outside every block.
    """

    name: str
    statement: str
    proof: str
    index: int
    line: int
    scope: tuple[str, ...]
    proof_lines: int
    declarative: bool
    finished: bool
    start: int
    proof_start: int
    end: int
    block_start: int
    naming: tuple[int, str] | None = None


def declared(texts: Iterable[str]) -> dict[str, str]:
    """Commands that these theories declare or import from the distribution, by name, with Isabelle's kind of each."""
    headers = [header for text in texts if (header := parse_header(iter_tokens(text))) is not None]
    known = {name: str(kind) for one in headers for entry in one.imports for name, kind in _shipped(entry.text)}
    own = (keyword for header in headers for keyword in header.keywords)
    return known | {one.name: str(one.kind) for one in own if one.kind is not None}


def _shipped(name: str) -> list[tuple[str, CommandKind]]:
    return list(commands_of_import(name).items())


def imports(text: str) -> list[str]:
    """Stems of the theories that a header imports."""
    header = parse_header(iter_tokens(text))
    return [] if header is None else [re.split(r"[./]", name.text)[-1] for name in header.imports]


def named(text: str, commands: Mapping[str, str] = MappingProxyType({})) -> list[tuple[str, int, int]]:
    """Definitions and stated facts in order: name, and where the command begins and ends; proofs are no part of it."""
    theory = parse_theory(text, {**BUILTIN_COMMANDS, **{name: CommandKind(kind) for name, kind in commands.items()}})
    return [
        (name, theory.start(command), theory.end(command))
        for command in theory.commands
        if (command.kind is CommandKind.THY_GOAL_STMT or command.name in _DEFINES)
        and (name := given_name(theory, command) or _defined(theory, command))
    ]


def _defined(theory: Theory, command: Command) -> str:
    """The first name of a definition outside brackets, else the first of the quoted equation."""
    if command.kind is CommandKind.THY_GOAL_STMT:
        return ""
    depth = 0
    for token in _behind_target(theory, command):
        depth += {"(": 1, ")": -1, "[": 1, "]": -1}.get(token.text, 0)
        if depth == 0 and token.kind is Kind.WORD:
            return str(token.text)
        if depth == 0 and token.kind in {Kind.STRING, Kind.CARTOUCHE}:
            first = re.search(r"[A-Za-z][\w']*", str(unquote(token)))
            return first.group() if first else ""
    return ""


def parsed(text: str, keywords: Mapping[str, CommandKind]) -> Theory:
    """The tokens and command spans of a theory under a full table of commands."""
    theory: Theory = parse_theory(text, dict(keywords))
    return theory


def stated(text: str, commands: Mapping[str, str] = MappingProxyType({})) -> list[StatedFact]:
    """Every proposition and instance with a proof, in order, and what else gives its goal a name.

    `commands` are those of `declared` that the theory's imports bring.
    """
    return list(_stated(text, tuple(sorted(commands.items()))))


@lru_cache(maxsize=64)
def _stated(text: str, commands: tuple[tuple[str, str], ...]) -> tuple[StatedFact, ...]:
    theory = parse_theory(text, {**BUILTIN_COMMANDS, **{name: CommandKind(kind) for name, kind in commands}})
    scopes = _scopes(theory)
    met: Counter[str] = Counter()
    facts: list[StatedFact] = []
    for block in theory.goal_blocks():
        fact = _fact(theory, block, scopes[block.statement])
        if fact is None:
            continue
        met[fact.name] += "#" in fact.name
        number = met[fact.name]
        name = f"{fact.name}#{number}" if number > 1 else fact.name
        facts.append(replace(fact, index=len(facts), name=name))
    return tuple(facts)


class _Block(NamedTuple):
    """A block that is open: its name, an unnamed one by its keyword, where it begins, and its whole heading."""

    name: str
    start: int
    heading: str


def _scopes(theory: Theory) -> list[tuple[_Block, ...]]:
    """For each command the blocks that are open where it stands, the outermost first."""
    found: list[tuple[_Block, ...]] = []
    opened: list[_Block] = []
    for command in theory.commands:
        if command.kind is CommandKind.THY_END and opened:
            opened.pop()
        found.append(tuple(opened))
        if command.kind is CommandKind.THY_DECL_BLOCK:
            words = [token.text for token in significant(command.tokens(theory.tokens)) if token.kind is Kind.WORD]
            if "begin" in words:
                named = len(words) > 1 and words[1] not in _NO_NAMES
                name = words[1] if named else words[0]
                opened.append(_Block(name, theory.start(command), _words(theory, command)))
    return found


def _words(theory: Theory, command: Command) -> str:
    """The tokens of a command, whatever the layout between them."""
    return " ".join(token.text for token in significant(command.tokens(theory.tokens)))


def _fact(theory: Theory, block: GoalBlock, scope: tuple[_Block, ...]) -> StatedFact | None:
    statement = theory.commands[block.statement]
    proof = theory.commands[block.statement + 1 : block.stop]
    name, naming = _name(theory, statement, scope)
    if statement.kind not in THEORY_GOALS or not proof or not name:
        return None
    start, proof_start, end = theory.start(statement), theory.start(proof[0]), theory.end(proof[-1])
    return StatedFact(
        name=name,
        statement=theory.text[start : theory.end(statement)],
        proof=theory.text[proof_start:end],
        index=0,
        line=theory.lines.line(start),
        scope=tuple(one.name for one in scope),
        proof_lines=len({theory.lines.line(at) for at in _code(theory, proof)}),
        declarative=any(command.name in _STATES_GOALS for command in proof),
        finished=block.closed and not any(command.name in _GIVEN_UP for command in proof),
        start=start,
        proof_start=proof_start,
        end=end,
        block_start=scope[0].start if scope else start,
        naming=naming,
    )


def _name(theory: Theory, statement: Command, scope: tuple[_Block, ...]) -> tuple[str, tuple[int, str] | None]:
    """The name that the statement gives, else one made from it; and how it can be given one, where it can."""
    if given := given_name(theory, statement):
        return given, None
    if statement.kind is not CommandKind.THY_GOAL_STMT and statement.name not in _WITHOUT_NAME:
        return "", None
    plain = behind_modifiers(theory, statement)
    digest = digest_text("\n".join([*(one.heading for one in scope), _words(theory, plain)]))[:8]
    name = f"{statement.name}#{digest}"
    if statement.kind is not CommandKind.THY_GOAL_STMT:
        return name, None
    rest = _behind_target(theory, statement)
    if not rest:
        return "", None
    text = f"selen_{digest}_{theory.lines.line(rest[0].start)}{'' if rest[0].text == '[' else ':'} "
    return name, (rest[0].start - theory.start(statement), text)


def given_name(theory: Theory, statement: Command) -> str:
    """The name that a statement is given where it stands; empty where it has none."""
    rest = _behind_target(theory, statement)
    if len(rest) < 2 or rest[1].text not in {":", "["}:
        return ""
    named = rest[0].kind is Kind.STRING or (rest[0].kind is Kind.WORD and rest[0].text not in _NO_NAMES)
    return str(unquote(rest[0])) if named else ""


def _behind_target(theory: Theory, statement: Command) -> list[Token]:
    """The tokens behind the keyword, its tags and `(in …)`, where these stand at all."""
    tokens = behind_tags(theory, statement)
    at = depth = 0
    while at < len(tokens) and (depth or tokens[at].text == "("):
        depth += {"(": 1, ")": -1}.get(tokens[at].text, 0)
        at += 1
    return tokens[at:]


def behind_tags(theory: Theory, statement: Command) -> list[Token]:
    """The tokens behind the keyword and its document tags, `%important`; a marker is none of them, like a comment."""
    tokens = list(significant(behind_modifiers(theory, statement).tokens(theory.tokens)))[1:]
    at = 0
    while at < len(tokens) and tokens[at].text == "%":
        at += 2
    return tokens[at:]


def behind_modifiers(theory: Theory, statement: Command) -> Command:
    """The statement from its keyword on: `private` and `qualified` may stand before it."""
    words = range(statement.first, statement.stop)
    return replace(statement, first=next(at for at in words if theory.tokens[at].text == statement.name))


def _code(theory: Theory, proof: list[Command]) -> Iterator[int]:
    """Where tokens of a proof stand that are neither layout nor comment; a token over several lines counts each."""
    for token in theory.tokens[proof[0].first : proof[-1].stop]:
        if token.kind in IGNORABLE:
            continue
        yield token.start
        yield from (token.start + at + 1 for at, char in enumerate(token.text) if char == "\n")
