"""Which commands, methods and facts does a proof name, read from its text alone.

What a method finds by itself, such as a rule of the simplifier, has no name there. Which facts an accepted proof rests
on is known to the prover only, which tells it when an environment is built.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from isar_tools.source.lexer import Kind, Token
from isar_tools.source.theory import Command, Theory, significant

_METHODS: Final = frozenset({"by", "apply", "apply_end", "proof", "qed"})
_FACTS: Final = frozenset({"using", "unfolding", "from", "with", "note", "supply"})
_BOUND: Final = frozenset({"this", "assms", "that", "calculation", "premises", "_"})  # facts of the proof's own
_MINOR: Final = frozenset({"in", "and", "for", "is", "if", "asm", "no_asm", "no_asm_simp", "no_asm_use", "asm_lr"})
_TERMS: Final = frozenset(  # methods whose first arguments are terms and variables
    {"induct", "induction", "induct_tac", "coinduct", "coinduction", "cases", "case_tac", "exhaust_tac", "rename_tac"}
    | {"subgoal_tac", "thin_tac", "ind_cases"}
)
_VARIABLES: Final = frozenset({"arbitrary", "taking"})  # modifiers whose list holds no facts
_MODIFIED: Final = frozenset({"simp", "intro", "elim", "dest", "iff", "split", "cong"})  # as in `simp add:`
_MODIFIES: Final = frozenset({"add", "del", "only", "cong", "split", "flip"})
_RULES: Final = frozenset({"OF", "THEN", "COMP", "RS", "folded", "unfolded", "simplified", "rotated", "untransferred"})


@dataclass(frozen=True, slots=True)
class Used:
    """The names, each once, in the order in which the proof has them.

    `facts` are those that the proof takes from elsewhere: what it states, assumes or labels itself is left out.
    """

    commands: tuple[str, ...]
    methods: tuple[str, ...]
    facts: tuple[str, ...]


def used_in(theory: Theory, statement: Command, proof: Sequence[Command]) -> Used:
    """What the commands of a proof name; labels of the statement's assumptions are the proof's own."""
    methods: dict[str, None] = {}
    facts: dict[str, None] = {}
    own = set(_labels(_behind_keyword(theory, statement)))
    for command in proof:
        tokens = _behind_keyword(theory, command)
        if command.name in _METHODS:
            for name, is_method in _in_methods(tokens):
                (methods if is_method else facts)[name] = None
            continue
        if command.name in _FACTS:
            facts |= dict.fromkeys(_in_facts(tokens))
        own |= set(_labels(tokens))
        if command.name == "case":
            own |= {token.text for token in tokens}
    return Used(
        tuple(dict.fromkeys(command.name for command in proof)),
        tuple(methods),
        tuple(name for name in facts if not own & {name, name.partition(".")[0]}),
    )


def _behind_keyword(theory: Theory, command: Command) -> list[Token]:
    return list(significant(command.tokens(theory.tokens)))[1:]


def _in_methods(tokens: Sequence[Token]) -> Iterator[tuple[str, bool]]:
    """Names in the text of methods, and whether each is a method; else it is a fact.

    Arguments stand inside parentheses alone, so every word outside them is a method.
    """
    level = 0
    begins = True
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.text == "(" and (begins or not level):
            level, begins = level + 1, True
        elif token.text == "[":
            stop = _closing(tokens, at - 1)
            at = stop + 1
        elif token.text == ")":
            level, begins = max(0, level - 1), False
        elif token.text in {",", ";", "|"}:
            begins = True
        elif (begins or not level) and (token.kind is Kind.WORD or token.text == "-"):
            yield token.text, True
            begins = False
            if level:
                stop = _arguments_end(tokens, at)
                yield from ((name, False) for name in _in_arguments(token.text, tokens[at:stop]))
                at = stop


def _arguments_end(tokens: Sequence[Token], at: int) -> int:
    """Where the arguments of a method end that stands inside parentheses."""
    while at < len(tokens) and tokens[at].text not in {",", ";", "|", ")"}:
        at = _closing(tokens, at) + 1 if tokens[at].text in {"(", "["} else at + 1
    return at


def _in_arguments(method: str, tokens: Sequence[Token]) -> Iterator[str]:
    """Facts among a method's arguments: what stands bare or behind a modifier."""
    terms = method in _TERMS
    at = 0
    while at < len(tokens):
        token, after = tokens[at], tokens[at + 1 : at + 4]
        texts = [one.text for one in after]
        if token.text == "(":
            at = _closing(tokens, at) + 1
        elif token.text == "[":
            stop = _closing(tokens, at)
            yield from _in_attributes(tokens[at + 1 : stop])
            at = stop + 1
        elif token.kind is Kind.WORD and (texts[:1] == [":"] or (texts[:1] in (["!"], ["?"]) and texts[1:2] == [":"])):
            terms = token.text in _VARIABLES
            at += 1 + texts.index(":") + 1
        elif texts[:1] == ["="]:
            at += 3  # an instantiation: variable, `=`, term
        else:
            modified = token.text in _MODIFIED and texts[1:2] == [":"] and texts[0] in _MODIFIES
            if not terms and not modified and _names_fact(token):
                yield token.text
            at += 1


def _in_facts(tokens: Sequence[Token]) -> Iterator[str]:
    """Facts that a command lists; in `note x = y` and `supply x = y` the first is a new name."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text in {"(", "["}:
            stop = _closing(tokens, at)
            if token.text == "[":
                yield from _in_attributes(tokens[at + 1 : stop])
            at = stop + 1
            continue
        if _names_fact(token):
            yield token.text
        at += 1


def _labels(tokens: Sequence[Token]) -> Iterator[str]:
    """What a command of a proof gives a name to: the word before `:` or `=`, with attributes between them or not."""
    for at, token in enumerate(tokens[:-1]):
        if token.kind is Kind.WORD:
            behind = at + 1
            if tokens[behind].text == "[":
                behind = _closing(tokens, behind) + 1
            if behind < len(tokens) and tokens[behind].text in {":", "="}:
                yield token.text


def _in_attributes(tokens: Sequence[Token]) -> Iterator[str]:
    """Facts that rules are combined with, as in `[OF a, THEN b, unfolded c]`."""
    takes = False
    first = True
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text == "[":
            stop = _closing(tokens, at)
            yield from _in_attributes(tokens[at + 1 : stop])
            at = stop
        elif token.text == ",":
            takes, first = False, True
        elif first:
            takes, first = token.text in _RULES, False
        elif takes and _names_fact(token):
            yield token.text
        at += 1


def _names_fact(token: Token) -> bool:
    return (
        token.kind is Kind.WORD
        and not token.text[0].isdigit()
        and token.text[0] not in "?'"
        and token.text not in _BOUND | _MINOR
    )


def _closing(tokens: Sequence[Token], at: int) -> int:
    """The bracket that closes the one at `at`, or the last token where none does."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(tokens[place].text, 0)
        if depth == 0:
            return place
    return len(tokens) - 1
