proof -
  assume "False"
  then show ?thesis by simp
qed