proof -
  have "\<not x" by simp
qed
