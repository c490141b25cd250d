"""Isabelle's own words -> Reason, as data. The first row whose pattern fits the first line decides.

Later lines name the goal, the command and other consequences, and a goal can hold any words of the submission, so
they decide nothing. Texts are those of the sources of August 2024. What no row knows is UNCLASSIFIED, never guessed.
Every row has a case in tests/corpora/isabelle/messages that provokes it, or a line there that says why none can.
"""

import re
from dataclasses import dataclass
from typing import Final

from verifier.core.reason import Reason
from verifier.provers.isabelle.symbols import decode


@dataclass(frozen=True, slots=True)
class Row:
    """One message: `name` is the case folder that shows it."""

    name: str
    pattern: re.Pattern[str]
    reason: Reason


def _row(name: str, pattern: str, reason: Reason) -> Row:
    return Row(name, re.compile(rf"(?:{pattern})"), reason)


ROWS: Final = (
    # the process
    _row("timeout", r"Timeout(?: after [\d.]+s)?\Z", Reason.WALL_TIME),
    _row(
        "interrupt",
        r"(?:exception )?Interrupt(?:_Breakdown)?\b|Run out of store|.*Unable to increase stack|exception Size\b",
        Reason.MEMORY,
    ),
    _row("cheating", r"Cheating requires quick_and_dirty", Reason.CHEAT_WORD),
    _row("outer_program", r"exception Protocol_Message|Failed to invoke Scala", Reason.TOOL_FAILED),
    _row(
        "infrastructure",
        r"Prover terminated|Session startup failed|Missing (?:heap image|build database|parent)|Undefined session|"
        r"Bad (?:import of theory|session root)|Cannot load theory|No such (?:file|directory)|Failed to load theory|"
        r"Theory loader:|Cyclic dependency",
        Reason.PROVER_BROKEN,
    ),
    # a name that does not exist
    _row("undefined_fact", r"Undefined fact\b", Reason.UNDEFINED_FACT),
    _row("inaccessible_fact", r"Inaccessible fact\b|Unknown fact\b", Reason.UNDEFINED_FACT),
    _row("fact_selection", r"Bad fact selection", Reason.UNDEFINED_FACT),
    _row("fact_interval", r"Expected singleton fact|Bad interval spec", Reason.UNDEFINED_FACT),
    _row("literal_fact", r"Failed to retrieve literal fact", Reason.UNDEFINED_FACT),
    _row("literal_fact_ambiguous", r"Ambiguous specification of literal fact", Reason.UNDEFINED_FACT),
    _row("no_current_facts", r"No current facts available", Reason.UNDEFINED_FACT),
    _row("named_theorems", r"Undeclared named theorems", Reason.UNDEFINED_FACT),
    _row("undefined_method", r"(?:Undefined|Inaccessible) method\b", Reason.UNDEFINED_METHOD),
    _row("eisbach_method", r"Unknown Eisbach method", Reason.UNDEFINED_METHOD),
    _row("undefined_attribute", r"(?:Undefined|Inaccessible) attribute\b", Reason.UNDEFINED_ATTRIBUTE),
    _row("undefined_constant", r"(?:Undefined|Inaccessible) const", Reason.UNDEFINED_CONSTANT),
    _row("undeclared_constant", r"(?:Unknown|Undeclared) const", Reason.UNDEFINED_CONSTANT),
    _row("undefined_type", r"(?:Undefined|Inaccessible) type\b", Reason.UNDEFINED_TYPE),
    _row("type_constructor", r"Undeclared type constructor|Not a type constructor", Reason.UNDEFINED_TYPE),
    _row("undefined_class", r"(?:Undefined|Undeclared|Inaccessible) class\b", Reason.UNDEFINED_CLASS),
    _row("undefined_case", r"(?:Undefined|Inaccessible) case\b", Reason.UNDEFINED_CASE),
    _row("undefined_locale", r"(?:Undefined|Unknown|Inaccessible) locale\b", Reason.UNDEFINED_LOCALE),
    _row("undefined_bundle", r"(?:Undefined|Inaccessible) bundle\b", Reason.UNDEFINED_BUNDLE),
    _row(
        "undefined_other",
        r"(?:Undefined|Inaccessible|Unknown|Undeclared) (?:oracle|simproc|axiom|theory|\w+ antiquotation)\b",
        Reason.UNDEFINED_NAME,
    ),
    _row("schematic_variable", r"Unbound schematic variable", Reason.UNDEFINED_VARIABLE),
    _row("theorem_variable", r"No such (?:type )?variable in theorem", Reason.UNDEFINED_VARIABLE),
    _row("subgoal_variable", r"No such (?:type )?variable in subgoal", Reason.UNDEFINED_VARIABLE),
    # a term that is no term
    _row("inner_syntax", r"Inner syntax error|Failed to parse (?:prop|term|type|sort)", Reason.INNER_SYNTAX),
    _row("inner_lexical", r"Inner lexical error", Reason.INNER_SYNTAX),
    _row("ambiguous_input", r"Ambiguous input", Reason.INNER_SYNTAX),
    _row("dummy_pattern", r"Illegal dummy pattern", Reason.INNER_SYNTAX),
    # a text that is no proof text
    _row("outer_syntax", r"Outer syntax error|undefined command|Exactly one|Failed to parse method", Reason.SYNTAX),
    _row("malformed_command", r"Malformed command syntax|Outer lexical error", Reason.SYNTAX),
    _row("malformed_theory", r"Malformed theory", Reason.SYNTAX),
    _row("definition", r"Entity to be defined|Mismatch of declaration|Bad head of lhs", Reason.SYNTAX),
    _row("identifier", r"Not an identifier", Reason.SYNTAX),
    _row("name_taken", r"Duplicate fixed variable", Reason.NAME_CLASH),
    _row("bad_arguments", r"Bad arguments for ", Reason.BAD_ARGUMENTS),
    _row("type_clash", r"Type unification failed|Type error", Reason.TYPE_ERROR),
    _row("type_arguments", r"Bad number of arguments for type constructor", Reason.TYPE_ERROR),
    _row("sort_constraint", r"Inconsistent sort|Sort constraint|Variable .* not of sort", Reason.TYPE_ERROR),
    _row("loose_bound", r"Loose bound|Illegal schematic type", Reason.TYPE_ERROR),
    # a proof that does not prove
    _row("initial_method", r"Failed to apply initial proof method", Reason.METHOD_FAILED),
    _row("proof_method", r"Failed to apply proof method", Reason.METHOD_FAILED),
    _row("terminal_method", r"Failed to apply terminal proof method", Reason.METHOD_FAILED),
    _row("goals_left", r"Failed to finish proof", Reason.GOALS_LEFT),
    _row("unfinished", r"Unfinished proof text", Reason.UNFINISHED),
    _row("no_refine", r"Failed to refine any pending goal", Reason.NO_REFINE),
    _row("no_refine_local", r"Local statement fails to refine", Reason.NO_REFINE),
    _row("wrong_mode", r"Illegal application of proof", Reason.WRONG_MODE),
    _row("bad_context", r"Bad context for", Reason.WRONG_MODE),
    _row("no_subgoals", r"No subgoals!", Reason.WRONG_MODE),
    _row("no_calculation", r"No calculation yet|Initial calculation", Reason.WRONG_MODE),
    _row("goal_number", r"Subgoal number \d+ out of range", Reason.NO_GOAL),
    _row("back", r"back: no alternatives", Reason.WRONG_MODE),
    _row(
        "no_goal",
        r"No (?:current |proof )?goal\b|Goal present|Unbalanced block|Lost goal|(?:Not at|Already at) bottom",
        Reason.WRONG_MODE,
    ),
    _row("different_theorem", r"Proved a different theorem", Reason.DIFFERENT_THEOREM),
    _row("too_many_instantiations", r"More instantiations than variables", Reason.INSTANTIATION),
    _row("several_rules", r"Cannot have instantiations|Bad sort for instantiation", Reason.INSTANTIATION),
    _row("no_unifiers", r"exception THM ", Reason.INSTANTIATION),
    _row("exception", r"exception (?:TERM|TYPE|CTERM|THEORY)\b", Reason.INSTANTIATION),
    _row("exception_other", r"exception \w+", Reason.TOOL_FAILED),
    _row("too_many_names", r"More (?:names|arg)|Excessive subgoal parameter", Reason.INSTANTIATION),
    _row(
        "case_parameters",
        r"Too many parameters for case|Excessive case name|Illegal schematic variable",
        Reason.INSTANTIATION,
    ),
    _row("rule_arguments", r"Rule has fewer ", Reason.INSTANTIATION),
    _row("ill_typed", r"Ill-typed instantiation", Reason.INSTANTIATION),
    _row(
        "no_induct_rule",
        r"Unable to figure out|No rule for|No matching coinduction|Induction argument not a variable",
        Reason.RULE_SEARCH,
    ),
    _row(
        "unfit_rules",
        r"Induction rule has different|Failed to join given rules|Proposition not an inductive predicate",
        Reason.RULE_SEARCH,
    ),
    _row("no_trans_rule", r"No matching trans|Vacuous calculation|symmetric: no unifiers", Reason.RULE_SEARCH),
    _row("single_theorem", r"Single (?:theorem|rule) expected", Reason.RULE_SEARCH),
    _row("pattern_match", r"Pattern match failed", Reason.RULE_SEARCH),
    _row("obtained_parameters", r"Result contains obtained parameters|Guessed a different clause", Reason.RULE_SEARCH),
    _row("split_rule", r"Wrong format for split rule", Reason.TOOL_FAILED),
    _row("classical_rule", r"Ill-formed (?:destruction|elimination|introduction) rule", Reason.TOOL_FAILED),
    _row("congruence_rule", r"Conclusion of congruence rules", Reason.TOOL_FAILED),
    _row("tactic_failed", r"Tactic failed|The error\(s\) above|Excessive facts for method", Reason.TOOL_FAILED),
    _row("hypotheses", r"Undeclared hyps|Pending sort hypotheses", Reason.TOOL_FAILED),
    _row("solver_missing", r"The SMT solver .* is not installed", Reason.TOOL_FAILED),
    _row("solver_unknown", r"Trying to select unknown solver", Reason.UNDEFINED_NAME),
    _row("solver", r"Solver |SMT: ", Reason.TOOL_FAILED),
    _row("free_variables", r"Illegal free variable", Reason.TOOL_FAILED),
    _row("quotient", r"\[regularize", Reason.TOOL_FAILED),
    _row("no_code", r"No code equations|Wellsortedness error", Reason.TOOL_FAILED),
    # Methods that run generated code end in an oracle, and find ML closed here before they come to it.
    _row("evaluation", r"Error: |ML error|Compilation error", Reason.AXIOM_USED),
    _row(
        "library_tools", r"Method timed out|Failed to apply tactics to rule|More tactics than rule", Reason.TOOL_FAILED
    ),
)

_COMMAND: Final = re.compile(r'\n?At command "[^\n]*"(?: \(line \d+ of "[^"\n]*"\))?\s*\Z')
_MALFORMED: Final = 'At command "<malformed>"'
_PLACE: Final = re.compile(r'\(line (\d+) of "proof"\)')
_MARKUP: Final = re.compile(r"\x05[^\x05]*\x05|[\x00-\x08\x0b-\x1f\x7f]")


def classify(message: str) -> Reason:
    """The reason behind a message of the prover."""
    plain = _MARKUP.sub("", message).removeprefix("*** ")
    if plain.rpartition("\n")[2].startswith(_MALFORMED):
        return Reason.SYNTAX
    first = plain.partition("\n")[0]
    return next((row.reason for row in ROWS if row.pattern.match(first)), Reason.UNCLASSIFIED)


def tidy(message: str) -> str:
    """The message as people read it: symbols as characters, places without the driver's name for the text."""
    plain = _COMMAND.sub("", _MARKUP.sub("", message))
    return decode(_PLACE.sub(r"(line \1)", plain))
