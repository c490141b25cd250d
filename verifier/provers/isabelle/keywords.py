"""Which commands exist in Pure and HOL's Main, by kind, and which of them a proof may hold.

Taken from the keyword table of Main (development version of August 2024); a pack's theories may declare more. The
prover decides by its own table; this one lets a proof be refused before it is run, and tell why.
"""

from types import MappingProxyType
from typing import Final

_KINDS: Final = {
    "qed": "by . .. sorry \\<proof>",
    "qed_script": "done",
    "qed_block": "qed",
    "qed_global": "oops",
    "prf_goal": "have hence consider interpret",
    "prf_asm_goal": "show thus obtain",
    "prf_block": "proof",
    "next_block": "next",
    "prf_open": "{",
    "prf_close": "}",
    "prf_chain": "from then with finally ultimately",
    "prf_decl": "also include including let moreover note unfolding using write ML_prf",
    "prf_asm": "assume case define fix presume",
    "prf_script": "apply apply_end back defer prefer supply",
    "prf_script_goal": "subgoal",
    "before_command": "private qualified",
    "diag": (
        "ML_command ML_val class_deps code_deps code_thms compile_generated_files export_generated_files find_consts "
        "find_theorems find_unused_assms full_prf help locale_deps nitpick nunchaku prf print_ML_antiquotations "
        "print_abbrevs print_antiquotations print_attributes print_bnfs print_bundles print_case_translations "
        "print_cases print_claset print_classes print_codeproc print_codesetup print_coercions print_commands "
        "print_context print_context_tracing print_definitions print_defn_rules print_facts print_induct_rules "
        "print_inductives print_interps print_locale print_locales print_methods print_options print_orders "
        "print_quot_maps print_quotconsts print_quotients print_quotientsQ3 print_quotmapsQ3 print_record print_rules "
        "print_simpset print_state print_statement print_syntax print_term_bindings print_theorems print_theory "
        "print_trans_rules prop quickcheck scala_build_generated_files sledgehammer smt_status solve_direct term thm "
        "thm_deps thm_oracles thy_deps try try0 typ unused_thms value values welcome"
    ),
    "document": "chapter section subsection subsubsection paragraph subparagraph text txt text_raw",
    "thy_begin": "theory",
    "thy_end": "end",
    "thy_load": (
        "ML_file ML_file_debug ML_file_no_debug ROOTS_file SML_file SML_file_debug SML_file_no_debug bibtex_file "
        "external_file"
    ),
    "thy_stmt": "axiomatization",
    "thy_goal_stmt": "lemma theorem corollary proposition schematic_goal",
    "thy_goal": (
        "code_pred free_constructors global_interpretation instance interpretation old_rep_datatype subclass sublocale"
    ),
    "thy_goal_defn": (
        "bnf function functor lift_bnf lift_definition primcorecursive quotient_definition quotient_type specification "
        "termination typedef"
    ),
    "thy_defn": (
        "abbreviation codatatype coinductive coinductive_set copy_bnf datatype datatype_compat definition fun "
        "fun_cases inductive inductive_cases inductive_set inductive_simps lemmas partial_function primcorec primrec "
        "record type_synonym"
    ),
    "thy_decl_block": "bundle class context experiment instantiation locale notepad overloading",
    "thy_decl": (
        "ML ML_export SML_export SML_import alias attribute_setup code_datatype code_identifier code_monad "
        "code_printing code_reflect code_reserved consts declaration declare default_sort export_code extract "
        "extract_type generate_file hide_class hide_const hide_fact hide_type judgment lifting_forget lifting_update "
        "local_setup method_setup named_theorems nitpick_params no_notation no_syntax no_translations "
        "no_type_notation nonterminal notation nunchaku_params oracle parse_ast_translation parse_translation "
        "print_ast_translation print_translation quickcheck_generator quickcheck_params realizability realizers setup "
        "setup_lifting simproc_setup sledgehammer_params syntax syntax_consts syntax_declaration syntax_types "
        "translations type_alias type_notation typed_print_translation typedecl unbundle"
    ),
}

KIND_OF: Final = MappingProxyType({name: kind for kind, names in _KINDS.items() for name in names.split()})

CHEATS: Final = frozenset({"sorry", "\\<proof>", "oops"})
_PROOF_KINDS: Final = frozenset(kind for kind in _KINDS if kind.startswith(("qed", "prf_", "next_")))
ALLOWED: Final = frozenset(name for name, kind in KIND_OF.items() if kind in _PROOF_KINDS) - CHEATS - {"ML_prf"}
STATEMENTS: Final = frozenset(_KINDS["thy_goal_stmt"].split())

# Words that go on with a statement; before the first command they would join the owned one.
_JOINING: Final = """
if for when where and is shows obtains assumes fixes defines notes constrains includes opening rewrites
"""
JOINING: Final = frozenset(_JOINING.split())

# Refused wherever they stand as whole identifiers, quotes included: methods and attributes nest in quotes.
_ML: Final = "tactic raw_tactic"  # methods whose argument is ML
_SWITCHES: Final = """
quick_and_dirty skip_proofs
ML_environment ML_read_global ML_write_global ML_catch_all ML_debugger ML_exception_debugger
"""
_PROGRAMS: Final = """
smt_oracle smt_certificates smt_read_only_certificates smt_debug_files smt_spy_verit smt_spy_z3 z3_options
verit_options cvc4_options cvc5_options cvc5_proof_options sat_solver smt_sat_solver kodkod_scala
quickcheck_narrowing_ghc_options quickcheck_narrowing_overlord
sledgehammer_atp_problem_dest_dir sledgehammer_atp_proof_dest_dir
"""  # answers taken unseen, files read or written, options of programs
_DIALOGUES: Final = "simp_trace_new simp_break"  # wait for a person's answer
FORBIDDEN_WORDS: Final = frozenset(f"{_ML} {_SWITCHES} {_PROGRAMS} {_DIALOGUES}".split())
