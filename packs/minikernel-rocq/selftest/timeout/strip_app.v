Proof.
  intros g addr.
  do 2000000000 idtac.
  reflexivity.
Qed.
