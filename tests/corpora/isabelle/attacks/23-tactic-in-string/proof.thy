apply (subproofs "tactic \<open>all_tac\<close>")
done