proof -
  presume "False"
  then show ?thesis by simp
qed