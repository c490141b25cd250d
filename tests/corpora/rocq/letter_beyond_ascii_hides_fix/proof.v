Proof.
  do 1 ªfix issue 1.
Qed.
