proof -
  have "\"" sorry
qed