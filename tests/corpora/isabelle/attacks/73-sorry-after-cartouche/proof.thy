proof -
  have "x" unfolding \<open>x\<close>sorry
qed