Proof.
  do 1_fix issue 1.
Qed.
