"""Which accepted theorems hold a recursion of their own: a `fix` or `cofix` in the term that the kernel took.

Every published fault of the guard checker needs such a node. Words of the proof decide nothing here: a tactic can make
the node out of a library's definition. Recursion inside a constant that was there before stays behind its name.
The warm session prints the term, and where that shows a node, or is not the whole, the compiled file is looked at, in
which nothing is left out; it is looked at again, whatever was printed, when a proof is confirmed.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from verifier.core.errors import PlatformFault
from verifier.provers.rocq import marshalled
from verifier.provers.rocq.marshalled import Block, Value

# Everything by its full form, in one line for each part, so that no depth is cut and no notation hides a term.
QUESTION: Final = "Set Printing All. Set Printing Depth 1000000000. Set Printing Width 1000000. Print {name}."
MESSAGE: Final = (
    "The proof's term holds a recursive function of its own (`fix` or `cofix`), and this prover's check of those has "
    "published faults. Tactics make one when they unfold a recursive definition of the library, or one with "
    "parameters, and then work on its body: `unfold`, `red`, `hnf`, `cbv`, `lazy`, `compute`, `vm_compute`, `eval`."
)
REMEDY: Final = (
    "Use `simpl`, `cbn [f]` or `rewrite` with an equation of the definition, so that the function keeps its name."
)
TOO_LARGE: Final = "The proof's term is too large to be searched for recursive functions of its own."
TOO_LARGE_REMEDY: Final = "Prove it in fewer or smaller steps."

_CUT: Final = " bytes left out]"
_NODE: Final = re.compile(r"(?<![\w'])(?:co)?fix(?![\w'])", re.ASCII)
_LIBRARY: Final = "library"
_OPAQUE: Final = "opaques"
_LARGEST: Final = 16 * 2**20  # bytes of one segment; some forty times as many in memory
_DEFINED: Final = 1  # tags of a constant's body, in every release from 8.5 on
_PROVED: Final = 2
_FIELDS: Final = 7  # a constant has at least so many behind its context, which is empty outside of sections


class TooLargeError(Exception):
    """The compiled file is larger than what is searched."""


def not_in_print(name: str, printed: str) -> bool:
    """Whether the answer to QUESTION is whole and shows no node."""
    whole = printed.lstrip().startswith(f"{name} =") and _CUT not in printed
    return whole and _NODE.search(printed) is None


def in_compiled(joint: bytes, pack: Sequence[bytes], theorems: frozenset[str]) -> frozenset[str]:
    """Names of constants in a compiled file that hold a node and that the pack's own file does not have.

    `pack` holds the pack's own compiled files, the last of them the one that `joint` is a longer form of. A node that
    is the whole definition of one of their constants is that constant, unfolded, and is let pass. The judge's own
    definitions around the `theorems` are left out. Raises TooLargeError, and PlatformFault for a file that cannot be
    read, or in which a theorem is not found.
    """
    known = Counter(name for name, _ in _constants(_segment(pack[-1], _LIBRARY)))
    found = list(_constants(_segment(joint, _LIBRARY)))
    if not theorems <= {name for name, _ in found}:
        raise PlatformFault("A theorem is not found in the compiled file.")
    judged = {f"{name}_{part}" for name in theorems for part in "sco"}
    more = Counter(name for name, _ in found) - known
    proofs = _segment(joint, _OPAQUE)
    terms = [(name, _terms(body, proofs)) for name, body in found if name in more and name not in judged]
    suspect = [(name, term) for name, term in terms if _holds_node(term, frozenset())]
    if not suspect:
        return frozenset()
    unfolded = frozenset(digest for compiled in pack for digest in _definitions(_segment(compiled, _LIBRARY)))
    return frozenset(name for name, term in suspect if _holds_node(term, unfolded))


def _segment(compiled: bytes, name: str) -> Block:
    data = marshalled.segment(compiled, name)
    if len(data) > _LARGEST:
        raise TooLargeError
    value = marshalled.read(data, first_field=name == _LIBRARY)  # behind it: what is no term
    if not isinstance(value, Block):
        raise PlatformFault(f"The part {name} of a compiled file has an unknown form.")
    return value


def _constants(library: Block) -> Iterator[tuple[str, Block]]:
    """Label and body of every constant of the file, in modules as well."""
    for block in _blocks([library]):
        match block:
            case Block(0, [bytes() as label, Block(0, [Block(0, [0, *fields]) as body])]) if len(fields) >= _FIELDS:
                yield label.decode("utf-8", errors="replace"), body
            case _:
                pass


def _terms(body: Block, proofs: Block) -> list[Value]:
    """The term of a constant; its type is what was stated, and stands in the term wherever it matters."""
    for field in body.fields:
        match field:
            case Block(tag=tag, fields=[Block(fields=[*_, Block(), int() as at])]) if tag == _PROVED:
                if at < len(proofs.fields) and isinstance(proofs.fields[at], Block):
                    return [proofs.fields[at]]
            case Block(tag=tag, fields=[term]) if tag == _DEFINED:
                return [term]
            case _:
                pass
    raise PlatformFault("A constant of a compiled file has an unknown form.")


def _definitions(library: Block) -> Iterator[bytes]:
    """Digests of the constants whose definition is a recursion as a whole, so that it means the same anywhere."""
    for _, body in _constants(library):
        for field in body.fields:
            match field:
                case Block(tag=tag, fields=[Block() as term]) if tag == _DEFINED and _is_node(term):
                    yield _digest(term)
                case _:
                    pass


def _digest(term: Block) -> bytes:
    """The same for two terms exactly when they are built alike, whatever parts they share."""
    known: dict[int, bytes] = {}
    waiting: list[Block] = [term]
    while waiting:
        block = waiting[-1]
        inner = [part for part in block.fields if isinstance(part, Block) and id(part) not in known]
        if inner:
            waiting += inner
            continue
        waiting.pop()
        parts = [known[id(part)] if isinstance(part, Block) else repr(part).encode() for part in block.fields]
        text = b"".join([b"%d:%d," % (block.tag, len(parts)), *(b"%d:%b" % (len(part), part) for part in parts)])
        known[id(block)] = hashlib.blake2b(text).digest()
    return known[id(term)]


def _holds_node(terms: list[Value], unfolded: frozenset[bytes]) -> bool:
    """Whether a node stands in a term outside of those whose digests are given."""
    seen: set[int] = set()
    rest = list(terms)
    while rest:
        value = rest.pop()
        if not isinstance(value, Block) or id(value) in seen:
            continue
        seen.add(id(value))
        if not _is_node(value):
            rest.extend(value.fields)
        elif not unfolded or _digest(value) not in unfolded:
            return True
    return False


def _is_node(block: Block) -> bool:
    """A fixpoint ((arguments, which), (names, types, bodies)) or a cofixpoint (which, (names, types, bodies))."""
    match block.fields:
        case [
            Block(
                fields=[
                    Block(fields=[Block(), int()]) | int(),
                    Block(fields=[Block() as a, Block() as b, Block() as c]),
                ]
            )
        ]:
            return 0 < len(a.fields) == len(b.fields) == len(c.fields)
        case _:
            return False


def _blocks(values: list[Value]) -> Iterator[Block]:
    """Every block that can be reached, once."""
    seen: set[int] = set()
    rest = list(values)
    while rest:
        value = rest.pop()
        if isinstance(value, Block) and id(value) not in seen:
            seen.add(id(value))
            yield value
            rest.extend(value.fields)
