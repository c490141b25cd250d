apply (use TrueI in \<open>tactic \<open>all_tac\<close>\<close>)
done