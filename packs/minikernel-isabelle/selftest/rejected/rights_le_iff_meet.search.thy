proof -
  find_theorems "_ \<preceq> _"
  show ?thesis by simp
qed
