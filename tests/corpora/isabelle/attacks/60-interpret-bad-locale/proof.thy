proof -
  interpret impossible by standard simp
  show ?thesis using wrong by simp
qed