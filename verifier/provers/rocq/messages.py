"""Rocq's own words -> Reason, as data. The first row whose pattern is found decides; the corpus has a case for each.

Texts are those of releases 8.16 to 9.1, in English. What no row knows is UNCLASSIFIED, never guessed. What a tactic
says of its own (`Tactic failure`) is looked at first, so that a submission's words pass for no other message.
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
    _row("time_asked", r"Tactic timeout!|Timeout!", Reason.TOOL_FAILED),
    _row("goals_counted", r"Incorrect number of goals", Reason.BAD_ARGUMENTS),
    _row("tactic_failure", r"\AError: Tactic failure", Reason.METHOD_FAILED),
    _row("statement_end", r"The reference (Proof|Qed|Defined) was not found", Reason.SYNTAX),
    _row("bullet_wrong", r"\[Focus\] Wrong bullet", Reason.FOCUS),
    _row("bullet_next", r"No such goal\. Focus next goal with bullet|This subproof is complete", Reason.FOCUS),
    _row("brace_unfinished", r"This proof is focused, but cannot be unfocused this way", Reason.FOCUS),
    _row("brace_unmatched", r"The proof is not focused", Reason.FOCUS),
    _row("no_goal", r"No such goal|No focused proof", Reason.NO_GOAL),
    _row("given_up", r"Attempt to save a proof with given up goals", Reason.GIVEN_UP),
    _row("unfinished", r"Attempt to save an incomplete proof|There are pending proofs", Reason.GOALS_LEFT),
    _row("evars_left", r"[Ss]ome unresolved existential variables remain|shelved goals", Reason.GOALS_LEFT),
    _row("by_unfinished", r"\AError: Proof is not complete", Reason.METHOD_FAILED),
    _row("library_missing", r"Cannot find a physical path|Unable to locate library", Reason.UNDEFINED_LIBRARY),
    _row("scope_missing", r"Scope \S+ is not declared|Unknown scope", Reason.UNDEFINED_SCOPE),
    _row("hypothesis_missing", r"No such hypothesis|The hypothesis \S+ was not found", Reason.UNDEFINED_VARIABLE),
    _row("section_variable_missing", r"Unknown variable: ", Reason.UNDEFINED_VARIABLE),
    _row("name_missing", r"The (?:reference|variable|constructor) \S+ was not found", Reason.UNDEFINED_NAME),
    _row("printed_name_missing", r"\AError: \S+ not found\.", Reason.UNDEFINED_NAME),
    _row("hint_base_missing", r"No such Hint database|Rewriting base \S+ does not exist", Reason.UNDEFINED_NAME),
    _row("bound_variable_missing", r"No such bound variable", Reason.INSTANTIATION),
    _row("syntax", r"Syntax [eE]rror", Reason.SYNTAX),
    _row("name_taken", r"is already (?:used|declared)|already exists|is used twice", Reason.NAME_CLASH),
    _row("nested", r"Nested proofs", Reason.SYNTAX),
    _row("recursion", r"\A(?:Error: )?Stack overflow", Reason.RECURSION),
    _row("memory", r"\A(?:Error: )?(?:Out|out) of memory", Reason.MEMORY),
    _row("universe", r"[Uu]niverse inconsistency", Reason.UNIVERSE),
    _row("setoid_rewrite", r"\AError: (?:setoid rewrite failed|Unable to satisfy the following)", Reason.METHOD_FAILED),
    _row("motive", r"leads to a term .* ill-typed", Reason.METHOD_FAILED),
    _row("applied_in", r"Unable to apply lemma of type", Reason.METHOD_FAILED),
    _row(
        "type_expected",
        r"while it is expected to (?:have type|be)|The type of this term is a product|which should be Set, Prop|"
        r"while the second term has incompatible type",
        Reason.TYPE_MISMATCH,
    ),
    _row("not_unified", r"Unable to unify|Cannot unify|[Nn]ot convertible", Reason.METHOD_FAILED),
    _row("nothing_to_rewrite", r"Found no subterm matching|Nothing to rewrite", Reason.METHOD_FAILED),
    _row("instance_missing", r"Unable to find an instance|Cannot infer", Reason.INSTANTIATION),
    _row(
        "instances_counted",
        r"Not the right number of missing arguments|Not enough uninstantiated existential variables",
        Reason.INSTANTIATION,
    ),
    _row("clause_missing", r"Non exhaustive pattern-matching", Reason.TYPE_ERROR),
    _row("constructor_arguments", r"The constructor \S+ .*(?:is expected to be applied|expects)", Reason.TYPE_ERROR),
    _row(
        "constructor_foreign",
        r"Found a constructor of inductive type|Unknown constructor|Not a constructor",
        Reason.TYPE_ERROR,
    ),
    _row("not_a_type", r"Not a proposition or a type", Reason.TYPE_ERROR),
    _row("not_a_function", r"Illegal application", Reason.TYPE_ERROR),
    _row(
        "not_applicable",
        r"Not an? (?:\w+ )*(?:product|equality|inductive|discriminable|primitive equality|negated)|"
        r"Not an inductive goal|The type of .* is not inductive|No primitive equality",
        Reason.METHOD_FAILED,
    ),
    _row(
        "no_product",
        r"No product even after|No \w+ non dependent hypothesis|No quantified hypothesis named",
        Reason.METHOD_FAILED,
    ),
    _row("assumption", r"No such assumption|No such contradiction", Reason.METHOD_FAILED),
    _row("no_clause", r"No matching clauses", Reason.METHOD_FAILED),
    _row("goal_form", r"The goal must be of the form|Condition not satisfied", Reason.METHOD_FAILED),
    _row("no_tactic", r"No applicable tactic|Failed to progress", Reason.METHOD_FAILED),
    _row("in_use", r"is used (?:implicitly )?in ", Reason.METHOD_FAILED),
    _row(
        "cannot",
        r"\AError: Cannot (?:apply|find|change|coerce|rewrite|recognize|solve|clear|turn|abstract|generalize|eliminate|"
        r"destruct|instantiate|refine|simplify|prove|move)|\S is opaque",
        Reason.METHOD_FAILED,
    ),
    _row(
        "guard",
        r"is ill-formed|Cannot do a fixpoint|All methods must construct elements|Cannot guess decreasing",
        Reason.METHOD_FAILED,
    ),
    _row(
        "ltac_value",
        r"should be bound to a term|which cannot be coerced to|Illegal tactic application|Ltac variable",
        Reason.BAD_ARGUMENTS,
    ),
    _row(
        "bad_arguments",
        r"(?:Unused|Disjunctive|Unexpected|Expects an?|[Nn]ot enough|[Ww]rong|[Ii]nvalid).*"
        r"(?:patterns?|argument|names?|branches|constructors|number)",
        Reason.BAD_ARGUMENTS,
    ),
    _row("ill_typed", r"The term .* (?:has type|is ill-typed)|ill-typed", Reason.TYPE_ERROR),
    _row("anomaly", r"\A(?:Error: )?Anomaly", Reason.TOOL_FAILED),
)


def row_of(message: str) -> Row | None:
    """The row that knows a message of the prover."""
    flat = " ".join(message.split())
    return next((row for row in ROWS if row.pattern.search(flat)), None)


def classify(message: str) -> Reason:
    """The reason behind a message of the prover."""
    row = row_of(message)
    return Reason.UNCLASSIFIED if row is None else row.reason
