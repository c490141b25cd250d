proof -
  have "(3::nat) ^ (10 ^ 9) = 0" by simp
  show ?thesis by blast
qed