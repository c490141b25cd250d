"""Rocq's own words -> Reason, as data. The first row whose pattern is found decides; cases stand in tests/corpora.

Texts are those of releases 8.16 to 9.1, in English. What no row knows is UNCLASSIFIED, never guessed.
"""

import re
from dataclasses import dataclass
from typing import Final

from verifier.core.reason import Reason


@dataclass(frozen=True, slots=True)
class Row:
    """One message: `name` is the case folder that shows it."""

    name: str
    pattern: re.Pattern[str]
    reason: Reason


def _row(name: str, pattern: str, reason: Reason) -> Row:
    return Row(name, re.compile(pattern), reason)


ROWS: Final = (
    _row("statement_end", r"The reference (Proof|Qed|Defined) was not found", Reason.SYNTAX),
    _row("bullet_wrong", r"\[Focus\] Wrong bullet", Reason.FOCUS),
    _row("bullet_next", r"No such goal\. Focus next goal with bullet|This subproof is complete", Reason.FOCUS),
    _row("bullet_unfinished", r"(?:bullet|focus\w*) .*is not finished", Reason.FOCUS),
    _row(
        "brace_unfinished",
        r"This proof is focused, but cannot be unfocused this way|not (?:fully )?unfocused",
        Reason.FOCUS,
    ),
    _row(
        "brace_unmatched",
        r"The proof is not focused|unfocus\w* an unfocused|no goal(?:s)? (?:under|un)focused",
        Reason.FOCUS,
    ),
    _row("no_goal", r"No such goal|No focused proof|no more (?:sub)?goals|No such \w+ goal", Reason.NO_GOAL),
    _row("given_up", r"given up", Reason.GIVEN_UP),
    _row("unfinished", r"Attempt to save an incomplete proof|There are pending proofs", Reason.GOALS_LEFT),
    _row(
        "evars_left", r"unresolved existential variables|shelved goals|non-instantiated existential", Reason.GOALS_LEFT
    ),
    _row(
        "library_missing",
        r"Cannot find a physical path|Unable to locate library|Cannot load ",
        Reason.UNDEFINED_LIBRARY,
    ),
    _row("scope_missing", r"Scope \S+ is not declared|Unknown scope", Reason.UNDEFINED_SCOPE),
    _row(
        "name_missing",
        r"The (?:reference|variable|constructor) \S+ was not found|No such (?:hypothesis|label|section variable)|"
        r"Unknown (?:interpretation|constant|constructor|existential variable)|The hypothesis \S+ was not found",
        Reason.UNDEFINED_NAME,
    ),
    _row("hint_base_missing", r"No such Hint database|[Nn]o such (?:rewriting )?hint", Reason.UNDEFINED_NAME),
    _row("syntax", r"Syntax [eE]rror|Lexer:", Reason.SYNTAX),
    _row("name_taken", r"already (?:exists|used|a focused|declared)|is already used", Reason.NAME_CLASH),
    _row("nested", r"Nested proofs", Reason.SYNTAX),
    _row("recursion", r"Stack overflow|[Mm]aximal recursion", Reason.RECURSION),
    _row("memory", r"[Oo]ut of memory", Reason.MEMORY),
    _row("time_asked", r"Timeout!", Reason.TOOL_FAILED),
    _row("universe", r"[Uu]niverse inconsistency|universe level", Reason.UNIVERSE),
    _row(
        "type_expected",
        r"while it is expected to have type|is expected to have type|has type .* which should be",
        Reason.TYPE_MISMATCH,
    ),
    _row(
        "not_unified",
        r"Unable to unify|Cannot unify|[Cc]annot solve unification|not convertible|Conversion test raised",
        Reason.METHOD_FAILED,
    ),
    _row(
        "nothing_to_rewrite",
        r"Found no subterm matching|no subterm matching|did not (?:find|match)|Nothing to rewrite",
        Reason.METHOD_FAILED,
    ),
    _row(
        "instance_missing", r"Unable to find an instance|Cannot infer|Could not find an instance", Reason.INSTANTIATION
    ),
    _row(
        "not_applicable",
        r"Not an? (?:\w+ )*(?:product|equality|inductive|discriminable|relation|primitive equality|negated)|"
        r"No product even after|not an inductive|No primitive equality|No such assumption|No such contradiction|"
        r"No matching clauses|Cannot find the source class|Illegal application|[Nn]othing to inject|"
        r"not a (?:registered|declared)|tauto failed|Goal is not",
        Reason.METHOD_FAILED,
    ),
    _row(
        "search_failed",
        r"Cannot find witness|No applicable tactic|Tactic failure|congruence failed|All the tactics|"
        r"firstorder failed|Proof search failed|[Cc]annot (?:apply|find|change|coerce|rewrite|recognize|solve|clear|"
        r"abstract|generalize|eliminate|destruct|instantiate|refine|simplify|prove)|Failed to progress|is used in",
        Reason.METHOD_FAILED,
    ),
    _row("guard", r"ill-formed|Non strictly positive|structurally", Reason.METHOD_FAILED),
    _row("proof_using", r"[Pp]roof using|section variable\w* .*(?:used|declared)", Reason.BAD_ARGUMENTS),
    _row(
        "bad_arguments",
        r"(?:Unused|Disjunctive|Unexpected|[Tt]oo many|[Nn]ot enough|[Ww]rong|[Ee]xpects|[Ii]nvalid).*"
        r"(?:pattern|argument|names?|branches|goals?|tactic|number)",
        Reason.BAD_ARGUMENTS,
    ),
    _row(
        "ill_typed",
        r"ill-typed|The term .* has type|has type|type error|is not a type|should be (?:Set|Prop|Type)",
        Reason.TYPE_ERROR,
    ),
    _row("anomaly", r"Anomaly", Reason.PROVER_CRASH),
)


def classify(message: str) -> Reason:
    """The reason behind a message of the prover."""
    flat = " ".join(message.split())
    for row in ROWS:
        if row.pattern.search(flat):
            return row.reason
    return Reason.UNCLASSIFIED
