proof -
  write plus (infix "##" 50)
  write times (infix "##" 50)
  have "(a::nat) ## b = a" by simp
qed
