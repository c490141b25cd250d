proof -
  { assume "False"
    then have "(1::nat) = 2" by simp }
  then show ?thesis by simp
qed