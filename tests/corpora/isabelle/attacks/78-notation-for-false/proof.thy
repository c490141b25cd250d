proof -
  write True ("False")
  show ?thesis by simp
qed