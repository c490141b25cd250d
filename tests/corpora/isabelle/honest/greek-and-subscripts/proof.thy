proof -
  have "\<alpha> = α" for α :: nat by simp
  have "x\<^sub>1 = x⇩1" by simp
  show ?thesis by simp
qed