Proof.
  do 1_give_up.
Qed.
