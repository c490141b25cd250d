proof -
  write (input) HOL.implies (infix "=" 50)
  show "(1::nat) = 2" by simp
qed