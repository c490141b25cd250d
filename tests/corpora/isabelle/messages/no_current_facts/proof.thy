proof -
  finally show ?thesis by simp
qed
