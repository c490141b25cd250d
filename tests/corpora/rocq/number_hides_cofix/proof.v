Proof.
  do 1_cofix F.
Qed.
