"""What a submitted Isabelle proof may hold: the proof commands of Pure, and no word that reaches ML, files or oracles.

No process is needed. The driver parses the text apart from the statement and refuses commands by the prover's own
table, so what slips through here still proves nothing.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from verifier.core.finding import NAMED, Consequence, Finding, few
from verifier.core.isar_lexer import MALFORMED, Fault, Kind, Token, blanked, notable, tokens
from verifier.core.reason import Reason
from verifier.core.text import place_of
from verifier.provers.isabelle import keywords
from verifier.provers.isabelle.symbols import encode, submitted

_RUN: Final = re.compile(r"[A-Za-z0-9_']+")
_IN_FRONT: Final = "0123456789_'"  # what the lexer would cut off before a word
_TELLTALES: Final = tuple(
    sorted(w for w in keywords.FORBIDDEN_WORDS if not any(v in w for v in keywords.FORBIDDEN_WORDS - {w}))
)  # a text without any of these holds no forbidden word
_BAD: Final = re.compile(r"[\x00-\x08\x0b-\x1f]|[^\x00-\x7e]")
_INSIDE: Final = re.compile(
    r"\\(?:(?P<code>[0-9])|(?P<comment><(?:comment|\^(?:cancel|latex|marker))>)|"
    r"(?P<control><\^[A-Za-z][A-Za-z0-9_']*>\\<open>))|(?P<antiquotation>@\{)"
)
_REFUSED: Final = frozenset(keywords.KIND_OF) - keywords.ALLOWED
_COMMAND_KINDS: Final = frozenset({Kind.WORD, Kind.SYMBOLIC, Kind.OTHER})
_COMMENTS: Final = frozenset({Kind.COMMENT, Kind.FORMAL_COMMENT})
_FENCE: Final = "```"
_FENCED: Final = "Give the proof alone, without a code fence."
_UNCLOSED: Final = {
    Fault.COMMENT: ("A comment is still open at the end of the proof.", "Close it with `*)`."),
    Fault.STRING: ("A string is still open at the end of the proof.", "Close it with the quote that opened it."),
    Fault.CARTOUCHE: ("A cartouche is still open at the end of the proof.", "Close it with `\\<close>`."),
    Fault.CLOSE: ("A cartouche is closed that was not opened.", "Remove the `\\<close>` or open it with `\\<open>`."),
    Fault.FORMAL_COMMENT: (
        "A formal comment has no text.",
        "Write `\\<open>`, the text and `\\<close>` after it, or use `(* ... *)`.",
    ),
}
_ESCAPE: Final = (
    "A backslash stands in a string before something that it cannot escape.",
    "Write `\\\\` for a backslash and `\\<name>` for a symbol.",
)
_CODE: Final = ("A character is written by its number.", "Write the character itself.")
_FORMAL: Final = ("A formal comment stands inside a string or cartouche.", "Put it outside, or leave it out.")
_ANTIQUOTATION: Final = (
    "An antiquotation is not allowed in a proof: it could run code.",
    "Leave it out; in terms write the name or the term itself.",
)
_REMEDIES: Final = {
    "theory": "Give the proof alone, without the theory's header and its `end`.",
    "end": "Give the proof alone, without the theory's header and its `end`.",
    "unbundle": "Write `include` and the bundle's name inside a proof.",
    "declare": "Write `note` with the attribute in `proof ... qed`, `supply` in a script, or `using [[...]]`.",
    "notation": "Write `write` inside `proof ... qed`.",
    "definition": "Write `define` inside `proof ... qed`.",
    "abbreviation": "Write `let` inside `proof ... qed`.",
    "interpretation": "Write `interpret` inside `proof ... qed`.",
    "lemmas": "Write `note` inside `proof ... qed`.",
}
_REMEDIES_BY_KIND: Final = {
    "diag": "Leave out commands that only print, search or compute.",
    "document": "Write remarks as `(* ... *)`.",
    "thy_goal_stmt": "Prove it inside with `have`; a proof cannot state lemmas of its own.",
    "before_command": "Leave it out; it has no meaning inside a proof.",
}
_REMEDY: Final = "Leave the command out. A proof holds proof commands such as `have`, `show`, `apply` and `by`."
_CHEAT_REMEDY: Final = "Prove the goal, or leave the problem out."


def findings(text: str, extra_commands: frozenset[str] = frozenset()) -> list[Finding]:
    """Everything that policy has against a proof, in the order of the text; empty for a proof that may be judged.

    `extra_commands` are those that the pack's own theories declare; none of them may stand in a proof.
    """
    encoded = encode(text)
    first = next((token for token in tokens(encoded) if token.kind not in _COMMENTS), None)
    if first is None:
        message, remedy = "The proof holds nothing but blanks and comments.", "Write a proof, for example `by simp`."
        return [Finding(Consequence.REJECTED, message, remedy, line=1, column=1, reason=Reason.EMPTY)]
    read = _read(encoded, _REFUSED | extra_commands)
    code = _blanked(encoded, read)
    rules = (
        _characters(code),
        _first(encoded, first, extra_commands),
        _commands(encoded, read, _REFUSED | extra_commands),
        _words(code),
        _inside(code, read),
        _open_end(encoded, read),
    )
    found = sorted((one for rule in rules for one in islice(rule, NAMED + 1)), key=lambda one: one.at)
    return few(_placed(text, encoded, found[: NAMED + 1]))


def normalised(text: str) -> str:
    """The text as the prover gets it: in its own encoding, with a blank for every symbol of a comment.

    No symbol moves, so places that the prover tells are places of the submitted text.
    """
    encoded = encode(text)
    found = [token for token in tokens(encoded) if token.kind in _COMMENTS]
    parts, at = [], 0
    for token in found:
        parts += [encoded[at : token.start], blanked(encoded, token.start, token.end)]
        at = token.end
    return "".join([*parts, encoded[at:]])


class _At(NamedTuple):
    """A finding by its place in the encoded text."""

    at: int
    reason: Reason
    message: str
    remedy: str


def _read(encoded: str, refused: frozenset[str]) -> list[Token]:
    """The tokens that a rule may look at; refused words only until there are more than are told."""
    read: list[Token] = []
    count = 0
    for token in notable(encoded, refused):
        read.append(token)
        count += encoded[token.start : token.end] in refused
        if count > NAMED:
            return [*read, *notable(encoded, frozenset(), token.end)]
    return read


def _placed(text: str, encoded: str, found: list[_At]) -> list[Finding]:
    places = [one.at for one in found]
    if encoded != text:
        places = submitted(text, places)
    return [
        Finding(Consequence.REJECTED, one.message, one.remedy, line=line, column=column, reason=one.reason)
        for one, (line, column) in zip(found, (place_of(text, at) for at in places), strict=True)
    ]


def _characters(code: str) -> Iterator[_At]:
    if not (code.isascii() and code.isprintable()):
        for match in _BAD.finditer(code):
            name = f"U+{ord(match.group()):04X}"
            message = f"The character {name} is not allowed outside comments."
            yield _At(
                match.start(), Reason.BAD_CHARACTER, message, "Write it as one of Isabelle's symbols, or in ASCII."
            )
    if "\\<" in code:
        for match in MALFORMED.finditer(code):
            message = f"`{match.group()}` is no symbol."
            yield _At(match.start(), Reason.BAD_CHARACTER, message, "Write symbols as `\\<name>`.")


def _first(encoded: str, token: Token, extra_commands: frozenset[str]) -> Iterator[_At]:
    """What stands before the first command would be read as a part of the statement."""
    word = encoded[token.start : token.end]
    if token.kind is Kind.ERROR or word in keywords.KIND_OF or word in extra_commands:
        return
    shown = word if len(word) <= 40 else f"{word[:40]}..."
    if encoded.startswith(_FENCE, token.start):
        yield _At(token.start, Reason.FORBIDDEN_COMMAND, "The text begins with a code fence.", _FENCED)
    elif token.kind in {Kind.STRING, Kind.CARTOUCHE, Kind.OTHER, Kind.SYMBOLIC} or word in keywords.JOINING:
        message = f"The text begins with `{shown}`, which would go on with the statement."
        yield _At(token.start, Reason.STATEMENT_CHANGED, message, "Begin with a proof command.")
    else:
        message = f"The text begins with `{shown}`, which is no proof command."
        yield _At(
            token.start, Reason.FORBIDDEN_COMMAND, message, "Begin with a command such as `by`, `apply` or `proof`."
        )


def _commands(encoded: str, read: list[Token], refused: frozenset[str]) -> Iterator[_At]:
    for kind, start, end, _ in read:
        if kind not in _COMMAND_KINDS or (word := encoded[start:end]) not in refused:
            continue
        if word in keywords.CHEATS:
            yield _At(start, Reason.CHEAT_WORD, f"`{word}` skips the proof.", _CHEAT_REMEDY)
        else:
            remedy = _REMEDIES.get(word) or _REMEDIES_BY_KIND.get(keywords.KIND_OF.get(word, ""), _REMEDY)
            yield _At(start, Reason.FORBIDDEN_COMMAND, f"`{word}` is not allowed in a proof.", remedy)


def _words(code: str) -> Iterator[_At]:
    if not any(word in code for word in _TELLTALES):
        return
    if keywords.FORBIDDEN_WORDS.isdisjoint(run.lstrip(_IN_FRONT) for run in set(_RUN.findall(code))):
        return
    for match in _RUN.finditer(code):
        word = match.group().lstrip(_IN_FRONT)
        if word in keywords.FORBIDDEN_WORDS:
            message = f"The word `{word}` is not allowed, not even inside quotes."
            yield _At(match.end() - len(word), Reason.FORBIDDEN_WORD, message, "Rename what bears it, or do without.")


def _inside(code: str, read: list[Token]) -> Iterator[_At]:
    """What the prover would unpack: characters by number, comments and antiquotations inside quotes."""
    if "\\" not in code and "@{" not in code:
        return
    end = read[-1].start if read and read[-1].kind is Kind.ERROR else len(code)
    for match in _INSIDE.finditer(code):
        if match.lastgroup == "code":
            yield _At(match.start(), Reason.BAD_CHARACTER, *_CODE)
        elif match.lastgroup in {"antiquotation", "control"}:
            yield _At(match.start(), Reason.FORBIDDEN_WORD, *_ANTIQUOTATION)
        elif match.start() < end:
            yield _At(match.start(), Reason.FORBIDDEN_WORD, *_FORMAL)


def _open_end(encoded: str, read: Sequence[Token]) -> Iterator[_At]:
    if not read:
        return
    last = read[-1]
    if last.fault is Fault.ESCAPE:
        yield _At(last.end, Reason.BAD_CHARACTER, *_ESCAPE)
    elif last.fault is not None:
        message, remedy = _UNCLOSED[last.fault]
        if encoded[max(0, last.start - 2) : last.start + 1] == _FENCE:
            remedy = _FENCED
        yield _At(last.start, Reason.UNCLOSED, message, remedy)


def _blanked(encoded: str, read: Sequence[Token]) -> str:
    """Comments as blanks, one for each character of the encoded text, so that places stay."""
    parts, at = [], 0
    for token in read:
        if token.kind in _COMMENTS:
            comment = encoded[token.start : token.end]
            parts += [encoded[at : token.start], "\n".join([" " * len(line) for line in comment.split("\n")])]
            at = token.end
    return "".join([*parts, encoded[at:]])
