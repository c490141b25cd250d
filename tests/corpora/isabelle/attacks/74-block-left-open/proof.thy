proof -
  { have "x = x" by simp
  show ?thesis by blast
qed