  by (tactic \<open>ALLGOALS (K all_tac)\<close>)
