Proof.
  do 1 'fix issue 1.
Qed.
