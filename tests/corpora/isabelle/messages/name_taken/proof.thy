proof -
  fix x x
qed
