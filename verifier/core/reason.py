"""Why a proof was not accepted: one row per reason, shared by all provers.

The map from a prover's own words to a `Reason` is data of that prover; this table says what each reason means,
which class of the paper it counts in (Selene, section 4.3), who has to act and the sentence a team reads.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from verifier.core.verdict import Blame, ErrorClass, Verdict


class Reason(StrEnum):
    """Machine code of one cause; stored with results, stable over releases."""

    # failed, undefined: something named does not exist at that point
    UNDEFINED_FACT = "undefined_fact"
    UNDEFINED_METHOD = "undefined_method"
    UNDEFINED_ATTRIBUTE = "undefined_attribute"
    UNDEFINED_CONSTANT = "undefined_constant"
    UNDEFINED_TYPE = "undefined_type"
    UNDEFINED_CLASS = "undefined_class"
    UNDEFINED_CASE = "undefined_case"
    UNDEFINED_LOCALE = "undefined_locale"
    UNDEFINED_BUNDLE = "undefined_bundle"
    UNDEFINED_VARIABLE = "undefined_variable"
    UNDEFINED_LIBRARY = "undefined_library"
    UNDEFINED_SCOPE = "undefined_scope"
    UNDEFINED_NAME = "undefined_name"
    # failed, logic: the text was understood and did not prove the statement
    METHOD_FAILED = "method_failed"
    GOALS_LEFT = "goals_left"
    UNFINISHED = "unfinished"
    NO_REFINE = "no_refine"
    WRONG_MODE = "wrong_mode"
    DIFFERENT_THEOREM = "different_theorem"
    INSTANTIATION = "instantiation"
    RULE_SEARCH = "rule_search"
    TOOL_FAILED = "tool_failed"
    TYPE_MISMATCH = "type_mismatch"
    NO_GOAL = "no_goal"
    FOCUS = "focus"
    UNIVERSE = "universe"
    GIVEN_UP = "given_up"
    AXIOM_USED = "axiom_used"
    UNCLASSIFIED = "unclassified"
    # failed, other: the text was not understood
    SYNTAX = "syntax"
    INNER_SYNTAX = "inner_syntax"
    BAD_ARGUMENTS = "bad_arguments"
    TYPE_ERROR = "type_error"
    NAME_CLASH = "name_clash"
    TEXT_AFTER_END = "text_after_end"
    RECURSION = "recursion"
    # rejected: policy, the prover never saw it
    FORBIDDEN_COMMAND = "forbidden_command"
    FORBIDDEN_WORD = "forbidden_word"
    CHEAT_WORD = "cheat_word"
    KERNEL_FAULT_GUARD = "kernel_fault_guard"
    TOO_MANY_TOKENS = "too_many_tokens"
    TOO_LARGE = "too_large"
    EMPTY = "empty"
    NOT_TEXT = "not_text"
    BAD_CHARACTER = "bad_character"
    UNCLOSED = "unclosed"
    STATEMENT_CHANGED = "statement_changed"
    # timeout and resource
    WALL_TIME = "wall_time"
    MEMORY = "memory"
    OUTPUT = "output"
    PROCESSES = "processes"
    DISK = "disk"
    PROVER_CRASH = "prover_crash"
    # internal
    WORKER_LOST = "worker_lost"
    SANDBOX_FAILED = "sandbox_failed"
    PROVER_BROKEN = "prover_broken"
    NO_EVIDENCE = "no_evidence"
    CONFIRMATION_DISAGREED = "confirmation_disagreed"
    PACK_BROKEN = "pack_broken"


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """Meaning of one reason; `error_class` is None where nothing counts against the team."""

    verdict: Verdict
    error_class: ErrorClass | None
    blame: Blame
    sentence: str


def _undefined(sentence: str) -> ReasonRow:
    return ReasonRow(Verdict.FAILED, ErrorClass.UNDEFINED, Blame.SUBMISSION, sentence)


def _logic(sentence: str) -> ReasonRow:
    return ReasonRow(Verdict.FAILED, ErrorClass.LOGIC, Blame.SUBMISSION, sentence)


def _unread(sentence: str) -> ReasonRow:
    return ReasonRow(Verdict.FAILED, ErrorClass.OTHER, Blame.SUBMISSION, sentence)


def _rejected(sentence: str) -> ReasonRow:
    return ReasonRow(Verdict.REJECTED, ErrorClass.OTHER, Blame.SUBMISSION, sentence)


def _resource(sentence: str) -> ReasonRow:
    return ReasonRow(Verdict.RESOURCE, ErrorClass.OTHER, Blame.SUBMISSION, sentence)


def _internal(sentence: str, blame: Blame = Blame.PLATFORM) -> ReasonRow:
    return ReasonRow(Verdict.INTERNAL, None, blame, sentence)


REASONS: Final[dict[Reason, ReasonRow]] = {
    Reason.UNDEFINED_FACT: _undefined("uses a fact that does not exist at this point"),
    Reason.UNDEFINED_METHOD: _undefined("uses a method or tactic that does not exist here"),
    Reason.UNDEFINED_ATTRIBUTE: _undefined("uses an attribute that does not exist here"),
    Reason.UNDEFINED_CONSTANT: _undefined("uses a constant that does not exist here"),
    Reason.UNDEFINED_TYPE: _undefined("uses a type that does not exist here"),
    Reason.UNDEFINED_CLASS: _undefined("uses a type class that does not exist here"),
    Reason.UNDEFINED_CASE: _undefined("names a case that this proof does not have"),
    Reason.UNDEFINED_LOCALE: _undefined("uses a locale that does not exist here"),
    Reason.UNDEFINED_BUNDLE: _undefined("uses a bundle that does not exist here"),
    Reason.UNDEFINED_VARIABLE: _undefined("names a variable that this goal does not have"),
    Reason.UNDEFINED_LIBRARY: _undefined("needs a library that this environment does not load"),
    Reason.UNDEFINED_SCOPE: _undefined("uses a notation scope that is not declared here"),
    Reason.UNDEFINED_NAME: _undefined("uses a name that does not exist at this point"),
    Reason.METHOD_FAILED: _logic("applies a method that does not work on this goal"),
    Reason.GOALS_LEFT: _logic("ends while goals are left"),
    Reason.UNFINISHED: _logic("stops before the proof is finished"),
    Reason.NO_REFINE: _logic("shows something that fits no open goal"),
    Reason.WRONG_MODE: _logic("uses a command that does not fit the state of the proof"),
    Reason.DIFFERENT_THEOREM: _logic("proves something else than the statement"),
    Reason.INSTANTIATION: _logic("instantiates a rule in a way that does not fit"),
    Reason.RULE_SEARCH: _logic("finds no rule that fits this goal"),
    Reason.TOOL_FAILED: _logic("uses a tool whose requirements this goal does not meet"),
    Reason.TYPE_MISMATCH: _logic("gives a term whose type is not the expected one"),
    Reason.NO_GOAL: _logic("goes on although no goal is left here"),
    Reason.FOCUS: _logic("uses a bullet or brace that does not fit the open goals"),
    Reason.UNIVERSE: _logic("needs universe levels that contradict each other"),
    Reason.GIVEN_UP: _logic("gives goals up instead of proving them"),
    Reason.AXIOM_USED: _logic("rests on an axiom or oracle that this problem does not permit"),
    Reason.UNCLASSIFIED: _logic("was refused by the prover in words that the portal does not know yet"),
    Reason.SYNTAX: _unread("cannot be read by the prover"),
    Reason.INNER_SYNTAX: _unread("holds a term that cannot be read"),
    Reason.BAD_ARGUMENTS: _unread("gives a method arguments that it does not take"),
    Reason.TYPE_ERROR: _unread("holds a term that has no type"),
    Reason.NAME_CLASH: _unread("introduces a name that is taken"),
    Reason.TEXT_AFTER_END: _unread("goes on after the proof has ended"),
    Reason.RECURSION: _unread("runs into the prover's recursion limit"),
    Reason.FORBIDDEN_COMMAND: _rejected("holds a command that is not allowed in a proof"),
    Reason.FORBIDDEN_WORD: _rejected("holds a word that the policy of this benchmark forbids"),
    Reason.CHEAT_WORD: _rejected("skips the proof"),
    Reason.KERNEL_FAULT_GUARD: _rejected("uses a construct that a known fault of this prover makes unsafe"),
    Reason.TOO_MANY_TOKENS: _rejected("is longer than the token limit"),
    Reason.TOO_LARGE: _rejected("is larger than a proof may be"),
    Reason.EMPTY: _rejected("is empty"),
    Reason.NOT_TEXT: _rejected("is not UTF-8 text"),
    Reason.BAD_CHARACTER: _rejected("holds a character that is not allowed in a proof"),
    Reason.UNCLOSED: _rejected("leaves a comment, string or bracket open"),
    Reason.STATEMENT_CHANGED: _rejected("states something else than the benchmark's statement"),
    Reason.WALL_TIME: ReasonRow(
        Verdict.TIMEOUT, ErrorClass.OTHER, Blame.SUBMISSION, "was still running at the time limit"
    ),
    Reason.MEMORY: _resource("needs more memory than the limit"),
    Reason.OUTPUT: _resource("prints more than the limit"),
    Reason.PROCESSES: _resource("starts more processes than the limit"),
    Reason.DISK: _resource("writes more than the limit"),
    Reason.PROVER_CRASH: _resource("made the prover crash twice, alone in a fresh process"),
    Reason.WORKER_LOST: _internal("The worker was lost while this proof was running."),
    Reason.SANDBOX_FAILED: _internal("The sandbox could not be started."),
    Reason.PROVER_BROKEN: _internal("The prover did not start or answered in an unknown way."),
    Reason.NO_EVIDENCE: _internal("The prover ended without the record that a verdict needs."),
    Reason.CONFIRMATION_DISAGREED: _internal("A second look did not agree."),
    Reason.PACK_BROKEN: _internal("The statement or its environment is at fault.", Blame.BENCHMARK),
}
