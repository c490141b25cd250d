proof -
  txt \<open>@{lemma "True" by (tactic \<open>all_tac\<close>)}\<close>
qed