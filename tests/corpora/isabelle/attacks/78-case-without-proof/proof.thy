proof -
  case True
  show ?thesis by simp
qed